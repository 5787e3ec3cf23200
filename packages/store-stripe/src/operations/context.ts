import { type LoadedShop, type Shop, soonest } from '@storeport/rules'
import { StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import type { FoundMark } from '../account/mark.ts'
import type { Settings } from '../stripe/settings.ts'
import { idOf, intervalOf } from '../account/to-account.ts'
import type { BillingInterval } from '../stripe/stripe-store-options.ts'
import type { StripeRequests } from '../stripe/stripe-requests.ts'
import type { Change } from './change-once.ts'

/** The settings and the shop data that each operation uses. */
export interface StoreContext {
  readonly settings: Settings
  /** Creates the shop data that a rule uses besides the account. */
  readonly createShop: (loaded: LoadedShop) => Shop
  /** Ids of the subscriptions about which a warning was printed. */
  readonly reported: Set<string>
}

/** Returns the current Stripe subscription. Throws StoreError `subscription_not_found` if it does not exist. */
export function requireCurrent(loaded: LoadedCustomer): Stripe.Subscription {
  const current = findCurrent(loaded)
  if (current === undefined) throw new StoreError('subscription_not_found')
  return current
}

function findCurrent({ account, subscriptions }: LoadedCustomer): Stripe.Subscription | undefined {
  const currentId = soonest(account.subscriptions)?.id
  return subscriptions.find(({ id }) => id === currentId)
}

/** Returns the billing interval whose prices apply to a customer. */
export function findInterval(loaded: LoadedCustomer, { settings }: StoreContext): BillingInterval {
  const current = findCurrent(loaded)
  return (current && intervalOf(current)) ?? settings.interval
}

/** Returns the marks that belong to the given adds. */
export function marksOf(adds: readonly { readonly id: string }[], { marks }: LoadedCustomer): readonly FoundMark[] {
  return adds.flatMap((add) => marks.filter(({ key }) => key === add.id))
}

/**
 * Subscription metadata key. Its value is the number of rejected changes, which `oncePerSubscription` includes in its
 * key.
 */
const declinedKey = 'storeport_declined'

/**
 * Returns the Stripe idempotency key of a change that must take effect only once for a subscription and a time. Two processes without a
 * shared ledger use the same key. After a rejection, the next attempt uses a new key, because Stripe repeats a stored rejection for a day.
 */
export function oncePerSubscription(
  { settings: { stripe } }: StoreContext,
  kind: 'reactivate' | 'resume' | 'send',
  { id, metadata }: Stripe.Subscription,
  at: number,
): Required<Pick<Change, 'key' | 'declined'>> {
  const declined = Number(metadata[declinedKey] ?? 0)
  return {
    key: `storeport-${kind}-${id}-${at}-${declined}`,
    declined: (options) =>
      stripe.subscriptions.update(id, { metadata: { [declinedKey]: String(declined + 1) } }, options),
  }
}

/** Returns the parameters of a one-time price with the amount and the tax behavior of a recurring price. */
export function oneTimePrice(
  { settings: { stripeCurrency: currency } }: StoreContext,
  product: string,
  price: Stripe.Price,
): Stripe.InvoiceItemCreateParams.PriceData {
  const { tax_behavior: tax, unit_amount_decimal } = price
  return {
    currency,
    product,
    ...(unit_amount_decimal !== null && { unit_amount_decimal }),
    // Stripe decides an unspecified behavior when it bills the price.
    ...(tax !== null && tax !== 'unspecified' && { tax_behavior: tax }),
  }
}

/** Returns the latest 100 invoices of a customer or a subscription, newest first. */
export async function readInvoices(
  { settings: { stripe } }: StoreContext,
  requests: StripeRequests,
  owner: { readonly customer: string } | { readonly subscription: string },
): Promise<readonly Stripe.Invoice[]> {
  return (await requests.read((options) => stripe.invoices.list({ ...owner, limit: 100 }, options))).data
}

/** Whether an invoice contains products that cost something. The invoice of a trial has the amount 0. */
export function isOrder({ subtotal }: Stripe.Invoice): boolean {
  return subtotal > 0
}

/** Placeholder for an object that the request creates, which has no id and no metadata yet. */
export const newObject = { id: '', metadata: null } as const

const hour = 3600
const day = 24 * hour

/**
 * Returns an instant on `date` at the same time of day as `near`. Both instants are in seconds since 1970.
 * If daylight saving time starts or ends between the dates, the time of day can shift.
 */
export function instantOn(date: string, near: number, dayOf: (seconds: number) => string): number {
  const days = (Date.parse(date) - Date.parse(dayOf(near))) / 1000 / day
  const instant = near + Math.round(days) * day
  if (dayOf(instant) < date) return instant + 2 * hour
  return dayOf(instant) > date ? instant - 2 * hour : instant
}

type Payer = Pick<Stripe.Subscription, 'default_payment_method' | 'default_source' | 'collection_method'>

/** Throws StoreError `payment_failed` if Stripe has no payment method to charge; prevents unpaid orders. */
export function requirePayment(customer: Stripe.Customer | undefined, payer: Payer): void {
  if (payer.collection_method === 'send_invoice') return
  const hasOwn = payer.default_payment_method !== null || payer.default_source !== null
  if (hasOwn || (customer !== undefined && canPay(customer))) return
  throw new StoreError('payment_failed', 'The customer has no payment method.')
}

/** Returns the customer who owns a subscription. */
export function customerOf(
  { customer }: Pick<Stripe.Subscription, 'customer'>,
  customers: readonly Stripe.Customer[],
): Stripe.Customer | undefined {
  return customers.find(({ id }) => id === idOf(customer))
}

function canPay({ invoice_settings, default_source }: Stripe.Customer): boolean {
  return invoice_settings.default_payment_method !== null || (default_source ?? null) !== null
}
