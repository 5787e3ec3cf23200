import { addDays, daysInMonth } from '@storeport/core'
import { texts } from './texts.ts'

/** Days from one date to another, negative backwards. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from)
}

/** A date as a person says it: `Thursday, 24 March`; with the year where asked. */
export function sayDay(date: string, withYear = false): string {
  const { year, month, day } = partsOf(date)
  const { months, weekdays } = texts.calendar
  const said = `${weekdays[weekdayOf(date)]}, ${day} ${months[month - 1]}`
  return withYear ? `${said} ${year}` : said
}

/** As `sayDay` says it, with the year where it is not today's. */
export function sayDayFrom(today: string, date: string): string {
  return sayDay(date, !isSameYear(today, date))
}

/** Short form for tight places, with the year where it is not today's: `24 March`. */
export function sayDayShort(today: string, date: string): string {
  const { year, month, day } = partsOf(date)
  const said = `${day} ${texts.calendar.months[month - 1]}`
  return isSameYear(today, date) ? said : `${said} ${year}`
}

/** `March 2026`. */
export function sayMonth(date: string): string {
  const { year, month } = partsOf(date)
  return `${texts.calendar.months[month - 1]} ${year}`
}

/** Day of the month. */
export function dayOfMonth(date: string): number {
  return partsOf(date).day
}

/** First day of the month of a date. */
export function firstOfMonth(date: string): string {
  return `${date.slice(0, 7)}-01`
}

/** The weeks of a date's month, Monday first; `null` where a day belongs to another month. */
export function weeksOf(date: string): (string | null)[][] {
  const { year, month } = partsOf(date)
  const first = firstOfMonth(date)
  const before = Array.from({ length: weekdayOf(first) }, () => null)
  const days = Array.from({ length: daysInMonth(year, month) }, (_, index) => addDays(first, index))
  const cells = [...before, ...days]
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_unused, weekday) => cells[week * 7 + weekday] ?? null),
  )
}

function isSameYear(one: string, other: string): boolean {
  return one.slice(0, 4) === other.slice(0, 4)
}

/** 0 for Monday. */
export function weekdayOf(date: string): number {
  // Day 0 of the count, 0000-03-01, is a Wednesday.
  return (dayNumber(date) + 2) % 7
}

/** Days since 0000-03-01 of the Gregorian calendar; years begin in March, so that the leap day is the last. */
function dayNumber(date: string): number {
  const { year, month, day } = partsOf(date)
  const marchYear = month > 2 ? year : year - 1
  const marchMonth = (month + 9) % 12
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return 365 * marchYear + leapDays + Math.floor((153 * marchMonth + 2) / 5) + day - 1
}

function partsOf(date: string): { year: number; month: number; day: number } {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) }
}
