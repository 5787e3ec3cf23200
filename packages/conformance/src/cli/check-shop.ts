import { setTimeout as pause } from 'node:timers/promises'
import { type EndpointName, namesFor } from '@storeport/core'
import { createChangeLog } from '../engine/changes.ts'
import { CheckFailure } from '../engine/check-end.ts'
import type { CheckOptions, RunOptions } from '../engine/options.ts'
import { probe } from '../engine/prepare-check.ts'
import type { Check } from '../engine/check.ts'
import { type Capability, type Send, toSend } from '../http/plain-http.ts'
import { sendByHttp } from '../http/send.ts'
import { describeRequest } from '../http/reply.ts'
import { explain } from '../http/unreachable.ts'
import { parseProfile, type Profile } from '../profile/profile.ts'
import { seedProfile } from '../profile/seed-profile.ts'
import type { Baseline } from '../report/baseline.ts'
import { createReport, plural, type ReportInput } from '../report/create-report.ts'
import { createKeyHider } from '../http/hide-keys.ts'
import { offeredBy, replyOrFailure } from '../run/discover.ts'
import type { CheckResult } from '../run/run-check.ts'
import { leftChanged, type RunEvent, runChecks, selectChecks } from '../run/run-checks.ts'
import { checks } from '../run/topics.ts'
import { frameworks } from '../run/frameworks.ts'
import { hasSeedData, learnProfile, type TestDataOptions } from './learn-profile.ts'
import type { CheckSettings } from './settings.ts'
import type { ProgressEvent } from './terminal.ts'
import manifest from '../../package.json' with { type: 'json' }

/** A profile and its name in the report. */
export interface NamedProfile {
  readonly profile: Profile
  readonly name: string
}

const seed: NamedProfile = { profile: seedProfile, name: "the reference host's seed data" }

/** Checks a shop. Returns the report and the profile. Never rejects: an error becomes the `problem` of the report. */
export async function checkShop(
  settings: CheckSettings,
  given: NamedProfile | undefined,
  baseline: Baseline | undefined,
  show: (event: ProgressEvent) => void,
  interrupt: AbortSignal,
) {
  const started = new Date()
  const stop = new AbortController()
  const onWait = (seconds: number) => show({ type: 'wait', seconds })
  const timeUp = `the run reached the --total-timeout of ${settings.totalTimeoutMs / 1000} s`
  const timer = setTimeout(() => stop.abort(timeUp), settings.totalTimeoutMs)
  const interrupted = () => stop.abort('the run was interrupted')
  interrupt.addEventListener('abort', interrupted)

  let offered: readonly EndpointName[] = []
  let used = given ?? seed
  let isLearned = false
  let found: Found = { results: [], problem: undefined }
  try {
    const options = { ...optionsOf(settings), profile: used.profile, signal: stop.signal }
    offered = await offeredBy({ ...options, onWait })
    used = await profileOf(settings.testData, given, { ...options, offered, onWait })
    isLearned = true
    const changes = createChangeLog(used.profile)
    const ready = { ...options, profile: used.profile, offered, changes, onWait }
    const made = await runUntilStopped(ready, show)
    found = { ...made, changed: await leftChanged(ready, changes) }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'a value that is not an Error was thrown'
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
    framework: settings.framework,
    seed: settings.explore?.seed,
    baseline,
    hide: createKeyHider({ ...settings, send: sendByHttp(settings.url) }),
    ...found,
  })
  return { report, profile: isLearned ? used.profile : undefined }
}

type Found = Pick<ReportInput, 'results' | 'changed' | 'problem'>

/** Maximum number of consecutive checks without a response before the run ends. */
const maxUnanswered = 5

type Stoppable = CheckOptions & { readonly signal: AbortSignal }

/** Runs the checks one after the other until all are complete, the shop stops responding, or the run is stopped. */
async function runUntilStopped(options: Stoppable, show: (event: RunEvent) => void): Promise<Found> {
  const results: CheckResult[] = []
  let total = 0
  let lastRequest = ''
  const endedBy = (reason: string, last = ''): Found => {
    const after = results.length === 0 ? '' : `after ${plural(results.length, 'check')} `
    const left = total - results.length
    const rest = `${last}${plural(left, 'check')} did not run`
    return { results, problem: left > 0 ? `${after}${reason}. ${rest}` : `${after}${reason}` }
  }
  let unanswered = 0
  for await (const event of runChecks(options)) {
    if (event.type === 'result' && options.signal.aborted) return endedBy(String(options.signal.reason))
    show(event)
    if (event.type === 'start') total = event.checks.length
    if (event.type !== 'result') continue
    results.push(event.result)
    const { noAnswer, reply } = event.result.failure ?? {}
    if (reply !== undefined) lastRequest = describeRequest(reply.request)
    unanswered = noAnswer === undefined ? 0 : unanswered + 1
    if (noAnswer === undefined) continue
    const unreachable = unanswered === maxUnanswered ? noAnswer : await findUnreachableReason(options)
    if (unreachable === undefined) continue
    const why = explain(unreachable, options.send.host ?? 'the shop')
    return endedBy(`the shop stopped responding: ${why}`, `The last request was ${lastRequest}. `)
  }
  return { results, problem: undefined }
}

