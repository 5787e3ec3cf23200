import type { Stripe } from 'stripe'
import { createResource } from '../create-resource.ts'
import { findRecurringPrice } from '../resources/handle-prices.ts'
import { idOf, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, createMissing, requireParam } from '../stripe-failure.ts'
import { applyDiscounts, type DiscountParam } from './apply-discounts.ts'
import { findPeriod } from './find-period.ts'

/** An entry in the parameter `items`. */
export interface ItemParam {
  readonly id?: string
  readonly deleted?: boolean
  readonly discounts?: Stripe.Emptyable<DiscountParam[]>
  readonly price?: string
  readonly quantity?: number
}

/**
 * Adds, changes and deletes items. Omitted items remain (docs.stripe.com/billing/subscriptions/upgrade-downgrade).
 * Throws unless the result has 1 to 20 items in one currency, and each price occurs at most once.
 */
export function changeItems(
  account: StripeAccount,
  before: Stripe.Subscription,
  params: readonly ItemParam[],
): Stripe.SubscriptionItem[] {
  const items = new Map(before.items.data.map((item) => [item.id, item]))
  for (const [index, param] of params.entries()) {
    const place = `items[${index}]`
    const item = param.id === undefined ? undefined : items.get(param.id)
    if (param.id !== undefined && item === undefined) throw createMissing('subscription_item', param.id, `${place}[id]`)
    if (item !== undefined && param.deleted === true) {
      items.delete(item.id)
      continue
    }
    const after =
      item === undefined ? createItem(account, before, param, place) : updateItem(account, before, item, param, place)
    items.set(after.id, after)
  }
  const data = [...items.values()]
  checkItems(data)
  return data
}

/** Throws unless there are 1 to 20 items in one currency, and each price occurs at most once. */
export function checkItems(items: readonly Stripe.SubscriptionItem[]): void {
  if (items.length === 0)
    throw createInvalidRequest('A subscription must have at least one active item. To end it, cancel it.', 'items')
  if (items.length > 20) throw createInvalidRequest('A subscription can have up to 20 items.', 'items')
  const prices = items.map(({ price }) => price)
  const twice = prices.find(({ id }, index) => prices.findIndex((other) => other.id === id) !== index)
  // Source of the message: github.com/stripe-archive/submigrate/issues/1
  if (twice !== undefined)
    throw createInvalidRequest(`Cannot add multiple subscription items with the same plan: ${twice.id}`, 'items')
  if (new Set(prices.map(({ currency }) => currency)).size > 1)
    throw createInvalidRequest('All prices of a subscription must have the same currency.', 'items')
}

/** Creates an item with the billing cycle of its subscription, and returns the item without storing it. */
export function createItem(
  account: StripeAccount,
  subscription: Pick<Stripe.Subscription, 'billing_cycle_anchor' | 'customer' | 'id' | 'status' | 'trial_end'>,
  param: ItemParam,
  place: string,
): Stripe.SubscriptionItem {
  const price = findRecurringPrice(account, requireParam(param.price, `${place}[price]`), `${place}[price]`)
  const now = account.now()
  const { end } = findPeriod(subscription.billing_cycle_anchor, recurringOf(price), now)
  return createResource('SubscriptionItem', {
    id: account.createId('si'),
    created: now,
    // Items have had their own billing period since API version 2025-03-31.basil
    // (docs.stripe.com/changelog/basil/2025-03-31/deprecate-subscription-current-period-start-and-end).
    current_period_end: subscription.status === 'trialing' ? (subscription.trial_end ?? end) : end,
    current_period_start: now,
    discounts: applyDiscounts(account, { ...subscription, discounts: [] }, param.discounts),
    metadata: {},
    plan: toPlan(price),
    price,
    quantity: param.quantity ?? 1,
    subscription: subscription.id,
  })
}

/** Returns the billing interval of a recurring price. */
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
  const price = param.price === undefined ? item.price : findRecurringPrice(account, param.price, `${place}[price]`)
  if (price.currency !== subscription.currency)
    throw createInvalidRequest('All prices of a subscription must have the same currency.', `${place}[price]`)
  return {
    ...item,
    discounts: applyDiscounts(account, { ...subscription, discounts: item.discounts }, param.discounts),
    plan: toPlan(price),
    price,
    quantity: param.quantity ?? item.quantity ?? 1,
  }
}

/** Converts a price to the legacy plan that each item still contains (docs.stripe.com/api/plans). */
function toPlan(price: Stripe.Price): Stripe.Plan {
  const { interval, interval_count } = recurringOf(price)
  return createResource('Plan', {
    id: price.id,
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval,
    interval_count,
    product: idOf(price.product),
    usage_type: 'licensed',
  })
}
