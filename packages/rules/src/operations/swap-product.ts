import { StoreError, type SwapProductInput } from '@storeport/core'
import type { CustomerAccount, Item } from '../account/customer-account.ts'
import { discountedUnits, openUse, requireDiscount, setUnits } from '../account/discounts.ts'
import {
  currentSubscription,
  findItem,
  limitQuantity,
  requireWireId,
  wireItemId,
  withElement,
  without,
  withoutDeclined,
} from '../account/subscriptions.ts'
import { findOrderable, requireAvailable, type Shop } from '../shop/shop.ts'
import { defineRule } from './define-rule.ts'

/**
 * Replaces the product of an item in the current subscription, without changing its position and quantity. The item
 * gets the `wireItemId` of the new product. If the subscription already has an item of that product and kind, the units
 * are added to the existing item. The id, position and price of the existing item do not change (SWAP-1, SWAP-2,
 * SWAP-5).
 *
 * Additions to the replaced item can no longer be undone. The units keep their discount codes, which apply to the new
 * price. A swap to the same product changes nothing. Throws `subscription_not_found`, `item_not_found`, `product_not_found`,
 * `product_unavailable`, `invalid_discount_code`, and `invalid_request` for a quantity above the maximum.
 */
export const swapProduct = defineRule({
  uses: ['subscriptions', 'adds', 'discount_uses'],
  subscriptions: ['current'],
  names: ({ new_product_id, discount_code }) => ({ product_id: new_product_id, discount_code }),
  apply: swap,
})

function swap(account: CustomerAccount, input: SwapProductInput, shop: Shop): CustomerAccount {
  const subscription = currentSubscription(account, shop)
  const item = subscription.items.find((present) => wireItemId(present) === input.current_item_id)
  if (item === undefined) throw new StoreError('item_not_found')
  const product = findOrderable(input.new_product_id, shop)
  const discount = requireDiscount(input.discount_code, shop, account, subscription.id)
  if (item.product_id === product.id) return account

  const present = findItem(subscription.items, product.id, item.one_time)
  requireAvailable(product, item.quantity)
  const swapped: Item = present
    ? { ...present, quantity: limitQuantity(present.quantity + item.quantity, product, shop) }
    : { ...item, product_id: product.id, price_minor: product.price_minor }
  const left = present ? without(subscription.items, ({ id }) => id === item.id) : subscription.items
  requireWireId(swapped, left)

  const target = { subscription_id: subscription.id, order_id: null }
  const { use, uses } = openUse(account.discount_uses, discount, target, shop)
  const moved = setUnits(
    uses,
    swapped.id,
    (each) => discountedUnits(each, present) + (each === use ? item.quantity : discountedUnits(each, item)),
  )
  return {
    ...account,
    subscriptions: withElement(account.subscriptions, {
      ...withoutDeclined(subscription),
      items: withElement(left, swapped),
    }),
    adds: without(account.adds, (add) => add.item_id === item.id),
    discount_uses: present ? setUnits(moved, item.id, () => 0) : moved,
  }
}
