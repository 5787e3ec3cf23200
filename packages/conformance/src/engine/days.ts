import { daysInMonth } from '@storeport/core'
import type { Interval } from '../profile/profile.ts'

const millisecondsOfDay = 24 * 60 * 60 * 1000

/** A formatter is dear to make, and a run asks for the date before every check. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** The date in a time zone at an instant, `YYYY-MM-DD`. */
export function dateIn(timeZone: string, instant: Date): string {
  const format = formats.get(timeZone) ?? formatOf(timeZone)
  formats.set(timeZone, format)
  const values = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return `${values.get('year')}-${values.get('month')}-${values.get('day')}`
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
}

/** The date some days later, or earlier for a negative number. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * millisecondsOfDay).toISOString().slice(0, 10)
}

/** The date one interval later; a calendar month ends on the last day of a shorter month. */
export function addInterval(date: string, interval: Interval): string {
  const months = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + (interval.months ?? 0)
  const year = Math.floor(months / 12)
  const month = (months % 12) + 1
  const day = Math.min(Number(date.slice(8, 10)), daysInMonth(year, month))
  return addDays(`${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`, 7 * (interval.weeks ?? 0))
}

/** The later one of two dates. */
export function laterOf(one: string, other: string): string {
  return one > other ? one : other
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
