import { swapProduct } from '@storeport/rules'
import type { CustomerAccount } from '@storeport/rules'
import { expect, it } from 'vitest'
import { given, codeOf, subscriber, swap, visitor } from '../given.ts'

const rowsOf = (account: CustomerAccount) =>
  account.subscriptions[0]?.items.map(({ id, product_id, quantity, price_minor }) => [
    id,
    product_id,
    quantity,
    price_minor,
  ])

it('merges units into an existing item of the new product without changing its id, position or price', () => {
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

it.each([
  ['item_not_found', swap('test_99999', 'nothing', 'NO')],
  ['product_not_found', swap('test_12345', 'nothing', 'NO')],
  ['product_unavailable', swap('test_12345', 'test_00000', 'NO')],
])('throws %s before errors of lower priority, and subscription_not_found without a subscription', (code, input) => {
  const none = visitor()
  expect(codeOf(() => swapProduct(none.account, input, none.shop))).toBe('subscription_not_found')
  const { account, shop } = subscriber()
  expect(codeOf(() => swapProduct(account, input, shop))).toBe(code)
})
