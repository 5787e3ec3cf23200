import {
  addDays,
  CancelledSubscriptionList,
  CurrentSubscription,
  ProductList,
  type SubscriptionItem,
} from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { expect } from 'vitest'
import { customerOf, type CustomerView, type StepResult } from './run-sequence.ts'

/** Asserts the visible invariants of a store after a step. Pass this function to `runSequence` as `after`. */
export function expectInvariants(result: StepResult, before: StepResult): void {
  expectOthersUnchanged(result, before)
  const { step, today } = result
  const day = step.call === 'passDays' ? addDays(today, step.days) : today
  for (const view of Object.values(result.seen)) expectValidView(view, day)
}

/** Asserts that a rejected operation changes no customer, and that a successful operation changes only its customer. */
function expectOthersUnchanged({ step, outcome, seen }: StepResult, before: StepResult): void {
  if (step.call === 'passDays') return
  for (const [email, now] of Object.entries(seen)) {
    if (outcome !== 'done' || email !== customerOf(step)) expect(now).toEqual(before.seen[email])
  }
}

/** Asserts valid responses, unique item ids, a billing date that is not past, and a discount up to the items total. */
function expectValidView({ subscription, cancelled, products }: CustomerView, today: string): void {
  if (typeof cancelled === 'object') {
    expect(CancelledSubscriptionList.parse(cancelled)).toEqual(cancelled)
    for (const ended of cancelled.subscriptions) expectUniqueIds(ended.products)
  }
  if (typeof products === 'object') expect(ProductList.parse(products)).toEqual(products)
  if (typeof subscription === 'string') return
  expect(CurrentSubscription.parse(subscription)).toEqual(subscription)
  expectUniqueIds(subscription.items)
  expect(subscription.next_billing_date >= today).toBe(true)
  expect(subscription.items.every(({ quantity }) => quantity <= 1000)).toBe(true)
  const items = subscription.items.reduce((sum, { price, quantity }) => sum + toMinor(price, 2) * quantity, 0)
  expect(toMinor(subscription.order_discount_total ?? 0, 2)).toBeLessThanOrEqual(items)
}

function expectUniqueIds(items: readonly SubscriptionItem[]): void {
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
}
