import { getSubscription, listCancelledSubscriptions, reactivateSubscription } from '@storeport/rules'
import { expect, it } from 'vitest'
import { customer, given, refusal, seeded, today } from '../given.ts'

const reactivate = (subscription_id: string, discount_code?: string) => ({
  ...customer,
  subscription_id,
  ...(discount_code !== undefined && { discount_code }),
})

it('makes the subscription active again, billed tomorrow, items and quantities as they were', () => {
  const { account, shop } = seeded('cancelled@example.com')
  const after = reactivateSubscription(account, reactivate('sub_2002'), shop)
  expect(after.subscriptions[1]).toEqual({
    ...account.subscriptions[1],
    status: 'active',
    next_billing_date: '2026-03-11',
    cancelled_on: null,
  })
  expect(getSubscription(after, customer, shop).items).toEqual([
    expect.objectContaining({ id: 'test_67890', title: 'Single Origin Ethiopia, 500 g', quantity: 2, price: 29.95 }),
  ])
  expect(listCancelledSubscriptions(after, customer, shop).subscriptions.map((s) => s.subscription_id)).toEqual([
    'sub_2003',
  ])
})

it('keeps every part that it does not change', () => {
  const { account, shop } = seeded('cancelled@example.com')
  const after = reactivateSubscription(account, reactivate('sub_2002'), shop)
  expect(after.subscriptions[0]).toBe(account.subscriptions[0])
  expect(after.subscriptions[1]?.items).toBe(account.subscriptions[1]?.items)
  expect(after.discount_uses).toBe(account.discount_uses)
})

it("with a code takes a percentage of the next order's items off", () => {
  const { account, shop } = seeded('cancelled@example.com')
  const after = reactivateSubscription(account, reactivate('sub_2002', 'comeback15'), shop)
  expect(getSubscription(after, customer, shop).order_discount_total).toBe(8.99)
  expect(after.discount_uses).toMatchObject([{ code: 'COMEBACK15', subscription_id: 'sub_2002', item_id: null }])
})

it('with a fixed code takes its amount off', () => {
  const { account, shop } = seeded('cancelled@example.com')
  const after = reactivateSubscription(account, reactivate('sub_2002', 'FIVEOFF'), shop)
  expect(getSubscription(after, customer, shop).order_discount_total).toBe(5)
})

it.each([
  ['sub_1001', 'subscription_not_found'],
  ['sub_3002', 'subscription_not_found'],
  ['nothing', 'subscription_not_found'],
  ['sub_2001', 'subscription_not_eligible'],
] as const)('refuses %s with %s', (id, code) => {
  const { account, shop } = seeded('cancelled@example.com')
  expect(refusal(() => reactivateSubscription(account, reactivate(id, 'NOSUCHCODE'), shop))).toBe(code)
})

it('refuses an active subscription', () => {
  const { account, shop } = seeded('another@example.com')
  expect(refusal(() => reactivateSubscription(account, reactivate('sub_3001'), shop))).toBe(
    'subscription_not_cancelled',
  )
})

it.each(['NOSUCHCODE', 'EXPIRED5', 'USEDUP'])('refuses the code %s', (code) => {
  const { account, shop } = seeded('cancelled@example.com')
  expect(refusal(() => reactivateSubscription(account, reactivate('sub_2002', code), shop))).toBe(
    'invalid_discount_code',
  )
})

it.each([
  ['2025-03-10', undefined],
  ['2025-03-09', 'subscription_not_eligible'],
  [today, undefined],
] as const)('counts 365 days: cancelled on %s', (cancelled_on, code) => {
  const { account, shop } = given({ subscriptions: [{ id: 'sub', cancelled_on }] })
  expect(refusal(() => reactivateSubscription(account, reactivate('sub'), shop))).toBe(code)
  expect(listCancelledSubscriptions(account, customer, shop).subscriptions).toHaveLength(code === undefined ? 1 : 0)
})
