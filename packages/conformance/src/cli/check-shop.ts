import { setTimeout as pause } from 'node:timers/promises'
import { addDays, addMonths, type EndpointName, namesFor } from '@storeport/core'
import { type ChangeLog, createChangeLog } from '../engine/changes.ts'
import { type CheckOptions, defaultTimeoutMs, type RunOptions } from '../engine/options.ts'
import { todayOf } from '../engine/prepare-check.ts'
import { type Send, sendThat } from '../http/plain-http.ts'
import { sendByHttp } from '../http/send.ts'
import { explain, reasonOf, withinTime } from '../http/unreachable.ts'
import { type Interval, parseProfile, type Profile } from '../profile/profile.ts'
import { seedProfile } from '../profile/seed-profile.ts'
import { createReport, plural, type ReportInput } from '../report/create-report.ts'
import { offeredBy } from '../run/discover.ts'
import type { CheckResult } from '../run/run-check.ts'
import { leftChanged, type RunEvent, runChecks, selectChecks } from '../run/run-checks.ts'
import { hasSeed, learnProfile, type Told } from './learn-profile.ts'
import type { CheckSettings } from './settings.ts'
import manifest from '../../package.json' with { type: 'json' }

/** A profile and what it is called. */
export interface NamedProfile {
  readonly profile: Profile
  readonly name: string
}

const seed: NamedProfile = { profile: seedProfile, name: 'that of the reference host' }

/** Checks a shop; never rejects: what keeps it from being checked is the problem of the report. The profile is the one it was checked with, if that was known. */
export async function checkShop(
  settings: CheckSettings,
  given: NamedProfile | undefined,
  show: (event: RunEvent) => void,
  interrupt: AbortSignal,
) {
  const started = new Date()
  const stop = new AbortController()
  const onWait = (seconds: number) => show({ type: 'wait', seconds })
  const timeUp = `the time for the whole run, ${settings.totalTimeoutMs / 1000} s, was up`
  const timer = setTimeout(() => stop.abort(timeUp), settings.totalTimeoutMs)
  const interrupted = () => stop.abort('it was interrupted')
  interrupt.addEventListener('abort', interrupted)

  let offered: readonly EndpointName[] = []
  let used = given ?? seed
  let isLearned = false
  let found: Found = { results: [], problem: undefined }
  try {
    const options = { ...optionsOf(settings), profile: used.profile, signal: stop.signal }
    offered = await offeredBy({ ...options, onWait })
    used = await profileOf(settings.told, given, { ...options, offered, onWait })
    isLearned = true
    const changes = createChangeLog()
    const ready = { ...options, profile: used.profile, offered, changes, onWait }
    const made = await makeChecks(ready, show)
    found = { ...made, changed: await leftChanged(ready, changes) }
    used = { ...used, profile: withInterval(used.profile, changes) }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'something that is no error was thrown'
    found = { results: [], problem: stop.signal.aborted ? String(stop.signal.reason) : message }
  } finally {
    clearTimeout(timer)
    interrupt.removeEventListener('abort', interrupted)
  }
  const report = createReport({
    kit: `${manifest.name} ${manifest.version}`,
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

/** The results of the checks. */
type Found = Pick<ReportInput, 'results' | 'changed' | 'problem'>

/** The number of consecutive checks without an answer that ends the run. */
const mostUnanswered = 5

type Stoppable = CheckOptions & { readonly signal: AbortSignal }

/** Runs the checks in order until the shop stops answering or the run is stopped. */
async function makeChecks(options: Stoppable, show: (event: RunEvent) => void): Promise<Found> {
  const results: CheckResult[] = []
  const endedBy = (reason: string): Found => {
    const after = results.length === 0 ? '' : `after ${plural(results.length, 'check')} `
    return { results, problem: `${after}${reason}` }
  }
  let unanswered = 0
  for await (const event of runChecks(options)) {
    if (event.type === 'result' && options.signal.aborted) return endedBy(String(options.signal.reason))
    show(event)
    if (event.type !== 'result') continue
    results.push(event.result)
    const { noAnswer } = event.result.failure ?? {}
    unanswered = noAnswer === undefined ? 0 : unanswered + 1
    if (noAnswer === undefined) continue
    const gone = unanswered === mostUnanswered ? noAnswer : await whyGone(options)
    if (gone === undefined) continue
    return endedBy(`the shop gave no answer any more: ${explain(gone, options.send.host ?? 'the shop')}`)
  }
  return { results, problem: undefined }
}

/** A server may crash on one request and restart immediately, so the kit retries after a pause. */
const pauses = [0, 500, 1500]

/** Returns why the shop does not answer; `undefined` if it does. */
async function whyGone(options: Stoppable): Promise<string | undefined> {
  const { send, names, apiKey, timeoutMs = defaultTimeoutMs, signal } = options
  const { basePath, apiKeyHeader } = namesFor(names)
  const request = { method: 'GET', target: `${basePath}/no-such-path`, headers: [[apiKeyHeader, apiKey] as const] }
  let reason: string | undefined
  for (const milliseconds of pauses) {
    try {
      await pause(milliseconds, undefined, { signal })
      await withinTime(timeoutMs, signal, (callSignal) => send({ ...request, signal: callSignal }))
      return undefined
    } catch (error) {
      reason = reasonOf(error)
      if (reason.startsWith('within')) return reason
    }
  }
  return reason
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

/** How often the other customer is billed shows after an order; the next run can hold the shop to it. */
function withInterval(profile: Profile, changes: ChangeLog): Profile {
  const { interval, customers } = profile
  const date = customers.otherCustomer === undefined ? undefined : changes.billedAfterOrder(customers.otherCustomer)
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
