import { dateIn, namesFor } from '@storeport/core'
import { seedProfile } from '../profile/seed-profile.ts'
import type { CheckLimit } from './check-limit.ts'
import type { Check } from './check.ts'
import { createCheckContext, type PreparedCheck } from './create-check-context.ts'
import { type CheckOptions, defaultTimeoutMs, mayGoFar, type RunOptions, waitsForShop } from './run-options.ts'

/** Makes what a check of a run works with, within the limit. */
export function prepareCheck(check: Check, options: CheckOptions, { signal }: CheckLimit): PreparedCheck {
  return createCheckContext(check, {
    send: options.send,
    apiKey: options.apiKey,
    secondApiKey: options.secondApiKey,
    names: namesFor(options.names),
    profile: options.profile ?? seedProfile,
    offered: options.offered,
    today: todayOf(options),
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    onWait: options.onWait,
    waits: waitsForShop(options),
    farDates: mayGoFar(options),
    dates: options.dates,
    changes: options.changes,
    signal,
  })
}

/** The date of the shop now, `YYYY-MM-DD`. */
export function todayOf({
  profile = seedProfile,
  now = () => new Date(),
}: Pick<RunOptions, 'profile' | 'now'>): string {
  return profile.today ?? dateAt(profile.timeZone, now())
}

/** A formatter takes long to make, and a run asks for the date before every check. */
const calendars = new Map<string, (instant: Date) => string>()

function dateAt(timeZone: string, instant: Date): string {
  const calendar = calendars.get(timeZone) ?? dateIn(timeZone)
  calendars.set(timeZone, calendar)
  return calendar(instant)
}
