import { addDays, type CurrentSubscription, type EndpointName } from '@storeport/core'
import { haveSameLines } from '../engine/changes.ts'
import type { CheckContext } from '../engine/check-context.ts'
import { customerOf, readSubscription } from './customers.ts'

/** What clickBetween calls. */
export const clickBetweenNeeds = ['getSubscription', 'delaySubscription'] as const satisfies readonly EndpointName[]

/** Delays the current subscription to a later date; this is never taken for the repeat of an earlier delay. */
export async function delayTo(t: CheckContext, email: string, new_date: string): Promise<void> {
  await clickBetween(t, email)
  t.accepted(await t.call('delaySubscription', { email, new_date }), 'DELAY-1')
}

/**
 * Makes another change of a customer, one without effect: the subscription is delayed to the date that it has.
 *
 * A shop may take the same call twice in a row for one click that was repeated; after another change it must not. A shop that
 * refuses this one fails the check of that change, not every check that only needs something in between.
 */
export async function clickBetween(t: CheckContext, email: string): Promise<void> {
  const { next_billing_date } = await readSubscription(t, email)
  const new_date = laterOf(next_billing_date, addDays(t.today, 1))
  await t.call('delaySubscription', { email, new_date })
}

/** The later one of two dates. */
export function laterOf(one: string, other: string): string {
  return one > other ? one : other
}

/**
 * Delays the current subscription of the customer with several, until another one is current: one with other lines, or the
 * same lines and another date.
 *
 * One with the same lines and the date that was there before may be another one too, as often as once; after that the
 * delay is without effect. Answers with the one that is current now, and the one that was, `delayed` by then.
 */
export async function passTheFirst(t: CheckContext) {
  const email = customerOf(t, 'subscribed')
  let first = await readSubscription(t, email)
  let withoutEffect = 0
  for (let steps = 0; steps < mostSteps; steps++) {
    const new_date = addDays(first.next_billing_date, daysOfStep(steps) + withoutEffect)
    await delayTo(t, email, new_date)
    const current = await readSubscription(t, email)
    const { next_billing_date } = current
    const isSeen = next_billing_date === new_date || next_billing_date === first.next_billing_date
    if (!isSeen || !haveSameLines(current, first)) {
      return { email, delayed: { ...first, next_billing_date: new_date }, current }
    }
    if (withoutEffect > 0) t.equal(next_billing_date, new_date, 'next_billing_date', 'DELAY-1')
    if (next_billing_date !== new_date) withoutEffect += 1
    first = current
  }
  return t.spent('the second subscription of the customer is too far away')
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

/** How many delays are tried: after that, more than ten years, the other subscription is too far away. */
const mostSteps = 65

/**
 * How many days a subscription is delayed at a time: less than any interval, later a tenth more each time.
 *
 * Nothing brings a date back but sending the order, so a leap far beyond the other one would make the way longer for every later run.
 */
function daysOfStep(steps: number): number {
  return Math.round(steps < 14 ? 5 : 5 * 1.1 ** (steps - 13))
}
