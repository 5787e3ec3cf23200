const hour = 3600
const day = 24 * hour

/**
 * Returns the instant on a day, in seconds since 1970, that is as many days as it takes after another one, or before it: at the same time
 * of day, but for the hours that clocks change between them.
 */
export function instantOn(date: string, near: number, dayOf: (seconds: number) => string): number {
  const days = (Date.parse(date) - Date.parse(dayOf(near))) / 1000 / day
  const instant = near + Math.round(days) * day
  if (dayOf(instant) < date) return instant + 2 * hour
  return dayOf(instant) > date ? instant - 2 * hour : instant
}
