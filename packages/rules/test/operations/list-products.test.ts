import { listProducts } from '@storeport/rules'
import type { CustomerAccount, Shop } from '@storeport/rules'
import { expect, it } from 'vitest'
import { given } from '../given.ts'

const idsFor = (account: CustomerAccount | undefined, shop: Shop) =>
  listProducts(account, {}, shop).products.map(({ id }) => id)

const general = ['test_12345', 'test_67890', 'test_54321']
const owning = (...product_ids: string[]) => [
  {
    id: 'sub',
    next_billing_date: '2026-04-01',
    items: product_ids.map((product_id) => ({ id: `item of ${product_id}`, product_id })),
  },
]
const other = { id: 'i', product_id: 'test_67890' }

it.each([
  ['the general list, including owned products', { subscriptions: owning('test_12345') }, general],
  ['the recommendations in rank order', { recommended: ['test_54321', 'test_12345'] }, ['test_54321', 'test_12345']],
  [
    'an empty list if all recommendations are owned',
    { recommended: ['test_54321'], subscriptions: owning('test_54321') },
    [],
  ],
  [
    'recommendations that are only in another subscription',
    {
      recommended: general,
      subscriptions: [...owning('test_12345'), { id: 'z', next_billing_date: '2026-05-01', items: [other] }],
    },
    ['test_67890', 'test_54321'],
  ],
  ['only available recommendations', { recommended: ['test_00000', 'test_54321'] }, ['test_54321']],
  ['the general list if all recommendations are sold out', { recommended: ['test_00000'] }, general],
])('returns %s', (_, customer, ids) => {
  const { account, shop } = given(customer)
  expect(idsFor(account, shop)).toEqual(ids)
})
