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
import type { FoundMark } from './mark.ts'
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

/**
 * Metadata key of a recreated subscription. Its value is the id of the cancelled subscription, which the store hides.
 */
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

/**
 * Whether a fixed term ends a subscription before its next billing, or has already ended the subscription. Only the merchant can extend the
 * term.
 */
export function isTermOver(subscription: Stripe.Subscription): boolean {
  const { cancel_at, status } = subscription
  if (cancel_at === null || isCancellation(subscription)) return false
  return status === 'canceled' || cancel_at <= dueAt(subscription)
}

/**
 * Whether the next invoice of a subscription includes an invoice item. If a trial starts earlier, its invoice may
 * include the item.
 */
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
  return mergeLines(
    invoiceItems.flatMap((item) => {
      const product_id = pendingProduct(item)
      if (product_id === undefined || subscriptionOf(item) !== subscription) return []
      return [{ id: item.id, product_id, quantity: item.quantity, price_minor: itemPrice(item), one_time: true }]
    }),
  )
}

/** Returns the one-time lines in the preview of a subscription's next invoice; omits prorations and credits. */
export function previewedLines(subscription: string, lines: readonly Stripe.InvoiceLineItem[]): Item[] {
  return mergeLines(
    lines.flatMap(({ parent, pricing, amount, quantity }) => {
      const details = parent?.invoice_item_details
      const product_id = pricing?.price_details?.product
      if (details?.subscription !== subscription || details.proration || product_id === undefined) return []
      if (amount < 0 || quantity === null || quantity <= 0) return []
      const price_minor = itemPrice({ pricing, amount, quantity })
      return [{ id: details.invoice_item, product_id, quantity, price_minor, one_time: true }]
    }),
  )
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

type PricedLine = Pick<Stripe.InvoiceItem, 'amount' | 'quantity'> & Pick<Stripe.InvoiceLineItem, 'pricing'>

function itemPrice({ pricing, amount, quantity }: PricedLine): number {
  const unit = pricing?.unit_amount_decimal
  return Math.round(unit === null || unit === undefined ? amount / quantity : Number(unit))
}

/** Returns the adds that can still be undone, oldest first. Billed adds are excluded. */
function openAdds({ subscriptions, invoiceItems, marks }: StripeCustomer): OpenAdd[] {
  const waiting = new Map(
    invoiceItems.filter((item) => pendingProduct(item) !== undefined).map((item) => [item.id, item]),
  )
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]))
  return marks
    .filter(({ product, closed }) => product !== undefined && closed !== true)
    .toSorted((one, other) => one.sequence - other.sequence)
    .flatMap((mark) => toAdd(mark, waiting.get(mark.holder), byId.get(mark.holder)))
}

function toAdd(
  { key, product: product_id = '', quantity = 0, due = 0 }: FoundMark,
  invoiceItem: Stripe.InvoiceItem | undefined,
  subscription: Stripe.Subscription | undefined,
): OpenAdd[] {
  const add = {
    id: key,
    product_id,
    quantity,
    subscription_id: null,
    item_id: null,
    order_id: null,
    discount_use_id: null,
  }
  if (invoiceItem !== undefined) {
    const subscription_id = subscriptionOf(invoiceItem)
    return subscription_id === undefined ? [] : [{ ...add, subscription_id, item_id: invoiceItem.id }]
  }
  if (subscription === undefined) return []
  const items = subscription.items.data
  const item = items.find((present) => productOfItem(present, items) === product_id)
  // The period in which the product was added has ended, so Stripe has billed the add.
  if (item === undefined || item.current_period_start >= due) return []
  return [{ ...add, subscription_id: subscription.id, item_id: item.id }]
}
