import { StoreError, type UndoAddProductInput } from '@storeport/core'
import type { CustomerAccount, DiscountUse, Item, OpenAdd, Order } from '../account/customer-account.ts'
import { discountedUnits, setUnits } from '../account/discounts.ts'
import { withChanged, without } from '../account/subscriptions.ts'
import { defineRule } from './define-rule.ts'
import type { Shop } from '../shop/shop.ts'

/**
 * Undoes the most recent open addition of a product, with the discount of its units. Releases a code that applies to no
 * other units of the order (UNDO-1, UNDO-2). Throws `product_not_in_order` if there is nothing to undo.
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
    discount_uses: releaseUnits(add, account),
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

function releaseUnits(add: OpenAdd, { discount_uses, subscriptions }: CustomerAccount): readonly DiscountUse[] {
  if (add.item_id === null) return without(discount_uses, ({ order_id }) => order_id === add.order_id)
  const item = subscriptions.find(({ id }) => id === add.subscription_id)?.items.find(({ id }) => id === add.item_id)
  const left = (item?.quantity ?? 0) - add.quantity
  const uses = setUnits(discount_uses, add.item_id, (use) =>
    Math.min(left, discountedUnits(use, item) - (use.id === add.discount_use_id ? add.quantity : 0)),
  )
  return without(uses, ({ order_id, items }) => order_id === null && items.length === 0)
}
