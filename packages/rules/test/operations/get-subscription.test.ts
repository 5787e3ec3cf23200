import { getSubscription } from '@storeport/rules'
import { expect, it } from 'vitest'
import { customer, given, productWith, subscriber } from '../given.ts'

it("returns the customer's price and the product's description", () => {
  const { account, shop } = given(
    {
      subscriptions: [
        { id: 'sub', next_billing_date: '2026-04-01', items: [{ id: 'i', product_id: 'test_12345', price: 3.1 }] },
      ],
    },
    {
      product: () => productWith({ id: 'test_12345', title: 'Tea', price_minor: 450, description: 'Green.' }),
    },
  )
  expect(getSubscription(account, customer, shop).items).toStrictEqual([
    { id: 'test_12345', title: 'Tea', price: 3.1, images: [], quantity: 1, description: 'Green.' },
  ])
})

it('returns the active subscription with the earliest date, or with the lowest id if the dates are equal', () => {
  const subscription = (id: string, next_billing_date: string) => ({
    id,
    next_billing_date,
    items: [{ id: `item of ${id}`, product_id: 'test_12345', quantity: id === 'a' ? 1 : 2 }],
  })
  const currentOf = (...subscriptions: ReturnType<typeof subscription>[]) => {
    const { account, shop } = given({ subscriptions })
    return getSubscription(account, customer, shop).items[0]?.quantity === 1 ? 'a' : 'b'
  }
  expect(currentOf(subscription('a', '2026-05-01'), subscription('b', '2026-04-30'))).toBe('b')
  expect(currentOf(subscription('a', '2026-04-30'), subscription('b', '2026-05-01'))).toBe('a')
  expect(currentOf(subscription('b', '2026-05-01'), subscription('a', '2026-05-01'))).toBe('a')
  expect(currentOf(subscription('a', '2026-05-01'), subscription('b', '2026-05-01'))).toBe('a')
})

it('throws for an item whose product is missing', () => {
  const { account, shop } = subscriber({ product: () => undefined })
  expect(() => getSubscription(account, customer, shop)).toThrow('not in the catalog')
})
