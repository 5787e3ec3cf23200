import type { Stripe } from 'stripe'
import { changeMetadata } from '../change-metadata.ts'
import { createPrice, findRecurringPrice, type PriceData } from '../resources/handle-prices.ts'
import { idOf, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, createMissing } from '../stripe-failure.ts'
import { applyDiscounts, type DiscountParam } from './apply-discounts.ts'
import { findPeriod } from './find-period.ts'
import { prorateItem } from './prorate-item.ts'

/** One of the `items` of a request. */
export interface ItemParam {
  readonly id?: string
  readonly deleted?: boolean
  readonly discounts?: Stripe.Emptyable<DiscountParam[]>
  readonly metadata?: Stripe.Emptyable<Stripe.MetadataParam>
  readonly price?: string
  readonly price_data?: Omit<PriceData, 'recurring'> & { recurring: Stripe.PriceCreateParams.Recurring }
  readonly quantity?: number
}

/** What came of a change of items. */
export interface ItemChange {
  readonly before: Stripe.Subscription
  readonly subscription: Stripe.Subscription
  /** The ids of items whose old price is credited already. */
  readonly credited: readonly string[]
  /** Credits and charges for what is left of the period, pending. */
  readonly prorations: readonly Stripe.InvoiceItem[]
  /** Whether an item is now billed at another interval, which starts the cycle anew (docs.stripe.com/billing/subscriptions/change-price). */
  readonly hasNewInterval: boolean
}

/**
 * Adds, changes and deletes items: those that a request does not name stay (docs.stripe.com/billing/subscriptions/upgrade-downgrade).
 * At least one is left, at most 20, of one currency, and no price twice.
 */
export function changeItems(
  account: StripeAccount,
  before: Stripe.Subscription,
  params: readonly ItemParam[],
  prorated: 'all' | 'credits' | 'none',
): ItemChange {
  const items = new Map(before.items.data.map((item) => [item.id, item]))
  const prorations: Stripe.InvoiceItem[] = []
  const credited: string[] = []
  let hasNewInterval = false
  const prorate = (item: Stripe.SubscriptionItem, kind: 'charge' | 'credit') => {
    if (kind === 'credit') credited.push(item.id)
    const isWanted = prorated === 'all' || (prorated === 'credits' && kind === 'credit')
    const proration = isWanted ? prorateItem(account, before, item, kind) : undefined
    if (proration !== undefined) prorations.push(proration)
  }
  for (const [index, param] of params.entries()) {
    const place = `items[${index}]`
    if (param.id === undefined) {
      const item = createItem(account, before, param, place)
      items.set(item.id, item)
      prorate(item, 'charge')
      continue
    }
    const item = items.get(param.id)
    if (item === undefined) throw createMissing('subscription_item', param.id, `${place}[id]`)
    if (param.deleted === true) {
      items.delete(item.id)
      prorate(item, 'credit')
      continue
    }
    const after = updateItem(account, before, item, param, place)
    items.set(item.id, after)
    if (after.price.id === item.price.id && after.quantity === item.quantity) continue
    prorate(item, 'credit')
    if (isSameInterval(item.price, after.price)) prorate(after, 'charge')
    else hasNewInterval = true
  }
  const data = [...items.values()]
  checkItems(data)
  return { before, subscription: { ...before, items: { ...before.items, data } }, credited, prorations, hasNewInterval }
}

/** Throws unless a subscription can have these items. */
export function checkItems(items: readonly Stripe.SubscriptionItem[]): void {
  if (items.length === 0)
    throw createInvalidRequest('A subscription must have at least one active item. To end it, cancel it.', 'items')
  if (items.length > 20) throw createInvalidRequest('A subscription can have up to 20 items.', 'items')
  const prices = items.map(({ price }) => price)
  const twice = prices.find(({ id }, index) => prices.findIndex((other) => other.id === id) !== index)
  // github.com/stripe-archive/submigrate/issues/1
  if (twice !== undefined)
    throw createInvalidRequest(`Cannot add multiple subscription items with the same plan: ${twice.id}`, 'items')
  if (new Set(prices.map(({ currency }) => currency)).size > 1)
    throw createInvalidRequest('All prices of a subscription must have the same currency.', 'items')
}

/** Makes an item that joins the cycle of its subscription; nothing is kept yet. */
export function createItem(
  account: StripeAccount,
  subscription: Pick<Stripe.Subscription, 'billing_cycle_anchor' | 'customer' | 'id' | 'status' | 'trial_end'>,
  param: ItemParam,
  place: string,
): Stripe.SubscriptionItem {
  const price = choosePrice(account, param, place)
  if (price === undefined)
    throw createInvalidRequest(`Missing required param: ${place}[price].`, `${place}[price]`, 'parameter_missing')
  const now = account.now()
  const { end } = findPeriod(subscription.billing_cycle_anchor, recurringOf(price), now)
  return {
    id: account.createId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    // Since 2025-03-31.basil the period is the item's (docs.stripe.com/changelog/basil/2025-03-31/deprecate-subscription-current-period-start-and-end).
    current_period_end: subscription.status === 'trialing' ? (subscription.trial_end ?? end) : end,
    current_period_start: now,
    current_trial: null,
    discounts: applyDiscounts(account, { ...subscription, discounts: [] }, param.discounts),
    metadata: changeMetadata({}, param.metadata),
    plan: toPlan(price),
    price,
    quantity: param.quantity ?? 1,
    subscription: subscription.id,
    tax_rates: [],
  }
}

/** How often a recurring price is billed. */
export function recurringOf(price: Stripe.Price): Stripe.Price.Recurring {
  if (price.recurring === null) throw new Error(`${price.id} is not recurring`)
  return price.recurring
}

function updateItem(
  account: StripeAccount,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  param: ItemParam,
  place: string,
): Stripe.SubscriptionItem {
  const price = choosePrice(account, param, place) ?? item.price
  if (price.currency !== subscription.currency)
    throw createInvalidRequest('All prices of a subscription must have the same currency.', `${place}[price]`)
  return {
    ...item,
    discounts: applyDiscounts(account, { ...subscription, discounts: item.discounts }, param.discounts),
    metadata: changeMetadata(item.metadata, param.metadata),
    plan: toPlan(price),
    price,
    quantity: param.quantity ?? item.quantity ?? 1,
  }
}

function choosePrice(account: StripeAccount, param: ItemParam, place: string): Stripe.Price | undefined {
  if (param.price !== undefined) return findRecurringPrice(account, param.price, `${place}[price]`)
  return param.price_data === undefined ? undefined : createPrice(account, param.price_data, `${place}[price_data]`)
}

function isSameInterval(left: Stripe.Price, right: Stripe.Price): boolean {
  return (
    left.recurring?.interval === right.recurring?.interval &&
    left.recurring?.interval_count === right.recurring?.interval_count
  )
}

/** What a price was before there were prices: still in every item (docs.stripe.com/api/plans). */
function toPlan(price: Stripe.Price): Stripe.Plan {
  const { interval, interval_count } = recurringOf(price)
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval,
    interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: idOf(price.product),
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}
