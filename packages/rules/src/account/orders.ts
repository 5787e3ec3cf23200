import { calculatePart, StoreError } from '@storeport/core'
import type {
  ActiveSubscription,
  CustomerAccount,
  Item,
  Order,
  OrderLine,
  OrderTotals,
  PendingCharge,
  Subscription,
} from './customer-account.ts'
import { discountOf } from './discounts.ts'
import { findProduct, type Shop } from '../shop/shop.ts'
import { type NextBilling, withChanged, without, withoutDeclined } from './subscriptions.ts'

/** Discounts, shipping cost and tax rate of an order. */
type OrderCosts = Pick<ActiveSubscription, 'order_discount_minor' | 'shipping_minor' | 'tax_rate'> &
  Pick<CustomerAccount, 'discount_uses'>

/** Calculates the totals of an order: items − discount + tax on the difference + shipping. */
export function orderTotals(
  items: readonly Pick<Item, 'id' | 'quantity' | 'price_minor'>[],
  { order_discount_minor, discount_uses, shipping_minor, tax_rate }: OrderCosts,
): OrderTotals {
  const items_minor = items.reduce((sum, item) => sum + item.quantity * item.price_minor, 0)
  const discounts = discount_uses.reduce((sum, use) => sum + discountOf(use, items), order_discount_minor)
  const discount_minor = Math.min(items_minor, discounts)
  const tax_minor = calculatePart(items_minor - discount_minor, tax_rate)
  const total_minor = items_minor - discount_minor + tax_minor + shipping_minor
  return { items_minor, discount_minor, shipping_minor, tax_minor, total_minor }
}

/** Returns the totals of a subscription's next order. */
export function nextOrderTotals(
  account: Pick<CustomerAccount, 'discount_uses'>,
  subscription: ActiveSubscription,
): OrderTotals {
  const discount_uses = account.discount_uses.filter((use) => use.subscription_id === subscription.id)
  return orderTotals(subscription.items, { discount_uses, ...subscription })
}

/** Creates an order with the status `processing` from a subscription's next order, and sets the next billing date. */
export function placeNextOrder(
  account: CustomerAccount,
  subscription: ActiveSubscription,
  next: NextBilling,
  shop: Shop,
): CustomerAccount {
  const order: Order = {
    id: shop.newId('order'),
    kind: 'subscription',
    subscription_id: subscription.id,
    status: 'processing',
    placed_on: shop.today,
    lines: subscription.items
      .filter(({ quantity }) => quantity > 0)
      .map((item) => toOrderLine(item, subscription, shop)),
    ...nextOrderTotals(account, subscription),
  }
  return addOrder(account, { order, next, sent_at: shop.now ?? null })
}

/** A subscription order that has not yet been added to the customer's account. */
type PlacedOrder = Pick<PendingCharge, 'order' | 'next' | 'sent_at'>

/**
 * Adds a subscription order to the customer's account, and sets the next billing date if the subscription is still
 * active. Removes the subscription's one-time items and open additions, and moves its discount uses to the order.
 */
export function addOrder(account: CustomerAccount, { order, next, sent_at }: PlacedOrder): CustomerAccount {
  const { subscription_id } = order
  return {
    ...account,
    subscriptions: withChanged(account.subscriptions, subscription_id, (had) => {
      const subscription = withoutDeclined(had)
      const items = without(subscription.items, (item) => item.one_time)
      return subscription.status === 'active' ? { ...subscription, items, ...next } : { ...subscription, items }
    }),
    orders: [...account.orders, order],
    adds: without(account.adds, (add) => add.subscription_id === subscription_id),
    discount_uses: account.discount_uses.map((use) =>
      use.subscription_id === subscription_id ? { ...use, subscription_id: null, items: [], order_id: order.id } : use,
    ),
    last_sent_on: order.placed_on,
    last_sent_at: sent_at,
  }
}

function toOrderLine(item: Item, subscription: ActiveSubscription, shop: Shop): OrderLine {
  const { product_id, quantity, price_minor, one_time } = item
  return { product_id, title: findProduct(item, subscription, shop).title, quantity, price_minor, one_time }
}

/** The click of a pending charge: the key of the customer's document in the ledger, and `context.idempotencyKey`. */
export type PendingClick = NonNullable<PendingCharge['click']>

/**
 * Returns the account before a change, with the new order of the change as its pending charge. Returns `undefined` if
 * the change created no subscription order.
 */
export function holdOrder(
  before: CustomerAccount,
  after: CustomerAccount,
  operation: PendingCharge['operation'],
  { now }: Shop,
  click: PendingClick | null = null,
): CustomerAccount | undefined {
  const known = new Set(before.orders.map(({ id }) => id))
  const order = after.orders.find(({ id, kind }) => kind === 'subscription' && !known.has(id))
  if (order === undefined) return undefined
  const subscription = after.subscriptions.find(({ id }) => id === order.subscription_id)
  if (subscription?.status !== 'active') throw new Error('The subscription of a new order is missing or not active.')
  const { next_billing_date, anchor_day } = subscription
  const next = { next_billing_date, anchor_day }
  const pending = { operation, order, next, sent_at: after.last_sent_at, held_at: now ?? null, click }
  return { ...before, pending_charge: pending }
}

/** Adds the order of a pending charge with its payment reference, even if the subscription is no longer active. */
export function commitCharge(account: CustomerAccount, pending: PendingCharge, payment: unknown): CustomerAccount {
  return { ...addOrder(account, { ...pending, order: { ...pending.order, payment } }), pending_charge: null }
}

/** Creates the error for a change while the charge of an order is pending. */
export function chargePending(): StoreError {
  const message = 'A charge for this subscription is pending. Retry after the time in Retry-After.'
  return new StoreError('store_unavailable', message, { retryAfter: 60 })
}

/** Removes a pending charge that was declined, and counts the decline on its subscription. */
export function declineCharge(account: CustomerAccount, { order }: PendingCharge, on: string): CustomerAccount {
  const subscriptions = withChanged(account.subscriptions, order.subscription_id, (subscription): Subscription => {
    const tries = subscription.declined?.on === on ? subscription.declined.tries + 1 : 1
    return { ...subscription, declined: { on, tries } }
  })
  return { ...account, subscriptions, pending_charge: null }
}

/** Returns the click whose order a billing job has saved. Record it with `completeClick`, so that a repeat is a replay. */
export function completedClick(before: CustomerAccount, after: CustomerAccount): PendingClick | undefined {
  if (!before.pending_charge || after.pending_charge || after.orders.length === before.orders.length) return undefined
  return before.pending_charge.click ?? undefined
}
