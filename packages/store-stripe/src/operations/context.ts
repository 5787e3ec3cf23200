import { soonest } from '@storeport/rules'
import { StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import type { FoundMark } from '../account/mark.ts'
import { idOf, intervalOf } from '../account/to-account.ts'
import { findPromotionCode } from '../shop/find-promotion-code.ts'
import { readProduct } from '../shop/read-products.ts'
import type { Session } from '../stripe/session.ts'
import type { Settings } from '../stripe/settings.ts'
import type { BillingInterval } from '../stripe/stripe-store-options.ts'
import type { Change } from './change-once.ts'

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
export function findInterval(loaded: LoadedCustomer, settings: Settings): BillingInterval {
  const current = findCurrent(loaded)
  return (current && intervalOf(current)) ?? settings.interval
}

/** Reads the product and the code of an add or a swap, and creates the shop that its rule uses. */
export async function readOffer(
  session: Session,
  loaded: LoadedCustomer,
  product_id: string,
  discount_code: string | undefined,
) {
  const [priced, promotion] = await Promise.all([
    readProduct(session, product_id, findInterval(loaded, session)),
    findPromotionCode(session, discount_code, loaded.customers),
  ])
  const shop = session.createShop({ product: () => priced?.product, discount: () => promotion?.terms })
  return { priced, promotion, shop }
}

/** Returns the marks that belong to the given adds. */
export function marksOf(adds: readonly { readonly id: string }[], { marks }: LoadedCustomer): readonly FoundMark[] {
  return adds.flatMap((add) => marks.filter(({ key }) => key === add.id))
}

/** Returns a change of a subscription without prorations, whose metadata contains the mark. */
export function updateSubscription(
  { stripe }: Settings,
  holder: Stripe.Subscription,
  params: Stripe.SubscriptionUpdateParams = {},
): Change {
  return {
    holder,
    send: (metadata, options) =>
      stripe.subscriptions.update(holder.id, { ...params, proration_behavior: 'none', metadata }, options),
  }
}

/** Returns a change of an invoice item, whose metadata contains the mark. */
export function updateInvoiceItem(
  { stripe }: Settings,
  holder: Stripe.InvoiceItem,
  params: Stripe.InvoiceItemUpdateParams,
): Change {
  return {
    holder,
    send: (metadata, options) => stripe.invoiceItems.update(holder.id, { ...params, metadata }, options),
  }
}

/** Placeholder for an object that the request creates, which has no id and no metadata yet. */
export const newObject = { id: '', metadata: null } as const

/** Subscription metadata key. Its value is the number of rejected changes, which `oncePerSubscription` includes in its key. */
const declinedKey = 'storeport_declined'

/**
 * Returns the Stripe idempotency key of a change that must take effect only once for a subscription and a time. Two processes without a
 * shared ledger use the same key. After a rejection, the next attempt uses a new key, because Stripe repeats a stored rejection for a day.
 */
export function oncePerSubscription(
  { stripe }: Settings,
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
  { stripeCurrency: currency }: Settings,
  product: string,
  { tax_behavior: tax, unit_amount_decimal }: Stripe.Price,
): Stripe.InvoiceItemCreateParams.PriceData {
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
  { stripe, read }: Session,
  owner: { readonly customer: string } | { readonly subscription: string },
): Promise<readonly Stripe.Invoice[]> {
  return (await read((options) => stripe.invoices.list({ ...owner, limit: 100 }, options))).data
}

/** Whether an invoice contains products that cost something. The invoice of a trial has the amount 0. */
export function isOrder({ subtotal }: Stripe.Invoice): boolean {
  return subtotal > 0
}

const hour = 3600
const day = 24 * hour

/** Returns an instant on `date` at the time of day of `near`, in seconds since 1970. Daylight saving time can shift it. */
export function instantOn(date: string, near: number, dayOf: (seconds: number) => string): number {
  const days = (Date.parse(date) - Date.parse(dayOf(near))) / 1000 / day
  const instant = near + Math.round(days) * day
  if (dayOf(instant) < date) return instant + 2 * hour
  return dayOf(instant) > date ? instant - 2 * hour : instant
}

/** Throws StoreError `payment_failed` if Stripe has no payment method to charge; prevents unpaid orders. */
export function requirePayment(subscription: Stripe.Subscription, customers: readonly Stripe.Customer[]): void {
  const { collection_method, customer, default_payment_method, default_source } = subscription
  const owner = customers.find(({ id }) => id === idOf(customer))
  const own = [default_payment_method, default_source]
  const methods = [...own, owner?.invoice_settings.default_payment_method, owner?.default_source]
  if (collection_method !== 'send_invoice' && methods.every((method) => (method ?? null) === null))
    throw new StoreError('payment_failed', 'The customer has no payment method.')
}
