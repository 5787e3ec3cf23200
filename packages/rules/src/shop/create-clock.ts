import { dateIn, isDate } from '@storeport/core'

/** How a store tells its date. */
export interface ClockOptions {
  /** The store's date `YYYY-MM-DD`, fixed or asked for at every call; default the real one in `timeZone`. */
  readonly today?: string | (() => string) | undefined
  /** Where the store's day begins, as an IANA name; default `UTC`. */
  readonly timeZone?: string | undefined
  /** The time in milliseconds since 1970, which the date follows unless `today` names it; default `Date.now`, and none beside `today`. */
  readonly now?: (() => number) | undefined
}

/** Returns a function that tells a store's date, at a time of the database's clock if it has one; throws for a date or a time zone that does not exist. */
export function createClock({ today, timeZone = 'UTC', now = Date.now }: ClockOptions): (at?: number) => string {
  if (typeof today === 'function') return () => today()
  if (today === undefined) {
    const dateOf = dateIn(timeZone)
    return (at = now()) => dateOf(new Date(at))
  }
  if (!isDate(today)) throw new Error('today: must be a date YYYY-MM-DD that exists')
  return () => today
}
