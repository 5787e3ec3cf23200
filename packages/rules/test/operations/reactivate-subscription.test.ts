import { getSubscription, listCancelledSubscriptions, reactivateSubscription } from '@storeport/rules'
import { expect, it } from 'vitest'
import { customer, formerSubscriber, given, codeOf, seeded, today } from '../given.ts'

const reactivate = (subscription_id: string, discount_code?: string) => ({
  ...customer,
  subscription_id,
  ...(discount_code !== undefined && { discount_code }),
})

it.each([
  ["a percentage of the next order's items", 'COMEBACK15', 8.99],
  ['a fixed amount', 'FIVEOFF', 5],
])('subtracts %s for a discount code', (_, code, discount) => {
  const { account, shop } = formerSubscriber()
  const after = reactivateSubscription(account, reactivate('sub_2002', code), shop)
  expect(getSubscription(after, customer, shop).order_discount_total).toBe(discount)
  expect(after.discount_uses).toMatchObject([{ code, subscription_id: 'sub_2002', item_id: null }])
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
