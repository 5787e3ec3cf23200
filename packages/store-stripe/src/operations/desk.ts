import { type Interval, type LoadedShop, type Shop, soonest } from '@storeport/rules'
import { StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import type { FoundMark } from '../account/mark.ts'
import type { Settings } from '../stripe/settings.ts'
import { idOf } from '../account/to-account.ts'

/** What every operation works with. */
export interface Desk {
  readonly settings: Settings
  /** Makes what a rule may use besides the account. */
  readonly createShop: (loaded: LoadedShop) => Shop
}

/** The subscription at Stripe whose account the rules call the current one; throws StoreError `subscription_not_found`. */
export function currentOf({ account, subscriptions }: LoadedCustomer): Stripe.Subscription {
  const current = soonest(account.subscriptions)
  const held = subscriptions.find(({ id }) => id === current?.id)
  if (held === undefined) throw new StoreError('subscription_not_found')
  return held
}

/** The interval whose prices a customer has. */
export function intervalOf({ account }: LoadedCustomer, { settings }: Desk): Interval {
  return soonest(account.subscriptions)?.interval ?? settings.interval
}

/** The marks of adds by their ids. */
export function marksOf(adds: readonly { readonly id: string }[], { marks }: LoadedCustomer): readonly FoundMark[] {
  return adds.flatMap((add) => marks.filter(({ key }) => key === add.id))
}

/** Something that a request makes has no metadata to keep to a size. */
export const newHolder = { id: '', metadata: null } as const

const hour = 3600
const day = 24 * hour

/**
 * Returns the instant on a day, in seconds since 1970, that is as many days as it takes after another one, or before it: at the same time
 * of day, but for the hours that clocks change between them.
 */
export function instantOn(date: string, near: number, dayOf: (seconds: number) => string): number {
  const days = (Date.parse(date) - Date.parse(dayOf(near))) / 1000 / day
  const instant = near + Math.round(days) * day
  if (dayOf(instant) < date) return instant + 2 * hour
  return dayOf(instant) > date ? instant - 2 * hour : instant
}

type Payer = Pick<Stripe.Subscription, 'default_payment_method' | 'default_source' | 'collection_method'>

/** Throws StoreError `payment_failed` when Stripe would have nothing to charge: it would make an order that nobody pays. */
export function requirePayment(customer: Stripe.Customer | undefined, payer?: Payer): void {
  if (payer?.collection_method === 'send_invoice') return
  const hasOwn = payer !== undefined && (payer.default_payment_method !== null || payer.default_source !== null)
  if (hasOwn || (customer !== undefined && canPay(customer))) return
  throw new StoreError('payment_failed', 'There is no payment method.')
}

/** The customer with a payment method, of several with one email. */
export function payingCustomer(customers: readonly Stripe.Customer[]): Stripe.Customer | undefined {
  return customers.find(canPay)
}

/** The customer of a subscription. */
export function customerOf(
  { customer }: Pick<Stripe.Subscription, 'customer'>,
  customers: readonly Stripe.Customer[],
): Stripe.Customer | undefined {
  return customers.find(({ id }) => id === idOf(customer))
}

function canPay({ invoice_settings, default_source }: Stripe.Customer): boolean {
  return invoice_settings.default_payment_method !== null || (default_source ?? null) !== null
}
