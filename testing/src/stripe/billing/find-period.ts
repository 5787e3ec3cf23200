import type { Stripe } from 'stripe'

/** A billing period, in seconds since 1970. */
export interface Period {
  readonly start: number
  readonly end: number
}

type Recurring = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>

/**
 * Returns the billing period that contains `time`, calculated from `anchor` in UTC. With an anchor on January 31,
 * periods start on the last day of February and on March 31 (docs.stripe.com/billing/subscriptions/billing-cycle).
 */
export function findPeriod(anchor: number, recurring: Recurring, time: number): Period {
  const length = days[recurring.interval] ?? 1
  let count = Math.floor((time - anchor) / 86_400 / (length * recurring.interval_count))
  while (addIntervals(anchor, recurring, count) > time) count -= 1
  while (addIntervals(anchor, recurring, count + 1) <= time) count += 1
  return { start: addIntervals(anchor, recurring, count), end: addIntervals(anchor, recurring, count + 1) }
}

/** Approximate number of days in each interval, used for the first estimate. */
const days: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 }

/** Adds `count` intervals to a time. `count` can be negative. */
export function addIntervals(time: number, { interval, interval_count }: Recurring, count: number): number {
  const steps = interval_count * count
  if (interval === 'day') return time + steps * 86_400
  if (interval === 'week') return time + steps * 7 * 86_400
  const months = interval === 'year' ? 12 * steps : steps
  const date = new Date(time * 1000)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  const day = Math.min(date.getUTCDate(), lastDay)
  const seconds = date.getUTCHours() * 3600 + date.getUTCMinutes() * 60 + date.getUTCSeconds()
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, day) / 1000 + seconds
}
