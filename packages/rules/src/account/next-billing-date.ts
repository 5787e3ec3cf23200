import { addDays, addMonths } from '@storeport/core'
import type { Interval } from './customer-account.ts'

/** The date one interval after a date; a calendar month ends on the last day of a shorter month. */
export function nextBillingDate(date: string, { unit, count }: Interval): string {
  if (unit === 'month') return addMonths(date, count)
  return addDays(date, unit === 'week' ? count * 7 : count)
}
