import { CurrentSubscription } from '@storeport/core'
import * as z from 'zod/mini'
import type { LogEntry } from './call-log.ts'
import { type Failure, isNothingToShow, type Outcome } from './failure.ts'
import { readOutcome } from './read-outcome.ts'

/** A customer's next billing as the page last read it: `null` where there is none, `undefined` where it was not read. */
export function nextBillingOf(log: readonly LogEntry[], email: string): string | null | undefined {
  const outcome = lastSubscription(log, email)
  if (outcome === undefined) return undefined
  if (!outcome.ok) return isNothingToShow(outcome.failure) ? null : undefined
  return z.safeParse(CurrentSubscription, outcome.data).data?.next_billing_date
}

/** Whether the shop said that it does not know a customer when the page last asked for their subscription. */
export function isUnknownCustomer(log: readonly LogEntry[], email: string): boolean {
  const outcome = lastSubscription(log, email)
  return outcome !== undefined && !outcome.ok && saysUnknown(outcome.failure)
}

function saysUnknown({ code }: Failure): boolean {
  return code === 'customer_not_found'
}

function lastSubscription(log: readonly LogEntry[], email: string): Outcome<unknown> | undefined {
  const last = log.find(({ endpoint, input, exchange }) => {
    return endpoint === 'getSubscription' && input['email'] === email && exchange !== null
  })
  return last?.exchange ? readOutcome('getSubscription', last.exchange) : undefined
}
