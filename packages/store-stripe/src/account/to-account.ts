import type {
  ActiveSubscription,
  CustomerAccount,
  EndedSubscription,
  Interval,
  Item,
  OpenAdd,
  Subscription,
  SubscriptionTerms,
} from '@storeport/rules'
import type { Stripe } from 'stripe'
import { canBeUndone, type FoundMark } from './mark.ts'
import type { Settings } from '../stripe/settings.ts'
import type { BillingInterval } from '../stripe/stripe-store-options.ts'

/** Stripe objects of all customers that share an email. */
export interface StripeCustomer {
  /** Customers with the email. Stripe allows several customers with the same email. */
  readonly customers: readonly [Stripe.Customer, ...Stripe.Customer[]]
  /** The supported subscriptions of these customers, including cancelled subscriptions that were not recreated. */
  readonly subscriptions: readonly Stripe.Subscription[]
  /** Ids of the cancelled subscriptions that were recreated. Stripe cannot reactivate a cancelled subscription. */
  readonly replaced: ReadonlySet<string>
  /** The latest 100 invoice items of these customers, oldest first; empty for a read. */
  readonly invoiceItems: readonly Stripe.InvoiceItem[]
  /** Marks of clicks, from the metadata of all objects of these customers. */
  readonly marks: readonly FoundMark[]
}

/** Metadata key of a recreated subscription. Its value is the id of the cancelled subscription, which the store hides. */
export const replacesKey = 'storeport_replaces'

/** Converts the Stripe objects of a customer to the account that the rules use. */
export function toAccount(loaded: StripeCustomer, settings: Settings): CustomerAccount {
  const { customers, invoiceItems } = loaded
  const subscriptions = loaded.subscriptions.flatMap((each) => toSubscription(each, invoiceItems, settings))
  return {
    email: customers[0].email ?? '',
    subscriptions,
    adds: openAdds(loaded),
    discount_uses: [],
    orders: [],
    // Not set, because only sendNow uses these fields, and sendNow reads the last order from the invoices.
    last_sent_on: null,
    last_sent_at: null,
    recommended: settings.recommended(customers[0]),
  }
}

/** Returns the billing interval of a subscription, whose items all have the same interval. */
export function intervalOf({ items }: Stripe.Subscription): BillingInterval | undefined {
  const recurring = items.data[0]?.price.recurring
  return recurring ? { unit: recurring.interval, count: recurring.interval_count } : undefined
}

/** Returns the next billing time in seconds since 1970: the earliest period end of the subscription's items. */
export function dueAt({ items }: Stripe.Subscription): number {
  return Math.min(...items.data.map(({ current_period_end }) => current_period_end))
}

/** Returns the tax rates that all items share; `undefined` if they have different rates. */
export function sharedRates({ items }: Pick<Stripe.Subscription, 'items'>): readonly Stripe.TaxRate[] | undefined {
  const rates = items.data.map(({ tax_rates }) => tax_rates ?? [])
  return new Set(rates.map((own) => String(own.map(({ id }) => id).toSorted()))).size > 1 ? undefined : rates[0]
}

/** Whether the customer's cancellation is scheduled. The rules treat such a subscription as cancelled, so it can be reactivated. */
export function isEnding(subscription: Stripe.Subscription): boolean {
  return subscription.status !== 'canceled' && isCancellation(subscription)
}

/** Whether the customer chose the end. In flexible billing mode, the Customer Portal sets only `cancel_at` and the reason. */
function isCancellation({ cancel_at, cancel_at_period_end, cancellation_details }: Stripe.Subscription): boolean {
  return cancel_at_period_end || (cancel_at !== null && cancellation_details?.reason === 'cancellation_requested')
}

/** Metadata key of the trial end that a delay set. */
export const delayedKey = 'storeport_delayed'

