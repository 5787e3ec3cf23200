import { addProduct, getSubscription, swapProduct, undoAddProduct } from '@storeport/rules'
import type { CustomerAccount, Shop } from '@storeport/rules'
import { expect, it } from 'vitest'
import { add, customer, given, inTurn, refusal, seeded, swap } from '../given.ts'

const subscriber = (changes: Partial<Shop> = {}) => seeded('subscription@example.com', changes)
const undo = (product_id: string) => ({ ...customer, product_id })
const itemsOf = (account: CustomerAccount) =>
  account.subscriptions[0]?.items.map(({ id, product_id, quantity, price_minor }) => [
    id,
    product_id,
    quantity,
    price_minor,
  ])

const swapping =
  (shop: Shop, ...input: Parameters<typeof swap>) =>
  (account: CustomerAccount) =>
    swapProduct(account, swap(...input), shop)

it('turns the item into the new product at its price; row, quantity and place stay', () => {
  const { account, shop } = subscriber()
  expect(itemsOf(swapProduct(account, swap('test_12345', 'test_54321'), shop))).toEqual([
    ['item_1', 'test_54321', 2, 4995],
    ['item_2', 'test_67890', 1, 2995],
  ])
})

it('keeps a one-time line one-time', () => {
  const { account, shop } = subscriber()
  const added = inTurn(account, (before) => addProduct(before, add('test_54321', { one_time: true }), shop))
  const line = added.subscriptions[0]?.items[2]?.id ?? ''
  const after = swapProduct(added, swap('test_54321~once', 'test_12345'), shop)
  expect(after.subscriptions[0]?.items[2]).toMatchObject({ id: line, product_id: 'test_12345', one_time: true })
  expect(after.subscriptions[0]?.items[0]).toBe(account.subscriptions[0]?.items[0])
})

it('joins an item of that product and kind, under its id, place and price', () => {
  const { account, shop } = given({
    subscriptions: [
      {
        id: 'sub',
        next_billing_date: '2026-04-01',
        items: [
          { id: 'a', product_id: 'test_12345', quantity: 2 },
          { id: 'b', product_id: 'test_67890', quantity: 3, price: 20 },
          { id: 'c', product_id: 'test_54321', quantity: 4 },
        ],
      },
    ],
  })
  expect(itemsOf(swapProduct(account, swap('test_12345', 'test_67890'), shop))).toEqual([
    ['b', 'test_67890', 5, 2000],
    ['c', 'test_54321', 4, 4995],
  ])
  expect(itemsOf(swapProduct(account, swap('test_54321', 'test_67890'), shop))).toEqual([
    ['a', 'test_12345', 2, 1995],
    ['b', 'test_67890', 7, 2000],
  ])
})

it('into its own product changes nothing at all, although a bad code is still refused', () => {
  const { account, shop } = subscriber()
  const added = inTurn(account, (before) => addProduct(before, add('test_12345'), shop))
  expect(swapProduct(added, swap('test_12345', 'test_12345'), shop)).toBe(added)
  expect(swapProduct(added, swap('test_12345', 'test_12345', 'TEST10'), shop)).toBe(added)
  expect(refusal(() => swapProduct(added, swap('test_12345', 'test_12345', 'EXPIRED5'), shop))).toBe(
    'invalid_discount_code',
  )
})

it('closes the open adds of the swapped item; those of the item that it joins stay open', () => {
  const { account, shop } = subscriber()
  const added = inTurn(
    account,
    (before) => addProduct(before, add('test_12345', { quantity: 3 }), shop),
    (before) => addProduct(before, add('test_67890', { quantity: 4 }), shop),
    swapping(shop, 'test_12345', 'test_67890'),
  )
  expect(itemsOf(added)).toEqual([['item_2', 'test_67890', 10, 2995]])
  expect(refusal(() => undoAddProduct(added, undo('test_12345'), shop))).toBe('product_not_in_order')
  const back = undoAddProduct(added, undo('test_67890'), shop)
  expect(itemsOf(back)).toEqual([['item_2', 'test_67890', 6, 2995]])
  expect(refusal(() => undoAddProduct(back, undo('test_67890'), shop))).toBe('product_not_in_order')
})

it('with a code takes a percentage of the swapped line off the next order', () => {
  const { account, shop } = subscriber()
  const after = swapProduct(account, swap('test_12345', 'test_54321', 'TEST10'), shop)
  expect(getSubscription(after, customer, shop).order_discount_total).toBe(14.99)
  const joined = swapProduct(account, swap('test_12345', 'test_67890', 'TEST10'), shop)
  expect(getSubscription(joined, customer, shop).order_discount_total).toBe(10.99)
})

