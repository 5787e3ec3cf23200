import { addProduct, getSubscription, swapProduct, undoAddProduct } from '@storeport/rules'
import type { CustomerAccount, Shop } from '@storeport/rules'
import { expect, it } from 'vitest'
import { add, customer, given, inTurn, refusal, subscriber, swap, undo, visitor } from '../given.ts'

const rowsOf = (account: CustomerAccount) =>
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
  expect(rowsOf(swapProduct(account, swap('test_12345', 'test_54321'), shop))).toEqual([
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
  expect(refusal(() => swapProduct(added, swap('test_54321', 'test_12345'), shop))).toBe('item_not_found')
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
  expect(rowsOf(swapProduct(account, swap('test_12345', 'test_67890'), shop))).toEqual([
    ['b', 'test_67890', 5, 2000],
    ['c', 'test_54321', 4, 4995],
  ])
  expect(rowsOf(swapProduct(account, swap('test_54321', 'test_67890'), shop))).toEqual([
    ['a', 'test_12345', 2, 1995],
    ['b', 'test_67890', 7, 2000],
  ])
})

it('into its own product changes nothing at all', () => {
  const { account, shop } = subscriber()
  const added = inTurn(account, (before) => addProduct(before, add('test_12345'), shop))
  expect(swapProduct(added, swap('test_12345', 'test_12345'), shop)).toBe(added)
  expect(swapProduct(added, swap('test_12345', 'test_12345', 'TEST10'), shop)).toBe(added)
})

it('closes the open adds of the swapped item; those of the item that it joins stay open', () => {
  const { account, shop } = subscriber()
  const added = inTurn(
    account,
    (before) => addProduct(before, add('test_12345', { quantity: 3 }), shop),
    (before) => addProduct(before, add('test_67890', { quantity: 4 }), shop),
    swapping(shop, 'test_12345', 'test_67890'),
  )
  expect(rowsOf(added)).toEqual([['item_2', 'test_67890', 10, 2995]])
  expect(refusal(() => undoAddProduct(added, undo('test_12345'), shop))).toBe('product_not_in_order')
  const back = undoAddProduct(added, undo('test_67890'), shop)
  expect(rowsOf(back)).toEqual([['item_2', 'test_67890', 6, 2995]])
  expect(refusal(() => undoAddProduct(back, undo('test_67890'), shop))).toBe('product_not_in_order')
})

it.each<[string, Parameters<typeof swap>[], number]>([
  ['a percentage of the swapped line', [['test_12345', 'test_54321', 'TEST10']], 14.99],
  ['a percentage of the line that joins another', [['test_12345', 'test_67890', 'TEST10']], 10.99],
  [
    'a fixed amount once',
    [
      ['test_12345', 'test_54321', 'FIVEOFF'],
      ['test_54321', 'test_12345', 'FIVEOFF'],
    ],
    10,
  ],
])('with a code takes %s off the next order', (_, swaps, discount) => {
  const { account, shop } = subscriber()
  const after = inTurn(account, ...swaps.map((input) => swapping(shop, ...input)))
  expect(getSubscription(after, customer, shop).order_discount_total).toBe(discount)
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

it('takes items of the current subscription only', () => {
  const { account, shop } = subscriber()
  for (const id of ['item_1', 'test_54321', 'test_12345~once', 'test_99999', '~once']) {
    expect(refusal(() => swapProduct(account, swap(id, 'test_67890'), shop))).toBe('item_not_found')
  }
})

it('refuses a line that would grow too long', () => {
  const { account, shop } = subscriber({ max_quantity: 2 })
  expect(refusal(() => swapProduct(account, swap('test_12345', 'test_67890'), shop))).toBe('invalid_request')
  expect(rowsOf(swapProduct(account, swap('test_12345', 'test_54321'), shop))).toHaveLength(2)
})

it.each([
  ['item_not_found', swap('test_99999', 'nothing', 'NO')],
  ['product_not_found', swap('test_12345', 'nothing', 'NO')],
  ['product_unavailable', swap('test_12345', 'test_00000', 'NO')],
])('refuses in this order, after subscription_not_found: %s', (code, input) => {
  const none = visitor()
  expect(refusal(() => swapProduct(none.account, input, none.shop))).toBe('subscription_not_found')
  const { account, shop } = subscriber()
  expect(refusal(() => swapProduct(account, input, shop))).toBe(code)
})
