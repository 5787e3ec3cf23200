import { addDays, dateIn, isCurrency, minorUnitDigits } from '@storeport/core'
import type { Stripe } from 'stripe'
import type { StripeStoreOptions } from './stripe-store-options.ts'

/** The version of Stripe's API that requests and answers are written for. */
export const stripeApiVersion = '2026-10-28.endive'

/** What is wrong with the client, the key or the account, as a log line says it. */
export type StripeSettingsCode = 'STRIPE_VERSION' | 'STRIPE_KEY_REFUSED' | 'STRIPE_PERMISSION' | 'STRIPE_NO_PRICES'

/** A client, a key or an account that the store cannot work with; the message says what to change, and holds no key. */
export class StripeSettingsError extends Error {
  override readonly name = 'StripeSettingsError'
  /** What is wrong: where a call failed because of it, the log line of the call says it. */
  readonly code: StripeSettingsCode

  constructor(code: StripeSettingsCode, message: string) {
    super(message)
    this.code = code
  }
}

type Complete<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> }

/** The options of a store, complete, with what is made of them once. */
export interface Settings extends Complete<
  Omit<StripeStoreOptions, 'priceOf' | 'offered' | 'shippingProduct' | 'timeZone'>
> {
  readonly stripe: Stripe
  readonly priceOf: StripeStoreOptions['priceOf']
  readonly offered: StripeStoreOptions['offered']
  readonly shippingProduct: string | undefined
  /** The currency as Stripe writes it. */
  readonly stripeCurrency: string
  /** The day of an instant, in seconds since 1970, in the zone of the shop. */
  readonly dayOf: (seconds: number) => string
  /** Today in the zone of the shop. */
  readonly today: () => string
  /** The last day that a billing can be delayed to. */
  readonly latestDay: () => string
}

/** Completes the options; throws TypeError for those that cannot be used, RangeError for an unknown zone, StripeSettingsError for the client. */
export function readOptions(stripe: Stripe, options: StripeStoreOptions): Settings {
  const { currency = 'USD', timeZone = 'UTC', now = Date.now, maxDelayDays = 729 } = options
  if (!isCurrency(currency)) throw new TypeError('currency: must be a code of ISO 4217 in capital letters, such as USD')
  // Stripe writes amounts of these in other units than ISO 4217 does.
  if (otherDigits.includes(currency) || minorUnitDigits(currency) > 2) {
    throw new TypeError(`currency: ${currency} has other minor units at Stripe, which this store does not convert`)
  }
  checkVersion(stripe)
  const toDay = dateIn(timeZone)
  const today = () => toDay(new Date(now()))
  return {
    stripe,
    currency,
    stripeCurrency: currency.toLowerCase(),
    priceOf: options.priceOf,
    interval: options.interval ?? { unit: 'month', count: 1 },
    offered: options.offered,
    recommended: options.recommended ?? recommendedInMetadata,
    shippingProduct: options.shippingProduct,
    actions: options.actions ?? {},
    maxDelayDays: checkCount('maxDelayDays', maxDelayDays, 1),
    reactivationDays: checkCount('reactivationDays', options.reactivationDays ?? 365),
    maxQuantity: checkCount('maxQuantity', options.maxQuantity ?? 1000, 1),
    timeoutMs: checkCount('timeoutMs', options.timeoutMs ?? 4000, 1),
    maxNetworkRetries: checkCount('maxNetworkRetries', options.maxNetworkRetries ?? 0),
    now,
    dayOf: (seconds) => toDay(new Date(seconds * 1000)),
    today,
    latestDay: () => addDays(today(), maxDelayDays),
  }
}

/** Currencies with two decimals in ISO 4217 that Stripe counts in whole units or the other way round. */
const otherDigits = ['ISK', 'UGX', 'MGA']

/** Requests and answers are written for one version: another one may leave out a field, or call it differently. */
function checkVersion(stripe: Stripe): void {
  const version = stripe.getApiField('version')
  if (version === stripeApiVersion) return
  throw new StripeSettingsError(
    'STRIPE_VERSION',
    `The client of Stripe speaks API version ${version}: make it with apiVersion: '${stripeApiVersion}', the one of stripe 23.1.`,
  )
}

function recommendedInMetadata({ metadata }: Stripe.Customer): readonly string[] {
  const ids = metadata['storeport_recommended'] ?? ''
  return ids.split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]))
}

function checkCount(name: string, value: number, least = 0): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new TypeError(`${name}: must be a whole number, at least ${least}`)
}
