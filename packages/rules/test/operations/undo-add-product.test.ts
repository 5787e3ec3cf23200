import { addProduct, getSubscription, swapProduct, undoAddProduct } from '@storeport/rules'
import type { CustomerAccount, Shop } from '@storeport/rules'
import { expect, it } from 'vitest'
import { add, customer, given, inTurn, itemsOf, codeOf, subscriber, swap, today, undo, visitor } from '../given.ts'

const adding =
  (shop: Shop, ...input: Parameters<typeof add>) =>
  (account: CustomerAccount) =>
    addProduct(account, add(...input), shop)

const undoing = (shop: Shop, product_id: string) => (account: CustomerAccount) =>
  undoAddProduct(account, undo(product_id), shop)

it.each([
  ['the item that the addition created', 'test_54321', {}],
  ['only the quantity that the addition added', 'test_12345', { quantity: 7 }],
])('removes %s', (_, product_id, more) => {
  const { account, shop } = subscriber()
  expect(inTurn(account, adding(shop, product_id, more), undoing(shop, product_id))).toEqual(account)
})

it("undoes a product's additions, most recent first", () => {
  const { account, shop } = subscriber()
  const first = inTurn(account, adding(shop, 'test_12345', { quantity: 5 }))
  const second = inTurn(first, adding(shop, 'test_12345', { quantity: 1, one_time: true, discount_code: 'TEST10' }))
  const third = inTurn(second, adding(shop, 'test_67890', { quantity: 9 }))
  const back = inTurn(third, undoing(shop, 'test_12345'))
  expect(itemsOf(back)).toEqual([
    ['test_12345', 7],
    ['test_67890', 10],
  ])
  expect(back.discount_uses).toEqual([])
  expect(inTurn(back, undoing(shop, 'test_67890'), undoing(shop, 'test_12345'))).toEqual(account)
})

it('removes only the discount of the undone addition', () => {
  const { account, shop } = subscriber()
  const one = inTurn(account, adding(shop, 'test_12345', { discount_code: 'FIVEOFF' }))
  const two = inTurn(one, adding(shop, 'test_12345', { discount_code: 'FIVEOFF' }))
  expect(getSubscription(inTurn(two, undoing(shop, 'test_12345')), customer, shop).order_discount_total).toBe(10)
  expect(inTurn(two, undoing(shop, 'test_12345'))).toEqual(one)
})

it('cancels a one-off order', () => {
  const { account, shop } = visitor()
  const after = inTurn(account, adding(shop, 'test_12345', { discount_code: 'TEST10' }), undoing(shop, 'test_12345'))
  expect(after.orders).toMatchObject([{ status: 'cancelled' }])
  expect({ ...after, orders: [] }).toEqual(account)
})

it('does not change a one-off order whose fulfillment has started', () => {
  const { account, shop } = visitor()
  const older = inTurn(account, adding(shop, 'test_12345', { quantity: 2 }))
  const added = inTurn(older, adding(shop, 'test_12345', { quantity: 3 }))
  const taken = (count: number): CustomerAccount => ({
    ...added,
    orders: added.orders.map((order, at) =>
      at >= added.orders.length - count ? { ...order, status: 'shipped' } : order,
    ),
  })
  expect(inTurn(taken(1), undoing(shop, 'test_12345')).orders.map(({ status }) => status)).toEqual([
    'cancelled',
    'shipped',
  ])
  expect(codeOf(() => undoAddProduct(taken(2), undo('test_12345'), shop))).toBe('product_not_in_order')
})

it('undoes an addition to a subscription that is no longer current', () => {
  const { account, shop } = subscriber()
  const added = inTurn(account, adding(shop, 'test_54321', { quantity: 2 }))
  const later: CustomerAccount = {
    ...added,
    subscriptions: added.subscriptions.map((subscription) =>
      subscription.id === 'sub_1001' && subscription.status === 'active'
        ? { ...subscription, next_billing_date: '2026-12-24' }
        : subscription,
    ),
  }
  const back = inTurn(later, undoing(shop, 'test_54321'))
  expect(back.subscriptions[0]?.items).toEqual(account.subscriptions[0]?.items)
  expect(back.subscriptions[1]).toBe(account.subscriptions[1])
})

it('undoes a one-off order, and then an earlier addition to a cancelled subscription', () => {
  const { account, shop } = given({
    subscriptions: [{ id: 'sub', next_billing_date: today, items: [{ id: 'mine', product_id: 'test_12345' }] }],
  })
  const added = inTurn(account, adding(shop, 'test_12345'))
  const cancelled: CustomerAccount = {
    ...added,
    subscriptions: added.subscriptions.map((subscription) => ({
      ...subscription,
      status: 'cancelled',
      next_billing_date: null,
      cancelled_on: today,
    })),
  }
  const ordered = inTurn(cancelled, adding(shop, 'test_12345'))
  const once = inTurn(ordered, undoing(shop, 'test_12345'))
  expect(once.orders).toMatchObject([{ status: 'cancelled' }])
  expect(inTurn(once, undoing(shop, 'test_12345')).subscriptions[0]?.items).toEqual(account.subscriptions[0]?.items)
})

it('rejects an undo after the item was swapped, even if the item was swapped back', () => {
  const { account, shop } = subscriber()
  const swapped = inTurn(account, adding(shop, 'test_12345'), (before) =>
    swapProduct(before, swap('test_12345', 'test_54321'), shop),
  )
  expect(codeOf(() => undoAddProduct(swapped, undo('test_12345'), shop))).toBe('product_not_in_order')
  expect(codeOf(() => undoAddProduct(swapped, undo('test_54321'), shop))).toBe('product_not_in_order')
  const back = swapProduct(swapped, swap('test_54321', 'test_12345'), shop)
  expect(codeOf(() => undoAddProduct(back, undo('test_12345'), shop))).toBe('product_not_in_order')
})

it('rejects an undo if the item was removed or has a smaller quantity than the addition', () => {
  const { account, shop } = subscriber()
  const added = inTurn(account, adding(shop, 'test_12345', { quantity: 3 }))
  const withItems = (
    change: (items: CustomerAccount['subscriptions'][0]['items']) => typeof items,
  ): CustomerAccount => ({
    ...added,
    subscriptions: added.subscriptions.map((subscription) => ({ ...subscription, items: change(subscription.items) })),
  })
  const shorter = withItems((items) => items.map((item) => ({ ...item, quantity: 1 })))
  const gone = withItems(() => [])
  expect(codeOf(() => undoAddProduct(shorter, undo('test_12345'), shop))).toBe('product_not_in_order')
  expect(codeOf(() => undoAddProduct(gone, undo('test_12345'), shop))).toBe('product_not_in_order')
})