it('with a fixed code takes its amount off once', () => {
  const { account, shop } = subscriber()
  const after = inTurn(
    account,
    swapping(shop, 'test_12345', 'test_54321', 'FIVEOFF'),
    swapping(shop, 'test_54321', 'test_12345', 'FIVEOFF'),
  )
  expect(getSubscription(after, customer, shop).order_discount_total).toBe(10)
})

it('back and forth with a percentage never takes it off more than once', () => {
  const { account, shop } = subscriber()
  const there = inTurn(account, swapping(shop, 'test_67890', 'test_54321', 'TEST20'))
  const back = inTurn(there, swapping(shop, 'test_54321', 'test_67890', 'TEST20'))
  const again = inTurn(back, swapping(shop, 'test_67890', 'test_54321', 'TEST20'))
  expect(getSubscription(there, customer, shop).order_discount_total).toBe(14.99)
  expect(getSubscription(back, customer, shop).order_discount_total).toBe(10.99)
  expect(getSubscription(again, customer, shop).order_discount_total).toBe(14.99)
})

it('takes the percentages of an item away with it, of its adds too, and no others', () => {
  const { account, shop } = subscriber()
  const added = inTurn(
    account,
    (before) => addProduct(before, add('test_12345', { discount_code: 'TEST10' }), shop),
    (before) => addProduct(before, add('test_12345', { discount_code: 'FIVEOFF' }), shop),
    (before) => addProduct(before, add('test_67890', { discount_code: 'TEST20' }), shop),
    swapping(shop, 'test_12345', 'test_54321'),
  )
  expect(added.discount_uses.map(({ code }) => code)).toEqual(['FIVEOFF', 'TEST20'])
})

it('takes the percentage of a swap away too, also when the item had joined another', () => {
  const { account, shop } = subscriber()
  const joined = inTurn(account, swapping(shop, 'test_12345', 'test_67890', 'TEST10'))
  expect(joined.discount_uses).toMatchObject([{ code: 'TEST10', item_id: 'item_2' }])
  expect(inTurn(joined, swapping(shop, 'test_67890', 'test_54321')).discount_uses).toEqual([])
})

it.each(['NOSUCHCODE', 'EXPIRED5', 'USEDUP'])('refuses the code %s', (code) => {
  const { account, shop } = subscriber()
  expect(refusal(() => swapProduct(account, swap('test_12345', 'test_54321', code), shop))).toBe(
    'invalid_discount_code',
  )
})

it('takes items of the current subscription only', () => {
  const { account, shop } = subscriber()
  for (const id of ['item_1', 'test_54321', 'test_12345~once', 'test_99999', '~once']) {
    expect(refusal(() => swapProduct(account, swap(id, 'test_67890'), shop))).toBe('item_not_found')
  }
})

it('refuses a line that would grow too long', () => {
  const { account, shop } = subscriber({ max_quantity: 2 })
  expect(refusal(() => swapProduct(account, swap('test_12345', 'test_67890'), shop))).toBe('invalid_request')
  expect(itemsOf(swapProduct(account, swap('test_12345', 'test_54321'), shop))).toHaveLength(2)
})

it('refuses in this order: subscription, item, product, availability, code', () => {
  const none = seeded('test@example.com')
  expect(refusal(() => swapProduct(none.account, swap('test_12345', 'nothing', 'NO'), none.shop))).toBe(
    'subscription_not_found',
  )
  const { account, shop } = subscriber()
  expect(refusal(() => swapProduct(account, swap('test_99999', 'nothing', 'NO'), shop))).toBe('item_not_found')
  expect(refusal(() => swapProduct(account, swap('test_12345', 'nothing', 'NO'), shop))).toBe('product_not_found')
  expect(refusal(() => swapProduct(account, swap('test_12345', 'test_00000', 'NO'), shop))).toBe('product_unavailable')
})

it('keeps every part that it does not change', () => {
  const { account, shop } = subscriber()
  const after = swapProduct(account, swap('test_12345', 'test_54321'), shop)
  expect(after.subscriptions[1]).toBe(account.subscriptions[1])
  expect(after.subscriptions[0]?.items[1]).toBe(account.subscriptions[0]?.items[1])
  expect(after.adds).toBe(account.adds)
  expect(after.discount_uses).toBe(account.discount_uses)
})