/** Whether a subscription is in the trial with which it was created. A delay and a recreation start trials that are not free. */
export function isFreeTrial({ status, trial_start, trial_end, start_date, metadata }: Stripe.Subscription): boolean {
  const isOwn = metadata[replacesKey] !== undefined || metadata[delayedKey] === String(trial_end)
  return status === 'trialing' && trial_start === start_date && !isOwn
}

/** Whether a fixed term ends a subscription before its next billing, or has ended it. Only the merchant can extend the term. */
export function isTermOver(subscription: Stripe.Subscription): boolean {
  const { cancel_at, status } = subscription
  if (cancel_at === null || isCancellation(subscription)) return false
  return status === 'canceled' || cancel_at <= dueAt(subscription)
}

/** Whether the next invoice of a subscription includes an invoice item. The invoice of a trial may include it as well. */
export function isOnNextInvoice(item: Stripe.InvoiceItem, { id, customer }: Stripe.Subscription): boolean {
  const isPending = item.invoice === null && item.customer !== null && idOf(item.customer) === idOf(customer)
  return isPending && (subscriptionOf(item) ?? id) === id
}

/** Returns the product id of a subscription item, or the price id if an earlier item has the same product. */
export function productOfItem(item: Stripe.SubscriptionItem, items: readonly Stripe.SubscriptionItem[]): string {
  const product = idOf(item.price.product)
  const first = items.find((other) => idOf(other.price.product) === product)
  return first === undefined || first.id === item.id ? product : item.price.id
}

/** Returns the id from a reference to a Stripe object, which can be an id or the expanded object. */
export function idOf(reference: string | { readonly id: string }): string {
  return typeof reference === 'string' ? reference : reference.id
}

/** Returns the product id of an unbilled invoice item; `undefined` for a billed item, a proration or a credit. */
export function pendingProduct(item: Stripe.InvoiceItem): string | undefined {
  const isDeliverable = item.invoice === null && !item.proration && item.amount >= 0 && item.quantity > 0
  return isDeliverable ? item.pricing?.price_details?.product : undefined
}

/** Returns the id of the subscription whose next invoice includes the invoice item. */
export function subscriptionOf({ parent }: Stripe.InvoiceItem): string | undefined {
  return parent?.subscription_details?.subscription
}

function toSubscription(
  subscription: Stripe.Subscription,
  invoiceItems: readonly Stripe.InvoiceItem[],
  { dayOf, shippingProduct }: Settings,
): Subscription[] {
  const { id, description, status } = subscription
  const interval = toInterval(subscription)
  if (interval === undefined || isTermOver(subscription)) return []
  const terms: SubscriptionTerms = {
    id,
    title: description ?? titleOf(interval),
    interval,
    // Not set, because Stripe calculates the billing dates.
    anchor_day: null,
    skipped: [],
    items: [...recurringItems(subscription, shippingProduct), ...oneTimeLines(id, invoiceItems)],
    shipping_minor: shippingOf(subscription, shippingProduct),
    order_discount_minor: 0,
    tax_rate: 0,
  }
  const endedAt = subscription.ended_at ?? subscription.canceled_at
  if (status === 'canceled' || isEnding(subscription)) {
    const cancelled_on = dayOf(endedAt ?? subscription.created)
    return [{ ...terms, status: 'cancelled', next_billing_date: null, cancelled_on } satisfies EndedSubscription]
  }
  // A delayed subscription is `trialing`. A subscription whose last payment failed is `past_due`.
  if (status !== 'active' && status !== 'trialing' && status !== 'past_due') return []
  const next_billing_date = dayOf(dueAt(subscription))
  return [{ ...terms, status: 'active', next_billing_date, cancelled_on: null } satisfies ActiveSubscription]
}

const units = ['day', 'week', 'month'] as const

function toInterval(subscription: Stripe.Subscription): Interval | undefined {
  const { unit: name, count = 1 } = intervalOf(subscription) ?? {}
  if (name === 'year') return { unit: 'month', count: count * 12 }
  const unit = units.find((known) => known === name)
  return unit && { unit, count }
}

