import { StoreError, type UndoAddProductInput } from '@storeport/core'
import type { CustomerAccount, Item, OpenAdd, Order } from '../account/customer-account.ts'
import { withChanged, without } from '../account/subscriptions.ts'
import { defineRule } from './define-rule.ts'
import type { Shop } from '../shop/shop.ts'

/**
 * Undoes the most recent open addition of a product, and releases its discount code (UNDO-1, UNDO-2). Throws
 * `product_not_in_order` if there is nothing to undo.
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
      items: removeUnits(add, subscription.items),
    })),
    orders: withChanged(account.orders, add.order_id, (order): Order => ({ ...order, status: 'cancelled' })),
    adds: without(account.adds, ({ id }) => id === add.id),
    discount_uses: without(account.discount_uses, ({ id }) => id === add.discount_use_id),
  }
}

/**
 * Returns whether an addition can be undone: its order is still open, or its item still contains at least the added
 * units.
 */
function isOpen(add: OpenAdd, account: CustomerAccount): boolean {
  if (add.order_id !== null) return account.orders.some(({ id, status }) => id === add.order_id && status === 'open')
  const subscription = account.subscriptions.find(({ id }) => id === add.subscription_id)
  return (
    subscription !== undefined &&
    subscription.status !== 'paused' &&
    subscription.items.some((item) => holds(item, add))
  )
}

function holds(item: Item, add: OpenAdd): boolean {
  return item.id === add.item_id && item.quantity >= add.quantity
}

function removeUnits(add: OpenAdd, items: readonly Item[]): readonly Item[] {
  const left = withChanged(items, add.item_id, (item) => ({ ...item, quantity: item.quantity - add.quantity }))
  return without(left, (item) => item.quantity === 0)
}
