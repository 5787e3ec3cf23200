/** Returns the number of days from one date to another; negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

/** Describes a number of days as `in 14 days` or `tomorrow`; returns `null` for more than a year. */
export function describeDistance(days: number): string | null {
  return Math.abs(days) > 365 ? null : new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(days, 'day')
}

/** Returns the locale for dates: English, like the page, in the format of the browser's region. */
export function dateLocale(browser: string = new Intl.DateTimeFormat().resolvedOptions().locale): string {
  return `en-${new Intl.Locale(browser).maximize().region ?? 'US'}`
}

const pageLocale = dateLocale()

/** Formats a date as `Thursday, March 24`, with the year if it differs from the year of `today`, or if `today` is `null`. */
export function formatDay(today: string | null, date: string, locale = pageLocale): string {
  return `${format(date, { weekday: 'long' }, locale)}, ${formatShortDay(today, date, locale)}`
}

/** Formats a date like `formatDay`, without the weekday. */
export function formatShortDay(today: string | null, date: string, locale = pageLocale): string {
  const isSameYear = today?.slice(0, 4) === date.slice(0, 4)
  return format(date, { day: 'numeric', month: 'long', ...(!isSameYear && { year: 'numeric' }) }, locale)
}

/** Formats a time of day as `2:03:22 PM`, or with the date as `Mar 24, 2026, 2:03:22 PM`. */
export function formatTime(at: number, dateStyle?: 'medium'): string {
  return new Intl.DateTimeFormat(pageLocale, { dateStyle, timeStyle: 'medium' }).format(at)
}

function format(date: string, parts: Intl.DateTimeFormatOptions, locale: string): string {
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }).format(new Date(date))
}
