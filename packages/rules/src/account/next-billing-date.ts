import { addDays, addMonths } from '@storeport/core'
import type { Interval } from './customer-account.ts'

/**
 * The date one interval after a date; a calendar month ends on the last day of a shorter month.
 *
 * Throws a RangeError where there is no later date: an interval of nothing, or the end of the year 9999.
 */
export function nextBillingDate(date: string, { unit, count }: Interval): string {
  const next = unit === 'month' ? addMonths(date, count) : addDays(date, unit === 'week' ? count * 7 : count)
  // As texts the year 10000 comes before 9999: a loop that moves a date into the future would never end.
  if (next <= date) throw new RangeError('The next billing date must be later, and before the year 10000.')
  return next
}