function titleOf({ unit, count }: Interval): string {
  return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`
}

function recurringItems({ items }: Stripe.Subscription, shippingProduct: string | undefined): Item[] {
  return items.data
    .filter(({ price, quantity }) => idOf(price.product) !== shippingProduct && quantity !== 0)
    .map((item) => ({
      id: item.id,
      product_id: productOfItem(item, items.data),
      quantity: item.quantity ?? 1,
      price_minor: unitAmount(item.price),
      one_time: false,
    }))
}

/** Returns the pending one-time lines of a subscription. */
export function oneTimeLines(subscription: string, invoiceItems: readonly Stripe.InvoiceItem[]): Item[] {
  const own = invoiceItems.filter((item) => subscriptionOf(item) === subscription)
  return mergeLines(own.flatMap((item) => toLine(item, item.id, pendingProduct(item))))
}

/** Returns the one-time lines in the preview of a subscription's next invoice; omits prorations and credits. */
export function previewedLines(subscription: string, lines: readonly Stripe.InvoiceLineItem[]): Item[] {
  return mergeLines(
    lines.flatMap((line) => {
      const details = line.parent?.invoice_item_details
      if (details?.subscription !== subscription || details.proration || line.amount < 0) return []
      return toLine(line, details.invoice_item, line.pricing?.price_details?.product)
    }),
  )
}

type PricedLine = Pick<Stripe.InvoiceLineItem, 'amount' | 'pricing' | 'quantity'>

function toLine({ amount, pricing, quantity }: PricedLine, id: string, product_id: string | undefined): Item[] {
  if (product_id === undefined || quantity === null || quantity <= 0) return []
  const price_minor = Math.round(Number(pricing?.unit_amount_decimal ?? amount / quantity))
  return [{ id, product_id, quantity, price_minor, one_time: true }]
}

/** Returns one line for each product, with the total quantity. */
function mergeLines(lines: readonly Item[]): Item[] {
  const merged = new Map<string, Item>()
  for (const line of lines) {
    const present = merged.get(line.product_id)
    merged.set(line.product_id, present ? { ...present, quantity: present.quantity + line.quantity } : line)
  }
  return [...merged.values()]
}

function shippingOf({ items }: Stripe.Subscription, shippingProduct: string | undefined): number {
  return items.data
    .filter(({ price }) => idOf(price.product) === shippingProduct)
    .reduce((sum, { price, quantity = 1 }) => sum + unitAmount(price) * quantity, 0)
}

/** Returns the price of one unit in minor units. */
export function unitAmount({ unit_amount, unit_amount_decimal }: Stripe.Price): number {
  return unit_amount ?? Math.round(Number(unit_amount_decimal ?? 0))
}

/** Returns the adds that can still be undone, oldest first. Billed adds are excluded. */
function openAdds({ subscriptions, invoiceItems, marks }: StripeCustomer): OpenAdd[] {
  const adds = marks.filter(canBeUndone).toSorted((one, other) => one.sequence - other.sequence)
  return adds.flatMap(({ key: id, holder, product: product_id = '', quantity = 0, due = 0 }) => {
    const pending = invoiceItems.find((item) => item.id === holder && pendingProduct(item) !== undefined)
    const subscription_id = pending ? subscriptionOf(pending) : holder
    const { data = [] } = subscriptions.find((one) => one.id === subscription_id)?.items ?? {}
    const recurring = data.find((item) => productOfItem(item, data) === product_id)
    // In a later period, Stripe has billed the add.
    const item = pending ?? (recurring && recurring.current_period_start < due ? recurring : undefined)
    if (subscription_id === undefined || item === undefined) return []
    return [{ id, product_id, quantity, subscription_id, item_id: item.id, order_id: null, discount_use_id: null }]
  })
}
