import { listCancelledSubscriptions, reactivateSubscription } from '@storeport/rules'
import { expect, it } from 'vitest'
import { customer, given, codeOf, seeded, today } from '../given.ts'

const reactivate = (subscription_id: string, discount_code?: string) => ({
  ...customer,
  subscription_id,
  ...(discount_code !== undefined && { discount_code }),
})

it.each([
  ['cancelled@example.com', 'sub_3002', 'subscription_not_found'],
  ['cancelled@example.com', 'sub_2001', 'subscription_not_eligible'],
  ['another@example.com', 'sub_3001', 'subscription_not_cancelled'],
])('rejects an invalid subscription before an invalid discount code: %s, %s, %s', (email, id, code) => {
  const { account, shop } = seeded(email)
  expect(codeOf(() => reactivateSubscription(account, reactivate(id, 'NOSUCHCODE'), shop))).toBe(code)
})

it.each([
  ['2025-03-10', undefined],
  ['2025-03-09', 'subscription_not_eligible'],
  [today, undefined],
] as const)('accepts a subscription until 365 days after its cancellation: cancelled on %s', (cancelled_on, code) => {
  const { account, shop } = given({ subscriptions: [{ id: 'sub', cancelled_on }] })
  expect(codeOf(() => reactivateSubscription(account, reactivate('sub'), shop))).toBe(code)
  expect(listCancelledSubscriptions(account, customer, shop).subscriptions).toHaveLength(code === undefined ? 1 : 0)
})
