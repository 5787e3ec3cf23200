import { addDays, addMonths, type EndpointName, namesFor } from '@storeport/core'
import { parseProfile } from '../profile/parse-profile.ts'
import type { Interval, Profile } from '../profile/profile.ts'
import { createReport } from '../report/create-report.ts'
import type { Report } from '../report/report.ts'
import { type ChangeLog, createChangeLog } from '../engine/changes.ts'
import { todayOf } from '../engine/prepare-check.ts'
import type { RunEvent } from '../run/run-checks.ts'
import { offeredBy } from '../run/discover.ts'
import type { CheckOptions, RunOptions } from '../engine/options.ts'
import { hasSeed, learnProfile, type Told } from './learn-profile.ts'
import { seedProfile } from '../profile/seed-profile.ts'
import { selectChecks } from '../run/run-checks.ts'
import { sendByHttp } from '../http/send-by-http.ts'
import { type AllResults, runAll } from './run-all.ts'
import type { CheckSettings } from './settings.ts'
import { kit } from './version.ts'
import { type Send, sendThat } from '../http/plain-http.ts'

/** A profile and what it is called. */
export interface NamedProfile {
  /** The profile. */
  readonly profile: Profile
  /** Where it comes from. */
  readonly name: string
}

const seed: NamedProfile = { profile: seedProfile, name: 'that of the reference host' }

/** A report and the profile that the shop was checked with. */
interface CheckedShop {
  /** What was found. */
  readonly report: Report
  /** The profile; `undefined` where the run ended before it was known. */
  readonly profile: Profile | undefined
}

/** Checks a shop; never rejects: what keeps it from being checked is the problem of the report. */
export async function checkShop(
  settings: CheckSettings,
  given: NamedProfile | undefined,
  show: (event: RunEvent) => void,
  interrupt: AbortSignal,
): Promise<CheckedShop> {
  const started = new Date()
  const stop = new AbortController()
  const onWait = (seconds: number) => show({ type: 'wait', seconds })
  const stopWith = (reason: string) => stop.abort(reason)
  const seconds = settings.totalTimeoutMs / 1000
  const timer = setTimeout(() => stopWith(`the time for the whole run, ${seconds} s, was up`), settings.totalTimeoutMs)
  const interrupted = () => stopWith('it was interrupted')
  interrupt.addEventListener('abort', interrupted)

  let offered: readonly EndpointName[] = []
  let used = given ?? seed
  let isLearned = false
  let found: AllResults = { results: [], problem: undefined }
  try {
    const options = { ...optionsOf(settings), profile: used.profile, signal: stop.signal }
    offered = await offeredBy({ ...options, onWait })
    used = await profileOf(settings.told, given, { ...options, offered, onWait })
    isLearned = true
    const changes = createChangeLog()
    found = await runAll({ ...options, profile: used.profile, offered, changes }, show)
    used = { ...used, profile: withInterval(used.profile, changes) }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'something that is no error was thrown'
    found = { results: [], problem: stop.signal.aborted ? String(stop.signal.reason) : message }
  } finally {
    clearTimeout(timer)
    interrupt.removeEventListener('abort', interrupted)
  }
  const report = createReport({
    kit,
    baseUrl: settings.url,
    basePath: namesFor(settings.names).basePath,
    startedAt: started.toISOString(),
    durationMs: Date.now() - started.getTime(),
    mode: settings.mode,
    only: settings.only,
    strict: settings.strict,
    profile: used.name,
    offered,
    ...found,
  })
  return { report, profile: isLearned ? used.profile : undefined }
}

/** The profile that was given, completed by the shop; without one, that of the seed where the shop has it. */
async function profileOf(told: Told, given: NamedProfile | undefined, options: CheckOptions): Promise<NamedProfile> {
  const { codes, ...others } = told
  const isTold = codes.length > 0 || Object.values(others).some((value) => value !== undefined)
  if (!isTold && given !== undefined) return given
  if (!isTold && (await hasSeed(options))) return seed
  const profile = await learnProfile(told, given?.profile ?? parseProfile({}), options)
  if (given !== undefined) return { profile, name: `${given.name}, and what the options say` }
  return {
    profile,
    name: isTold ? 'read from the shop' : 'no customers, since the shop has not those of the reference host',
  }
}

/** How often the neighbour is billed shows after an order; the next run can hold the shop to it. */
function withInterval(profile: Profile, changes: ChangeLog): Profile {
  const { interval, customers } = profile
  const date = customers.neighbour === undefined ? undefined : changes.billedAfterOrder(customers.neighbour)
  return interval !== undefined || date === undefined
    ? profile
    : { ...profile, interval: intervalBetween(todayOf({ profile }), date) }
}

function optionsOf(settings: CheckSettings): RunOptions {
  const { url, apiKey, secondApiKey, names, mode, only, skip, timeoutMs, testMode } = settings
  return {
    send: testMode ? sendInTestMode(sendByHttp(url), namesFor(names).testModeHeader) : sendByHttp(url),
    disposable: testMode,
    skips: {
      ...(testMode && Object.fromEntries(ofTestMode.map((id) => [id, 'every call of this run is in test mode']))),
      ...Object.fromEntries(skip.map((id) => [id, 'left out by --skip'])),
    },
    apiKey,
    secondApiKey,
    names,
    mode,
    only: only.length === 0 ? undefined : only,
    timeoutMs,
    checkTimeoutMs: Math.max(120_000, 12 * timeoutMs),
  }
}

/** The checks that tell test mode from none. */
const ofTestMode = selectChecks({ mode: 'stress', only: ['testMode'] }).map(({ id }) => id)

/** Asks for the test store with every request. */
function sendInTestMode(send: Send, header: string): Send {
  return sendThat(
    send.cannot ?? [],
    (request) => send({ ...request, headers: [...request.headers, [header, 'true']] }),
    send.host,
  )
}

/** Longer intervals than two years are not looked for. */
const mostMonths = 24
const mostWeeks = 104

/** The interval between two dates, `YYYY-MM-DD`; `undefined` where none fits, or weeks and months do. */
export function intervalBetween(from: string, to: string): Interval | undefined {
  const months = upTo(mostMonths).find((count) => addMonths(from, count) === to)
  const weeks = upTo(mostWeeks).find((count) => addDays(from, 7 * count) === to)
  if (months !== undefined && weeks !== undefined) return undefined
  if (months !== undefined) return { months }
  return weeks === undefined ? undefined : { weeks }
}

function upTo(most: number): readonly number[] {
  return Array.from({ length: most }, (_, index) => index + 1)
}
