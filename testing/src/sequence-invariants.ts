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

/** What must hold after every step on any store, as far as it can be seen from outside; for `after` of `runSequence`. */
export function expectInvariants(moment: StepResult, before: StepResult): void {
  expectOnlyTheirOwn(moment, before)
  const { step, today } = moment
  const day = step.call === 'passDays' ? addDays(today, step.days) : today
  for (const seen of Object.values(moment.seen)) expectPresentable(seen, day)
}

/** A refused operation changes nothing; one that succeeds changes nothing of another customer. */
function expectOnlyTheirOwn({ step, outcome, seen }: StepResult, before: StepResult): void {
  if (step.call === 'passDays') return
  for (const [email, now] of Object.entries(seen)) {
    if (outcome !== 'done' || email !== customerOf(step)) expect(now).toEqual(before.seen[email])
  }
}

/** What is seen can be sent, names its items by ids that differ, and is billed after today; the discount is never more than the items. */
function expectPresentable({ subscription, cancelled, products }: CustomerView, today: string): void {
  if (typeof cancelled === 'object') {
    expect(CancelledSubscriptionList.parse(cancelled)).toEqual(cancelled)
    for (const ended of cancelled.subscriptions) expectNoneTwice(ended.products)
  }
  if (typeof products === 'object') expect(ProductList.parse(products)).toEqual(products)
  if (typeof subscription === 'string') return
  expect(CurrentSubscription.parse(subscription)).toEqual(subscription)
  expectNoneTwice(subscription.items)
  expect(subscription.next_billing_date > today).toBe(true)
  expect(subscription.items.every(({ quantity }) => quantity <= 1000)).toBe(true)
  const items = subscription.items.reduce((sum, { price, quantity }) => sum + toMinor(price, 2) * quantity, 0)
  expect(toMinor(subscription.order_discount_total ?? 0, 2)).toBeLessThanOrEqual(items)
}

function expectNoneTwice(items: readonly SubscriptionItem[]): void {
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
}
