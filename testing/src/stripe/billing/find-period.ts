import type { Stripe } from 'stripe'

/** A billing period, in seconds since 1970. */
export interface Period {
  readonly start: number
  readonly end: number
}

/** The billing interval of a price. */
export type Recurring = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>

/**
 * Returns the billing period that contains a time, counted from the anchor in UTC. An anchor of January 31 bills on the
 * last day of a shorter month, and on March 31 again (docs.stripe.com/billing/subscriptions/billing-cycle).
 */
export function findPeriod(anchor: number, recurring: Recurring, time: number): Period {
  const length = days[recurring.interval] ?? 1
  let count = Math.floor((time - anchor) / 86_400 / (length * recurring.interval_count))
  while (addIntervals(anchor, recurring, count) > time) count -= 1
  while (addIntervals(anchor, recurring, count + 1) <= time) count += 1
  return { start: addIntervals(anchor, recurring, count), end: addIntervals(anchor, recurring, count + 1) }
}

/** Approximate days of each interval, used to start the search. */
const days: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 }

/** Adds a number of intervals to a time, or subtracts them if the number is negative. */
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
