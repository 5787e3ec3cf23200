import { addProduct, listProducts } from '@storeport/rules'
import type { CustomerAccount, Shop } from '@storeport/rules'
import { expect, it } from 'vitest'
import { add, given, inTurn, seeded } from '../given.ts'

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

it('lists every available product with all fields if no customer is given', () => {
  const { shop } = seeded('test@example.com')
  expect(listProducts(undefined, {}, shop)).toStrictEqual({
    products: [
      {
        id: 'test_12345',
        title: 'House Espresso, 500 g',
        price: 19.95,
        images: ['http://localhost:3000/images/test_12345.svg'],
        description: 'Dark chocolate, hazelnut and a long finish. Whole beans, roasted to order.',
      },
      {
        id: 'test_67890',
        title: 'Single Origin Ethiopia, 500 g',
        price: 29.95,
        images: ['http://localhost:3000/images/test_67890.svg'],
        description: 'Jasmine, lemon and black tea. A washed coffee for filter, whole beans.',
        compare_at_price: 39.95,
      },
      {
        id: 'test_54321',
        title: 'Hand Grinder',
        price: 49.95,
        images: ['http://localhost:3000/images/test_54321.svg'],
        description: 'Steel burrs, from espresso to French press. Fits into a drawer.',
      },
    ],
  })
})

it.each([
  ['the general list, including owned products', { subscriptions: owning('test_12345') }, general],
  ['the recommendations in rank order', { recommended: ['test_54321', 'test_12345'] }, ['test_54321', 'test_12345']],
  [
    'an empty list if all recommendations are owned',
    { recommended: ['test_54321'], subscriptions: owning('test_54321') },
    [],
  ],
  ['only available recommendations', { recommended: ['test_00000', 'test_54321'] }, ['test_54321']],
  ['the general list if all recommendations are sold out', { recommended: ['test_00000'] }, general],
])('returns %s', (_, customer, ids) => {
  const { account, shop } = given(customer)
  expect(idsFor(account, shop)).toEqual(ids)
})

it('lists recommended products that the customer has only as one-time items or in another subscription', () => {
  const { account, shop } = given({
    recommended: general,
    subscriptions: [
      ...owning('test_12345'),
      { id: 'z', next_billing_date: '2026-05-01', items: [{ id: 'i', product_id: 'test_67890' }] },
    ],
  })
  const after = inTurn(account, (before) => addProduct(before, add('test_54321', { one_time: true }), shop))
  expect(idsFor(after, shop)).toEqual(['test_67890', 'test_54321'])
})
