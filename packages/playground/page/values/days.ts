/** Days from one date to another, negative backwards. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

/** A date as a person says it: `Thursday, 24 March`; with the year where asked. */
export function sayDay(date: string, withYear = false): string {
  return `${say(date, { weekday: 'long' })}, ${sayWithin(date, withYear)}`
}

/** As `sayDay` says it, with the year where it is not today's. */
export function sayDayFrom(today: string, date: string): string {
  return sayDay(date, !isSameYear(today, date))
}

/** Short form for tight places, with the year where it is not today's: `24 March`. */
export function sayDayShort(today: string, date: string): string {
  return sayWithin(date, !isSameYear(today, date))
}

function sayWithin(date: string, withYear: boolean): string {
  return say(date, { day: 'numeric', month: 'long', ...(withYear && { year: 'numeric' }) })
}

function say(date: string, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' }).format(new Date(date))
}

function isSameYear(one: string, other: string): boolean {
  return one.slice(0, 4) === other.slice(0, 4)
}
