import { listCancelledSubscriptions } from '@storeport/rules'
import { expect, it } from 'vitest'
import { customer, formerSubscriber, given } from '../given.ts'

it('lists eligible subscriptions with their items, most recently cancelled first', () => {
  const { account, shop } = formerSubscriber()
  expect(listCancelledSubscriptions(account, customer, shop).subscriptions).toMatchObject([
    { subscription_id: 'sub_2003', title: 'Every month', products: [{ id: 'test_12345', price: 19.95, quantity: 1 }] },
    {
      subscription_id: 'sub_2002',
      title: 'Every 6 weeks',
      products: [{ id: 'test_67890', price: 29.95, quantity: 2 }],
    },
  ])
})

it('sorts by cancellation date and then by id, regardless of the order in the account', () => {
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
