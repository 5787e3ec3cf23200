import { dateIn, isCurrency, minorUnitDigits } from '@storeport/core'
import { type LoadedShop, readShopOptions, type Shop } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { withoutChanges } from './dry-run.ts'
import type { StripeStoreOptions } from './stripe-store-options.ts'

/** Stripe API version that this store requires. */
export const stripeApiVersion = '2026-10-28.endive'

/** Error code for an unusable client, API key or account. */
export type StripeSettingsCode = 'STRIPE_VERSION' | 'STRIPE_KEY_REJECTED' | 'STRIPE_PERMISSION' | 'STRIPE_NO_PRICES'

/** Reports an unusable client, API key or account. The message states what to change and never contains the key. */
export class StripeSettingsError extends Error {
  override readonly name = 'StripeSettingsError'
  /** Error code, which also appears in the log line of a failed request. */
  readonly code: StripeSettingsCode

  constructor(code: StripeSettingsCode, message: string) {
    super(message)
    this.code = code
  }
}

type Complete<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> }

/** Options without a default. */
type Optional = 'priceOf' | 'offered' | 'shippingProduct'

/** Options with defaults applied, and values derived from them. */
export interface Settings
  extends Complete<Omit<StripeStoreOptions, Optional | 'timeZone' | 'dryRun'>>, Pick<StripeStoreOptions, Optional> {
  readonly stripe: Stripe
  /** Lower-case currency code, as Stripe writes it. */
  readonly stripeCurrency: string
  /** Returns the shop's calendar day for an instant in seconds since 1970. */
  readonly dayOf: (seconds: number) => string
  /** Returns the current day in the shop's time zone. */
  readonly today: () => string
  /** Creates the shop data that a rule uses besides the account. */
  readonly createShop: (loaded: LoadedShop) => Shop
  /** Ids of the subscriptions about which a warning was printed. */
  readonly reported: Set<string>
}

/** Applies defaults. Throws TypeError, RangeError for a time zone, and StripeSettingsError for a client with another API version. */
export function readOptions(stripe: Stripe, options: StripeStoreOptions): Settings {
  const { currency = 'USD', timeZone = 'UTC', now = Date.now } = options
  if (!isCurrency(currency))
    throw new TypeError('currency: must be an ISO 4217 code in capital letters, for example USD')
  if (unsupportedCurrencies.includes(currency) || minorUnitDigits(currency) > 2) {
    throw new TypeError(
      `currency: ${currency} is not supported, because Stripe uses different minor units for this currency`,
    )
  }
  checkVersion(stripe)
  const toDay = dateIn(timeZone)
  const reactivationDays = checkCount('reactivationDays', options.reactivationDays ?? 365)
  const maxQuantity = checkCount('maxQuantity', options.maxQuantity ?? 1000, 1)
  return {
    stripe: options.dryRun ? withoutChanges(stripe, options.dryRun) : stripe,
    currency,
    stripeCurrency: currency.toLowerCase(),
    priceOf: options.priceOf,
    interval: options.interval ?? { unit: 'month', count: 1 },
    offered: options.offered,
    recommended: options.recommended ?? recommendedInMetadata,
    shippingProduct: options.shippingProduct,
    freeTrials: options.freeTrials ?? 'keep',
    actions: options.actions ?? {},
    maxDelayDays: checkCount('maxDelayDays', options.maxDelayDays ?? 729, 1),
    reactivationDays,
    maxQuantity,
    priceCacheMs: checkCount('priceCacheMs', options.priceCacheMs ?? 60_000),
    timeoutMs: checkCount('timeoutMs', options.timeoutMs ?? 4000, 1),
    chargeTimeoutMs: checkCount('chargeTimeoutMs', options.chargeTimeoutMs ?? 20_000, 1),
    now,
    dayOf: (seconds) => toDay(new Date(seconds * 1000)),
    today: () => toDay(new Date(now())),
    createShop: readShopOptions({ currency, maxQuantity, reactivationDays, now, timeZone, publicUrl: '' }).createShop,
    reported: new Set(),
  }
}

/** Currencies for which Stripe uses a different number of decimals than ISO 4217. */
const unsupportedCurrencies = ['ISK', 'UGX', 'MGA']

/** Rejects other API versions, in which fields can be missing or have different names. */
function checkVersion(stripe: Stripe): void {
  const version = stripe.getApiField('version')
  if (version === stripeApiVersion) return
  throw new StripeSettingsError(
    'STRIPE_VERSION',
    `The Stripe client uses API version ${version}. Create the client with apiVersion: '${stripeApiVersion}', the API version of the stripe 23.1 package.`,
  )
}

function recommendedInMetadata({ metadata }: Stripe.Customer): readonly string[] {
  const ids = metadata['storeport_recommended'] ?? ''
  return ids.split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]))
}

function checkCount(name: string, value: number, minimum = 0): number {
  if (Number.isSafeInteger(value) && value >= minimum) return value
  throw new TypeError(`${name}: must be an integer of at least ${minimum}`)
}
