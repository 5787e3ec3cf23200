import type { Stripe } from 'stripe'
import { findRecurringPrice } from '../resources/handle-products.ts'
import { changeMetadata, createResource, findResource, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, createMissing, requireParam } from '../stripe-failure.ts'
import { applyDiscounts } from './apply-discounts.ts'
import { findPeriod } from './find-period.ts'

/** An entry in the parameter `items`. */
type ItemParam = Stripe.SubscriptionUpdateParams.Item

/**
 * Adds, changes and deletes items. Omitted items remain (docs.stripe.com/billing/subscriptions/upgrade-downgrade).
 * Throws for invalid items; see `checkItems`.
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
    const after = item === undefined ? createItem(account, before, param, place) : item
    if (param.deleted === true) items.delete(after.id)
    else items.set(after.id, item === undefined ? after : setItem(account, before, item, param, place))
  }
  const data = [...items.values()]
  checkItems(data, before.currency)
  return data
}

/** Throws unless there are 1 to 20 items in one currency, and each price occurs at most once. */
export function checkItems(items: readonly Stripe.SubscriptionItem[], currency?: string): void {
  if (items.length === 0)
    throw createInvalidRequest('A subscription must have at least one active item. To end it, cancel it.', 'items')
  if (items.length > 20) throw createInvalidRequest('A subscription can have up to 20 items.', 'items')
  const prices = items.map(({ price }) => price)
  const twice = prices.find(({ id }, index) => prices.findIndex((other) => other.id === id) !== index)
  // Source of the message: github.com/stripe-archive/submigrate/issues/1
  if (twice !== undefined)
    throw createInvalidRequest(`Cannot add multiple subscription items with the same plan: ${twice.id}`, 'items')
  if (prices.some((price) => price.currency !== (currency ?? prices[0]?.currency)))
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
  const item = createResource<Stripe.SubscriptionItem>({
    object: 'subscription_item',
    id: account.createId('si'),
    billing_thresholds: null,
    created: now,
    // Items have had their own billing period since API version 2025-03-31.basil.
    // See docs.stripe.com/changelog/basil/2025-03-31/deprecate-subscription-current-period-start-and-end.
    current_period_end: subscription.status === 'trialing' ? (subscription.trial_end ?? end) : end,
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    price,
    quantity: 1,
    subscription: subscription.id,
    tax_rates: null,
  })
  return setItem(account, subscription, item, param, place)
}

/** Returns the billing interval of a recurring price. */
export function recurringOf(price: Stripe.Price): Stripe.Price.Recurring {
  if (price.recurring === null) throw new Error(`${price.id} is not recurring`)
  return price.recurring
}

function setItem(
  account: StripeAccount,
  subscription: Pick<Stripe.Subscription, 'customer' | 'id'>,
  item: Stripe.SubscriptionItem,
  param: ItemParam,
  place: string,
): Stripe.SubscriptionItem {
  const price = param.price === undefined ? item.price : findRecurringPrice(account, param.price, `${place}[price]`)
  return {
    ...item,
    discounts: applyDiscounts(account, { ...subscription, discounts: item.discounts }, param.discounts),
    metadata: changeMetadata(item.metadata, param.metadata),
    price,
    quantity: param.quantity ?? item.quantity ?? 1,
    tax_rates: param.tax_rates ? findTaxRates(account, param.tax_rates) : item.tax_rates,
  }
}

/** Returns tax rates by id. The stand-in does not calculate taxes. */
export function findTaxRates(account: StripeAccount, ids: readonly string[]): Stripe.TaxRate[] {
  return ids.map((id) => findResource(account.tax_rates, 'tax rate', id, 'tax_rates'))
}
