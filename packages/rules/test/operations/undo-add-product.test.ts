import { addProduct, getSubscription, sendNow, swapProduct, undoAddProduct } from '@storeport/rules'
import type { CustomerAccount, Shop } from '@storeport/rules'
import { expect, it } from 'vitest'
import { add, customer, given, inTurn, refusal, seeded, swap, today } from '../given.ts'

const undo = (product_id: string) => ({ ...customer, product_id })
const subscriber = () => seeded('subscription@example.com')

const adding =
  (shop: Shop, ...input: Parameters<typeof add>) =>
  (account: CustomerAccount) =>
    addProduct(account, add(...input), shop)

const undoing = (shop: Shop, product_id: string) => (account: CustomerAccount) =>
  undoAddProduct(account, undo(product_id), shop)

it('takes the line away that the add made', () => {
  const { account, shop } = subscriber()
  expect(inTurn(account, adding(shop, 'test_54321'), undoing(shop, 'test_54321'))).toEqual(account)
})

it('takes the quantity back that the add brought, nothing the customer already had', () => {
  const { account, shop } = subscriber()
  expect(inTurn(account, adding(shop, 'test_12345', { quantity: 7 }), undoing(shop, 'test_12345'))).toEqual(account)
})

it('takes back the most recent add of that product, then the one before', () => {
  const { account, shop } = subscriber()
  const first = inTurn(account, adding(shop, 'test_12345', { quantity: 5 }))
  const second = inTurn(first, adding(shop, 'test_12345', { quantity: 1, one_time: true, discount_code: 'TEST10' }))
  const third = inTurn(second, adding(shop, 'test_67890', { quantity: 9 }))
  const back = inTurn(third, undoing(shop, 'test_12345'))
  expect(back.subscriptions[0]?.items.map(({ product_id, quantity }) => [product_id, quantity])).toEqual([
    ['test_12345', 7],
    ['test_67890', 10],
  ])
  expect(back.discount_uses).toEqual([])
  expect(inTurn(back, undoing(shop, 'test_67890'), undoing(shop, 'test_12345'))).toEqual(account)
})

it('drops the use of the code that came with the add, and no other', () => {
  const { account, shop } = subscriber()
  const one = inTurn(account, adding(shop, 'test_12345', { discount_code: 'FIVEOFF' }))
  const two = inTurn(one, adding(shop, 'test_12345', { discount_code: 'FIVEOFF' }))
  expect(getSubscription(inTurn(two, undoing(shop, 'test_12345')), customer, shop).order_discount_total).toBe(10)
  expect(inTurn(two, undoing(shop, 'test_12345'))).toEqual(one)
})

it('cancels a one-off order', () => {
  const { account, shop } = seeded('test@example.com')
  const after = inTurn(account, adding(shop, 'test_12345', { discount_code: 'TEST10' }), undoing(shop, 'test_12345'))
  expect(after.orders).toMatchObject([{ status: 'cancelled' }])
  expect({ ...after, orders: [] }).toEqual(account)
})

it('does not touch a one-off order that fulfilment has taken', () => {
  const { account, shop } = seeded('test@example.com')
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
  expect(refusal(() => undoAddProduct(taken(2), undo('test_12345'), shop))).toBe('product_not_in_order')
})

it('follows the add when another subscription has become current since', () => {
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

it('follows an add to a subscription that was cancelled since, and to the one-off order before', () => {
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

it('refuses when nothing of that product was added', () => {
  const { account, shop } = subscriber()
  expect(refusal(() => undoAddProduct(account, undo('test_12345'), shop))).toBe('product_not_in_order')
  const other = inTurn(account, adding(shop, 'test_54321'))
  expect(refusal(() => undoAddProduct(other, undo('test_12345'), shop))).toBe('product_not_in_order')
  expect(refusal(() => undoAddProduct(other, undo('no such product'), shop))).toBe('product_not_in_order')
})

it('refuses when the add was taken back already', () => {
  const { account, shop } = subscriber()
  const back = inTurn(account, adding(shop, 'test_54321'), undoing(shop, 'test_54321'))
  expect(refusal(() => undoAddProduct(back, undo('test_54321'), shop))).toBe('product_not_in_order')
})

it.each([true, false])('refuses when the add was shipped (one_time %s)', (one_time) => {
  const { account, shop } = subscriber()
  const sent = inTurn(account, adding(shop, 'test_12345', { one_time }), (before) => sendNow(before, customer, shop))
  expect(refusal(() => undoAddProduct(sent, undo('test_12345'), shop))).toBe('product_not_in_order')
})

it('refuses when the add was swapped away, also after it was swapped back', () => {
  const { account, shop } = subscriber()
  const swapped = inTurn(account, adding(shop, 'test_12345'), (before) =>
    swapProduct(before, swap('test_12345', 'test_54321'), shop),
  )
  expect(refusal(() => undoAddProduct(swapped, undo('test_12345'), shop))).toBe('product_not_in_order')
  expect(refusal(() => undoAddProduct(swapped, undo('test_54321'), shop))).toBe('product_not_in_order')
  const back = swapProduct(swapped, swap('test_54321', 'test_12345'), shop)
  expect(refusal(() => undoAddProduct(back, undo('test_12345'), shop))).toBe('product_not_in_order')
})

it('refuses when somebody else made the line shorter than the add, or took it', () => {
  const { account, shop } = subscriber()
  const added = inTurn(account, adding(shop, 'test_12345', { quantity: 3 }))
  const itemsOf = (change: (items: CustomerAccount['subscriptions'][0]['items']) => typeof items): CustomerAccount => ({
    ...added,
    subscriptions: added.subscriptions.map((subscription) => ({ ...subscription, items: change(subscription.items) })),
  })
  const shorter = itemsOf((items) => items.map((item) => ({ ...item, quantity: 1 })))
  const gone = itemsOf(() => [])
  expect(refusal(() => undoAddProduct(shorter, undo('test_12345'), shop))).toBe('product_not_in_order')
  expect(refusal(() => undoAddProduct(gone, undo('test_12345'), shop))).toBe('product_not_in_order')
})

it('keeps every part that it does not change', () => {
  const { account, shop } = subscriber()
  const added = inTurn(account, adding(shop, 'test_12345'))
  const back = inTurn(added, undoing(shop, 'test_12345'))
  expect(back.subscriptions[1]).toBe(account.subscriptions[1])
  expect(back.subscriptions[0]?.items[1]).toBe(account.subscriptions[0]?.items[1])
  expect(back.orders).toBe(account.orders)
  expect(back.discount_uses).toBe(account.discount_uses)
})
