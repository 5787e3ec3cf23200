import { findProduct } from '../shop/products.ts'
import type { Shop } from '../shop/shop.ts'
import type { ActiveSubscription, CustomerAccount, Item, Order, OrderLine } from './customer-account.ts'
import { withElement, without } from './lists.ts'
import { nextOrderTotals } from './order-totals.ts'

/**
 * Turns the next order of a subscription into an order that is being processed, and sets the date of the one after it;
 * the one-time lines, the discount codes and the open adds of the subscription are used up with it.
 */
export function placeNextOrder(
  account: CustomerAccount,
  subscription: ActiveSubscription,
  next_billing_date: string,
  shop: Shop,
): CustomerAccount {
  const order: Order = {
    id: shop.newId('order'),
    kind: 'subscription',
    subscription_id: subscription.id,
    status: 'processing',
    placed_on: shop.today,
    lines: subscription.items.map((item) => toOrderLine(item, shop)),
    ...nextOrderTotals(account, subscription),
  }
  const billed = { ...subscription, items: without(subscription.items, (item) => item.one_time), next_billing_date }
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
    last_sent_at: shop.now ?? null,
  }
}

function toOrderLine(item: Item, shop: Shop): OrderLine {
  const { product_id, quantity, price_minor, one_time } = item
  return { product_id, title: findProduct(item, shop).title, quantity, price_minor, one_time }
}
