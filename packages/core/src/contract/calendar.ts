/** Whether a string in the form `YYYY-MM-DD` is a valid Gregorian date. */
export function isCalendarDate(date: string): boolean {
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  const day = Number(date.slice(8, 10))
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

/** Returns the number of days in a month of the Gregorian calendar. January is month 1. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Whether a value is a string that contains a valid date in the form `YYYY-MM-DD`. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isCalendarDate(value)
}

/** Adds days to a date in the form `YYYY-MM-DD`. A negative number subtracts days. */
export function addDays(date: string, days: number): string {
  let { year, month, day } = partsOf(date)
  day += days
  while (day > daysInMonth(year, month)) {
    day -= daysInMonth(year, month)
    if (month === 12) [year, month] = [year + 1, 1]
    else month += 1
  }
  while (day < 1) {
    if (month === 1) [year, month] = [year - 1, 12]
    else month -= 1
    day += daysInMonth(year, month)
  }
  return format(year, month, day)
}

/** Adds months to a date. If the day does not exist in the target month, returns the last day of that month. */
export function addMonths(date: string, months: number): string {
  const { year, month, day } = partsOf(date)
  const index = year * 12 + (month - 1) + months
  const laterYear = Math.floor(index / 12)
  const laterMonth = (index % 12) + 1
  return format(laterYear, laterMonth, Math.min(day, daysInMonth(laterYear, laterMonth)))
}

/**
 * Creates a function that converts a `Date` to a `YYYY-MM-DD` date in a time zone. Throws RangeError for an invalid
 * time zone.
 */
export function dateIn(timeZone: string): (instant: Date) => string {
  const wallCalendar = new Intl.DateTimeFormat('en-US', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  return (instant) => {
    const parts = wallCalendar.formatToParts(instant)
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((found) => found.type === type)?.value)
    return format(part('year'), part('month'), part('day'))
  }
}

function partsOf(date: string): { year: number; month: number; day: number } {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) }
}

function format(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
