import { dateIn, isDate } from '@storeport/core'

/** How a store tells its date. */
export interface ClockOptions {
  /** The store's date `YYYY-MM-DD`, fixed or asked for at every call; default the real one in `timeZone`. */
  readonly today?: string | (() => string) | undefined
  /** Where the store's day begins, as an IANA name; default `UTC`. */
  readonly timeZone?: string | undefined
}

/** Returns a function that tells a store's date, which every operation takes; throws for a date or a time zone that does not exist. */
export function createClock({ today, timeZone = 'UTC' }: ClockOptions): () => string {
  if (typeof today === 'function') return today
  if (today === undefined) {
    const dateOf = dateIn(timeZone)
    return () => dateOf(new Date())
  }
  if (!isDate(today)) throw new Error('today: must be a date YYYY-MM-DD that exists')
  return () => today
}
