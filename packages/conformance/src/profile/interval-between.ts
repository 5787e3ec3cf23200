import { addDays, addMonths } from '@storeport/core'
import type { Interval } from './profile.ts'

/** Longer intervals than two years are not looked for. */
const mostMonths = 24
const mostWeeks = 104

/** The interval between two dates, `YYYY-MM-DD`; `undefined` where none fits, or weeks and months do. */
export function intervalBetween(from: string, to: string): Interval | undefined {
  const months = upTo(mostMonths).find((count) => addMonths(from, count) === to)
  const weeks = upTo(mostWeeks).find((count) => addDays(from, 7 * count) === to)
  if (months !== undefined && weeks !== undefined) return undefined
  if (months !== undefined) return { months }
  return weeks === undefined ? undefined : { weeks }
}

function upTo(most: number): readonly number[] {
  return Array.from({ length: most }, (_, index) => index + 1)
}
