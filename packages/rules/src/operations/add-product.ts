import { type AddProductInput, StoreError } from '@storeport/core'
import type { ActiveSubscription, CustomerAccount, Item, OpenAdd, Order } from '../account/customer-account.ts'
import { discountedUnits, openUse, requireDiscount, setUnits } from '../account/discounts.ts'
import { findItem, limitQuantity, requireWireId, soonest, withElement } from '../account/subscriptions.ts'
import { orderTotals } from '../account/orders.ts'
import { type CatalogueProduct, findOrderable, type Shop } from '../shop/shop.ts'
import { defineRule } from './define-rule.ts'

/**
 * Adds a product to the current subscription, permanently or only for the next order. Without an active subscription,
 * creates a one-off order (ADD-1 to ADD-7).
 *
 * Throws `product_not_found`, `product_unavailable`, `subscription_not_found`, `invalid_discount_code`, and
 * `invalid_request` for a quantity above the maximum.
 */
export const addProduct = defineRule({
  uses: ['subscriptions', 'discount_uses'],
  subscriptions: ['current'],
  names: ({ product_id, discount_code }) => ({ product_id, discount_code }),
  apply: addToAccount,
})

function addToAccount(account: CustomerAccount, input: AddProductInput, shop: Shop): CustomerAccount {
  const product = findOrderable(input.product_id, shop)
  const subscription = soonest(account.subscriptions, shop.today)
  if (subscription !== undefined) return addToSubscription(account, subscription, product, input, shop)
  if (input.one_time)
    throw new StoreError('subscription_not_found', 'one_time: the customer has no active subscription')
  return addAsOrder(account, product, input, shop)
}

/** Increases the quantity of the product's item without changing its price, or creates an item. */
function addToSubscription(
  account: CustomerAccount,
  subscription: ActiveSubscription,
  product: CatalogueProduct,
  { quantity, one_time, discount_code }: AddProductInput,
  shop: Shop,
): CustomerAccount {
  const discount = requireDiscount(discount_code, shop, account, subscription.id)
  const present = findItem(subscription.items, product.id, one_time)
  const total = limitQuantity((present?.quantity ?? 0) + quantity, product, shop)
  const item: Item = present ? { ...present, quantity: total } : createItem(product, total, one_time, shop)
  requireWireId(item, subscription.items)

  const target = { subscription_id: subscription.id, order_id: null }
  const { use, uses } = openUse(account.discount_uses, discount, target, shop)
  const add: OpenAdd = {
    id: shop.newId('add'),
    product_id: product.id,
    quantity,
    ...target,
    item_id: item.id,
    discount_use_id: use?.id ?? null,
  }
  const changed = { ...subscription, items: withElement(subscription.items, item) }
  return {
    ...account,
    subscriptions: withElement(account.subscriptions, changed),
    adds: [...account.adds, add],
    discount_uses: setUnits(uses, item.id, (each) => discountedUnits(each, present) + (each === use ? quantity : 0)),
  }
}

function createItem(product: CatalogueProduct, quantity: number, one_time: boolean, shop: Shop): Item {
  return { id: shop.newId('item'), product_id: product.id, quantity, price_minor: product.price_minor, one_time }
}

/**
 * Creates a one-off order, which is open until its fulfillment starts. Shipping and tax are 0, because both are
 * unknown.
 */
function addAsOrder(
  account: CustomerAccount,
  product: CatalogueProduct,
  { quantity, discount_code }: AddProductInput,
  shop: Shop,
): CustomerAccount {
  const discount = requireDiscount(discount_code, shop, account, null)
  const { id: product_id, title, price_minor } = product
  const line = { product_id, title, quantity: limitQuantity(quantity, product, shop), price_minor, one_time: true }
  const target = { subscription_id: null, order_id: shop.newId('order') }
  const { use, uses } = openUse([], discount, target, shop)
  const discount_uses = setUnits(uses, target.order_id, () => quantity)
  const order: Order = {
    id: target.order_id,
    kind: 'one_off',
    subscription_id: null,
    status: 'open',
    placed_on: shop.today,
    lines: [line],
    ...orderTotals([{ id: target.order_id, ...line }], {
      order_discount_minor: 0,
      discount_uses,
      shipping_minor: 0,
      tax_rate: 0,
    }),
  }
  const add: OpenAdd = {
    id: shop.newId('add'),
    product_id,
    quantity,
    ...target,
    item_id: null,
    discount_use_id: use?.id ?? null,
  }
  return {
    ...account,
    orders: [...account.orders, order],
    adds: [...account.adds, add],
    discount_uses: [...account.discount_uses, ...discount_uses],
  }
}
