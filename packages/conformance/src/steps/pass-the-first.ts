import { addDays, type CurrentSubscription } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import { delayTo } from './click-between.ts'
import { customerOf } from './customer-of.ts'
import { haveSameLines } from './line-content.ts'
import { readSubscription } from './read.ts'

/** A customer with two subscriptions, the second one being current now. */
export interface TwoSubscriptions {
  /** The customer. */
  readonly email: string
  /** The subscription that was current; it now comes second, by a few days. */
  readonly delayed: CurrentSubscription
  /** The subscription that is current now. */
  readonly current: CurrentSubscription
}

/** Delays the current subscription of the customer with several, until another one is current: one with other lines, or another date. */
export async function passTheFirst(t: CheckContext): Promise<TwoSubscriptions> {
  const email = customerOf(t, 'subscribed')
  let first = await readSubscription(t, email)
  for (let steps = 0; steps < mostSteps; steps++) {
    const delayed = await delayUntil(t, email, first, addDays(first.next_billing_date, daysOfStep(steps)))
    const current = await readSubscription(t, email)
    if (!haveSameLines(current, first)) return { email, delayed, current }
    if (current.next_billing_date !== delayed.next_billing_date) return passTheTwin(t, email, delayed, current)
    first = current
  }
  return t.spent('the second subscription of the customer is too far away')
}

/**
 * Delays what has the same lines as the subscription that was delayed before, and another date: either it is another
 * subscription, beyond which the delayed one is current again and has its date, or a delay does not do what it should.
 */
async function passTheTwin(
  t: CheckContext,
  email: string,
  first: CurrentSubscription,
  twin: CurrentSubscription,
): Promise<TwoSubscriptions> {
  const delayed = await delayUntil(t, email, twin, addDays(first.next_billing_date, 1))
  const current = await readSubscription(t, email)
  t.equal(current.next_billing_date, first.next_billing_date, 'next_billing_date', undefined, 'DELAY-1')
  return { email, delayed, current }
}

/** Brings the subscription with these lines, or with those others, back to the front, by delaying what comes before it. */
export async function bringBack(
  t: CheckContext,
  email: string,
  ...wanted: readonly CurrentSubscription[]
): Promise<CurrentSubscription> {
  for (let steps = 0; steps < mostSteps; steps++) {
    const current = await readSubscription(t, email)
    if (wanted.some((one) => haveSameLines(one, current))) return current
    await delayTo(t, email, addDays(current.next_billing_date, daysOfStep(steps)))
  }
  return t.spent('the subscription is too far away')
}

async function delayUntil(
  t: CheckContext,
  email: string,
  subscription: CurrentSubscription,
  next_billing_date: string,
): Promise<CurrentSubscription> {
  await delayTo(t, email, next_billing_date)
  return { ...subscription, next_billing_date }
}

/** After so many delays the other subscription is taken to be too far away: by then that is more than ten years. */
const mostSteps = 65

/**
 * How many days a subscription is delayed at a time: less than any interval, later a tenth more each time.
 *
 * Nothing brings a date back but sending the order, so a leap far beyond the other one would make the way longer for every later run.
 */
function daysOfStep(steps: number): number {
  return Math.round(steps < 14 ? 5 : 5 * 1.1 ** (steps - 13))
}
