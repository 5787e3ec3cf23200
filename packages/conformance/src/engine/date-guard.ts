import { addDays } from '@storeport/core'
import { CheckSkip } from './check-skip.ts'

/** How far a run may delay a subscription beyond what it was, where nothing brings the test data back, in days. */
const mostDays = 30

/** Keeps the delays of a run near the dates that the subscriptions had, since nothing but an order brings a date back. */
export interface DateGuard {
  /** Throws CheckSkip for a date that is too late for this customer. */
  allow(email: string, date: string): void
  /** Notes a date that the run has set. */
  set(email: string, date: string): void
  /** Notes a date that the shop tells; one that the run has not set is what a subscription was. */
  see(email: string, date: string): void
}

/** Makes the guard of one run. */
export function createDateGuard(): DateGuard {
  const latest = new Map<string, string>()
  const own = new Set<string>()
  const nameOf = (email: string) => email.trim().toLowerCase()
  const keyOf = (email: string, date: string) => `${nameOf(email)} ${date}`
  return {
    allow(email, date) {
      const limit = latest.get(nameOf(email))
      if (limit === undefined || date <= limit) return
      throw new CheckSkip(
        `it would delay a subscription by more than ${mostDays} days, and nothing brings the test data back (see --test-mode)`,
        false,
      )
    },
    set(email, date) {
      own.add(keyOf(email, date))
    },
    see(email, date) {
      if (own.has(keyOf(email, date))) return
      const limit = addDays(date, mostDays)
      if (limit > (latest.get(nameOf(email)) ?? '')) latest.set(nameOf(email), limit)
    },
  }
}
