import type { CustomerAccount, Order } from '@storeport/rules'
import { expect } from 'vitest'

/** Asserts that an account is consistent after an operation. */
export function expectSoundAccount(account: CustomerAccount): void {
  const items = account.subscriptions.flatMap((subscription) => subscription.items)
  expectUniqueIds(items)
  expectUniqueIds(account.adds)
  expectUniqueIds(account.orders)
  expectUniqueIds(account.discount_uses)

  for (const item of items) {
    const added = account.adds.filter(({ item_id }) => item_id === item.id)
    expect(item.quantity).toBeGreaterThanOrEqual(
      Math.max(
        1,
        added.reduce((sum, { quantity }) => sum + quantity, 0),
      ),
    )
    expect(item.quantity).toBeLessThanOrEqual(1000)
    expect(added.every(({ product_id }) => product_id === item.product_id)).toBe(true)
  }
  for (const subscription of account.subscriptions) {
    const kinds = subscription.items.map(({ product_id, one_time }) => `${product_id} ${one_time}`)
    expect(new Set(kinds).size).toBe(kinds.length)
  }
  for (const add of account.adds) {
    const line = items.some(({ id }) => id === add.item_id)
    const order = account.orders.some(({ id, status }) => id === add.order_id && status === 'open')
    expect([line, order]).toContain(true)
    expect(line).not.toBe(order)
    if (add.discount_use_id !== null) {
      const use = account.discount_uses.find(({ id }) => id === add.discount_use_id)
      expect(use).toMatchObject({ subscription_id: add.subscription_id, order_id: add.order_id })
      const units = use?.items.find(({ item_id }) => item_id === add.item_id)?.quantity ?? 0
      if (line) expect(units).toBeGreaterThanOrEqual(add.quantity)
    }
  }
  expectSoundUses(account)
  for (const order of account.orders) expectOrderTotals(order)
}

/** Asserts that each order has a code at most once, and that each use for a next order refers to units of the order. */
function expectSoundUses({ subscriptions, discount_uses }: CustomerAccount): void {
  const orders = discount_uses.map((use) => `${use.code} ${use.subscription_id} ${use.order_id}`)
  expect(new Set(orders).size).toBe(orders.length)
  for (const use of discount_uses) expect((use.subscription_id === null) !== (use.order_id === null)).toBe(true)
  for (const { subscription_id, items } of discount_uses.filter(({ order_id }) => order_id === null)) {
    const present = subscriptions.find(({ id }) => id === subscription_id)?.items ?? []
    expect(items.length).toBeGreaterThan(0)
    expect(new Set(items.map(({ item_id }) => item_id)).size).toBe(items.length)
    for (const { item_id, quantity } of items) {
      expect(quantity).toBeGreaterThanOrEqual(1)
      expect(quantity).toBeLessThanOrEqual(present.find(({ id }) => id === item_id)?.quantity ?? 0)
    }
  }
}

/** Asserts the totals of an order, in minor units. */
function expectOrderTotals(order: Order): void {
  const lines = order.lines.reduce((sum, { quantity, price_minor }) => sum + quantity * price_minor, 0)
  expect(order.lines.length).toBeGreaterThan(0)
  expect(order.items_minor).toBe(lines)
  expect(order.discount_minor).toBeLessThanOrEqual(lines)
  expect(order.total_minor).toBe(lines - order.discount_minor + order.tax_minor + order.shipping_minor)
  for (const amount of Object.values(order).filter((value) => typeof value === 'number')) {
    expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true)
  }
}

function expectUniqueIds(elements: readonly { readonly id: string }[]): void {
  expect(new Set(elements.map(({ id }) => id)).size).toBe(elements.length)
}
