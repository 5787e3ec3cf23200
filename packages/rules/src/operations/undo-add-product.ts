import { StoreError, type UndoAddProductInput } from '@storeport/core'
import type { CustomerAccount, Item, OpenAdd, Order } from '../account/customer-account.ts'
import { withChanged, without } from '../account/subscriptions.ts'
import { defineRule } from './define-rule.ts'
import type { Shop } from '../shop/shop.ts'

/**
 * Takes back the most recent add of a product that is still open, wherever it went, and gives its discount code back
 * (UNDO-1, UNDO-2). Throws `product_not_in_order` when there is none.
 */
export const undoAddProduct = defineRule({
  uses: ['subscriptions', 'adds', 'discount_uses', 'orders'],
  subscriptions: ['current', 'added'],
  names: ({ product_id }) => ({ product_id }),
  apply: undo,
})

function undo(account: CustomerAccount, input: UndoAddProductInput, _shop: Shop): CustomerAccount {
  const add = account.adds.findLast((made) => made.product_id === input.product_id && isOpen(made, account))
  if (add === undefined) throw new StoreError('product_not_in_order')
  return {
    ...account,
    subscriptions: withChanged(account.subscriptions, add.subscription_id, (subscription) => ({
      ...subscription,
      items: takeOff(add, subscription.items),
    })),
    orders: withChanged(account.orders, add.order_id, (order): Order => ({ ...order, status: 'cancelled' })),
    adds: without(account.adds, ({ id }) => id === add.id),
    discount_uses: without(account.discount_uses, ({ id }) => id === add.discount_use_id),
  }
}

/** The merchant's fulfilment may have taken the order, or the line, without closing the add: then it is not open. */
function isOpen(add: OpenAdd, account: CustomerAccount): boolean {
  if (add.order_id !== null) return account.orders.some(({ id, status }) => id === add.order_id && status === 'open')
  const subscription = account.subscriptions.find(({ id }) => id === add.subscription_id)
  return subscription !== undefined && subscription.items.some((item) => holds(item, add))
}

function holds(item: Item, add: OpenAdd): boolean {
  return item.id === add.item_id && item.quantity >= add.quantity
}

function takeOff(add: OpenAdd, items: readonly Item[]): readonly Item[] {
  const left = withChanged(items, add.item_id, (item) => ({ ...item, quantity: item.quantity - add.quantity }))
  return without(left, (item) => item.quantity === 0)
}