/** Pause before each attempt to reach the shop, in milliseconds. A crashed server may restart during the pauses. */
const pauses = [0, 500, 1500]

/** Sends up to three requests. Returns why the shop does not respond; `undefined` if the shop responds. */
async function findUnreachableReason(options: Stoppable): Promise<string | undefined> {
  let reason: string | undefined
  for (const milliseconds of pauses) {
    await pause(milliseconds, undefined, { signal: options.signal }).catch(() => {})
    const sent = probe(options, (t) => replyOrFailure(() => t.send({ path: '/no-such-path' })))
    // A shop that limits requests responds. A run that was stopped ends after this check.
    const reply = await sent.catch(() => undefined)
    if (!(reply instanceof CheckFailure)) return undefined
    reason = reply.noAnswer
    if (reason?.startsWith('within') === true) return reason
  }
  return reason
}

/**
 * Returns the profile for a run. Adds test data from command-line options to the given profile or to an empty profile,
 * and reads further test data from the shop.
 *
 * Without a given profile and without customers, codes or an action, uses the seed profile if the shop has the seed data. Otherwise,
 * returns a profile without customers.
 */
async function profileOf(
  testData: TestDataOptions,
  given: NamedProfile | undefined,
  options: CheckOptions,
): Promise<NamedProfile> {
  const { codes, timeZone, interval, ...others } = testData
  // A time zone or an interval describes the shop, but does not replace its test data.
  const hasData = codes.length > 0 || Object.values(others).some((value) => value !== undefined)
  const hasOptions = hasData || timeZone !== undefined || interval !== undefined
  const base = given ?? (!hasData && (await hasSeedData(options)) ? seed : undefined)
  if (base !== undefined && !hasOptions) return base
  const profile = await learnProfile(testData, base?.profile ?? parseProfile({}), options)
  if (base === seed) return { ...seed, profile }
  if (given !== undefined) return { profile, name: `${given.name}, with the customers and codes from the options` }
  return {
    profile,
    name: hasData
      ? 'read from the shop'
      : "no customers, because the shop does not have the reference host's seed data",
  }
}

function optionsOf(settings: CheckSettings): RunOptions {
  const { url, apiKey, secondApiKey, names, mode, only, skip, timeoutMs, testMode, explore } = settings
  const framework = settings.framework === undefined ? undefined : frameworks[settings.framework]
  return {
    send: testMode ? sendInTestMode(sendByHttp(url), namesFor(names).testModeHeader) : sendByHttp(url),
    disposable: testMode,
    skips: {
      ...skipsOf(framework?.unsupported, `excluded by --framework ${settings.framework}`),
      ...framework?.skips,
      // A raw connection does not add the test-mode header.
      ...(testMode && skipsOf(['sockets'], 'excluded by --test-mode')),
      ...(testMode && Object.fromEntries(testModeChecks.map((id) => [id, 'every request in this run uses test mode']))),
      ...Object.fromEntries(skip.map((id) => [id, 'excluded by --skip'])),
    },
    apiKey,
    secondApiKey,
    names,
    mode,
    only: only.length === 0 ? undefined : only,
    explore,
    timeoutMs,
    checkTimeoutMs: Math.max(120_000, 12 * timeoutMs),
  }
}

/** Returns the reason for each check that requires one of the capabilities, by check id. */
function skipsOf(unsupported: readonly Capability[] = [], reason: string): Readonly<Record<string, string>> {
  const isExcluded = ({ requires = [] }: Check) => requires.some((each) => unsupported.includes(each))
  return Object.fromEntries(checks.filter(isExcluded).map(({ id }) => [id, reason]))
}

/** Ids of the checks that cannot run in test mode, because they also send requests without the test-mode header. */
const testModeChecks = selectChecks({ mode: 'stress', only: ['TEST-1', 'TEST-2'] }).map(({ id }) => id)

/** Adds the test-mode header to every request. */
function sendInTestMode(send: Send, header: string): Send {
  return toSend(
    send.unsupported ?? [],
    (request) => send({ ...request, headers: [...request.headers, [header, 'true']] }),
    send.host,
  )
}
