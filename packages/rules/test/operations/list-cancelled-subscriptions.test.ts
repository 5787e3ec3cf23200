import { listCancelledSubscriptions } from '@storeport/rules'
import { expect, it } from 'vitest'
import { customer, given, seeded } from '../given.ts'

it('lists the eligible ones, most recently cancelled first, with their items', () => {
  const { account, shop } = seeded('cancelled@example.com')
  expect(listCancelledSubscriptions(account, customer, shop)).toStrictEqual({
    subscriptions: [
      {
        subscription_id: 'sub_2003',
        title: 'Every month',
        products: [
          {
            id: 'test_12345',
            title: 'House Espresso, 500 g',
            price: 19.95,
            images: ['http://localhost:3000/images/test_12345.svg'],
            description: 'Dark chocolate, hazelnut and a long finish. Whole beans, roasted to order.',
            quantity: 1,
          },
        ],
      },
      {
        subscription_id: 'sub_2002',
        title: 'Every 6 weeks',
        products: [
          {
            id: 'test_67890',
            title: 'Single Origin Ethiopia, 500 g',
            price: 29.95,
            images: ['http://localhost:3000/images/test_67890.svg'],
            description: 'Jasmine, lemon and black tea. A washed coffee for filter, whole beans.',
            quantity: 2,
          },
        ],
      },
    ],
  })
})

it('sorts whatever the order of the account, and by id within a day', () => {
  const { account, shop } = given({
    subscriptions: [
      { id: 'old', cancelled_on: '2026-01-01' },
      { id: 'z', cancelled_on: '2026-02-01' },
      { id: 'new', cancelled_on: '2026-03-01' },
      { id: 'a', cancelled_on: '2026-02-01' },
    ],
  })
  const { subscriptions } = listCancelledSubscriptions(account, customer, shop)
  expect(subscriptions.map(({ subscription_id }) => subscription_id)).toEqual(['new', 'a', 'z', 'old'])
})

it.each(['test@example.com', 'subscription@example.com'])('has none of %s', (email) => {
  const { account, shop } = seeded(email)
  expect(listCancelledSubscriptions(account, customer, shop)).toEqual({ subscriptions: [] })
})
