import { addDays, addMonths } from '@storeport/core'
import type { Interval } from '../profile/profile.ts'

/** The date one interval later; a calendar month ends on the last day of a shorter month. */
export function addInterval(date: string, { months = 0, weeks = 0 }: Interval): string {
  return addDays(addMonths(date, months), 7 * weeks)
}
