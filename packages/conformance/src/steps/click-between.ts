import { addDays, type EndpointName } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import { laterOf } from './later-of.ts'
import { readSubscription } from './read.ts'

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
