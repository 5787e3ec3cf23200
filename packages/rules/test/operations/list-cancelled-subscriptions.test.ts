import { listCancelledSubscriptions } from '@storeport/rules'
import { expect, it } from 'vitest'
import { customer, given } from '../given.ts'

it('sorts by cancellation date and then by id, regardless of the sequence in the account', () => {
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
