import { type CustomerInput, StoreError } from '@storeport/core'
import type { CustomerAccount, Item, Order, OrderLine } from '../account/customer-account.ts'
import { withElement, without } from '../account/lists.ts'
import { nextBillingDate } from '../account/next-billing-date.ts'
import { nextOrderTotals } from '../account/order-totals.ts'
import { findProduct } from '../shop/products.ts'
import type { Shop } from '../shop/shop.ts'
import { currentSubscription } from '../account/soonest.ts'

/**
 * Turns the next order of the current subscription into an order that is being processed; the one-time lines, the
 * discount codes and the open adds of that subscription are used up with it (SEND-1, SEND-2).
 *
 * Throws `subscription_not_found`, `order_already_processing` for the second time on one day, whichever subscription
 * has become current since, and `order_not_processable` when there is nothing to send.
 */
export function sendNow(account: CustomerAccount, _input: CustomerInput, shop: Shop): CustomerAccount {
  const subscription = currentSubscription(account)
  if (account.last_sent_on === shop.today) throw new StoreError('order_already_processing')
  if (subscription.items.length === 0) throw new StoreError('order_not_processable')
  const order: Order = {
    id: shop.newId('order'),
    kind: 'subscription',
    subscription_id: subscription.id,
    status: 'processing',
    placed_on: shop.today,
    lines: subscription.items.map((item) => toOrderLine(item, shop)),
    ...nextOrderTotals(account, subscription),
  }
  const billed = {
    ...subscription,
    items: without(subscription.items, (item) => item.one_time),
    next_billing_date: nextBillingDate(shop.today, subscription.interval),
  }
  return {
    ...account,
    subscriptions: withElement(account.subscriptions, billed),
    orders: [...account.orders, order],
    adds: without(account.adds, (add) => add.subscription_id === subscription.id),
    discount_uses: account.discount_uses.map((use) =>
      use.subscription_id === subscription.id
        ? { ...use, subscription_id: null, item_id: null, order_id: order.id }
        : use,
    ),
    last_sent_on: shop.today,
  }
}

function toOrderLine(item: Item, shop: Shop): OrderLine {
  const { product_id, quantity, price_minor, one_time } = item
  return { product_id, title: findProduct(item, shop).title, quantity, price_minor, one_time }
}
