/** Returns the number of days from one date to another; negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

/** Formats a date as `Thursday, 24 March`, with an optional year. */
export function formatDay(date: string, withYear = false): string {
  return `${format(date, { weekday: 'long' })}, ${formatDayMonth(date, withYear)}`
}

/** Formats a date like `formatDay`, with the year if it differs from the year of `today`. */
export function formatDayFrom(today: string, date: string): string {
  return formatDay(date, !isSameYear(today, date))
}

/** Formats a date as `24 March`, with the year if it differs from the year of `today`. */
export function formatShortDay(today: string, date: string): string {
  return formatDayMonth(date, !isSameYear(today, date))
}

function formatDayMonth(date: string, withYear: boolean): string {
  return format(date, { day: 'numeric', month: 'long', ...(withYear && { year: 'numeric' }) })
}

function format(date: string, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' }).format(new Date(date))
}

function isSameYear(one: string, other: string): boolean {
  return one.slice(0, 4) === other.slice(0, 4)
}
