import { addProduct, undoAddProduct } from '@storeport/rules'
import type { CustomerAccount, Shop } from '@storeport/rules'
import { expect, it } from 'vitest'
import { add, given, inTurn, codeOf, subscriber, today, undo, visitor } from '../given.ts'

const adding =
  (shop: Shop, ...input: Parameters<typeof add>) =>
  (account: CustomerAccount) =>
    addProduct(account, add(...input), shop)

const undoing = (shop: Shop, product_id: string) => (account: CustomerAccount) =>
  undoAddProduct(account, undo(product_id), shop)

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
  const ordered = inTurn(cancelled, adding(shop, 'test_12345', { discount_code: 'TEST10' }))
  expect(ordered.adds.map(({ discount_use_id }) => discount_use_id)).toEqual([null, ordered.discount_uses[0]?.id])
  const once = inTurn(ordered, undoing(shop, 'test_12345'))
  expect(once.orders).toMatchObject([{ status: 'cancelled' }])
  expect(once.adds).toEqual(added.adds)
  expect(inTurn(once, undoing(shop, 'test_12345')).subscriptions[0]?.items).toEqual(account.subscriptions[0]?.items)
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
