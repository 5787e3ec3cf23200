import { type EndpointName, type NameOptions, namesFor } from '@storeport/core'
import type { Check, CheckMode } from './check.ts'
import { CheckFailure } from './check-failure.ts'
import { CheckSkip } from './check-skip.ts'
import { checks as allChecks } from '../checks.ts'
import { type CheckLimit, CheckTimeUp, createLimit, wasStopped } from './check-limit.ts'
import { createCheckContext, type PreparedCheck } from './create-check-context.ts'
import type { Evidence } from './create-evidence.ts'
import { dateIn } from './days.ts'
import { discoverEndpoints } from './discover-endpoints.ts'
import type { Capability, Send } from '../http/plain-http.ts'
import type { Profile } from '../profile/profile.ts'
import { seedProfile } from '../profile/seed-profile.ts'

/** How far a run goes: `read-only` is safe on production, `default` writes for test customers, `stress` also sends bursts. */
export type RunMode = 'read-only' | 'default' | 'stress'

/** What a run needs to know. */
export interface RunOptions {
  /** The way to the server. */
  readonly send: Send
  /** An API key that the shop accepts. */
  readonly apiKey: string
  /** Another API key that the shop accepts, to check that keys can be rotated. */
  readonly secondApiKey?: string | undefined
  /** Test customers, products, codes and actions; default the seed of the reference host. */
  readonly profile?: Profile | undefined
  /** The caller's word, or path prefix and header names; default `integration`. */
  readonly names?: NameOptions | undefined
  /** How far to go; default `default`. */
  readonly mode?: RunMode | undefined
  /** Which checks: ids, topics (what stands before the dot) or requirement ids; default all. */
  readonly only?: readonly string[] | undefined
  /** What the way to the server, or the server's surroundings, cannot do. */
  readonly cannot?: readonly Capability[] | undefined
  /** Checks that are not made, by id, with the reason. */
  readonly skips?: Readonly<Record<string, string>> | undefined
  /** Brings the shop back to its start; called before each check, which then must find all it needs. */
  readonly reset?: (() => Promise<void>) | undefined
  /** Whether the shop is at its start before each check even without `reset`. */
  readonly fresh?: boolean | undefined
  /** The endpoints that the shop offers, where they are known already. */
  readonly offered?: readonly EndpointName[] | undefined
  /** Longest wait for an answer, in milliseconds; default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Longest time for one check, in milliseconds; default 120,000. */
  readonly checkTimeoutMs?: number | undefined
  /** Ends the run when it fires: the checks that are left are skipped. */
  readonly signal?: AbortSignal | undefined
  /** The clock that tells what day it is; default the system's. */
  readonly now?: (() => Date) | undefined
  /** Told about each check as soon as it is done. */
  readonly onResult?: ((result: CheckResult) => void) | undefined
  /** Told how many seconds the shop, which counts calls, wants the next one to wait. */
  readonly onWait?: ((seconds: number) => void) | undefined
}

/** How a check came out. */
export interface CheckResult {
  /** The check. */
  readonly check: Check
  /** How it came out. */
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string
  /** What does not hold. */
  readonly failure?: CheckFailure
  /** Whether the check came to its end, so that everything it cites was tried. */
  readonly ranThrough: boolean
  /** How long it took, in milliseconds. */
  readonly durationMs: number
}

/** What a run found. */
export interface RunReport {
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** One result for each check of the mode, in order. */
  readonly results: readonly CheckResult[]
}

/** Makes the checks on an implementation, one after the other; throws ShopError when it cannot be reached or refuses the key. */
export async function runChecks(options: RunOptions): Promise<RunReport> {
  await options.reset?.()
  const offered = options.offered ?? (await offeredBy(options))
  const results: CheckResult[] = []
  for (const check of selectChecks(options)) {
    const result = await runCheck(check, { ...options, offered })
    results.push(result)
    options.onResult?.(result)
  }
  return { offered, results }
}

/** The checks that a run makes, in order. */
export function selectChecks({ mode = 'default', only }: Pick<RunOptions, 'mode' | 'only'>): readonly Check[] {
  const isWanted = ({ id, requirements }: Check) =>
    only === undefined || only.some((word) => word === id || id.startsWith(`${word}.`) || isIn(requirements, word))
  return allChecks.filter((check) => modesOf[mode].includes(check.mode) && isWanted(check))
}

/** The endpoints that the shop of a run offers; throws ShopError when it cannot be reached or refuses the key. */
export async function offeredBy(options: RunOptions): Promise<readonly EndpointName[]> {
  const limit = createLimit(options)
  try {
    const { context } = prepare(discovery, { ...options, offered: [] }, limit)
    return await discoverEndpoints(context, options.send.host ?? 'the shop')
  } finally {
    limit.end()
  }
}

/** Makes one check, never throws; `offered` must be known. */
export async function runCheck(
  check: Check,
  options: RunOptions & { readonly offered: readonly EndpointName[] },
): Promise<CheckResult> {
  const started = performance.now()
  const done = (outcome: Pick<CheckResult, 'outcome' | 'reason' | 'failure'>, ranThrough = false): CheckResult => {
    return { check, ...outcome, ranThrough, durationMs: performance.now() - started }
  }
  const reason = options.signal?.aborted === true ? wasStopped : reasonToSkip(check, options)
  if (reason !== undefined) return done({ outcome: 'skipped', reason })

  const today = todayOf(options)
  const isFresh = options.fresh === true || options.reset !== undefined
  const limit = createLimit(options)
  const { context, evidence, aside } = prepare(check, options, limit)
  try {
    await options.reset?.()
    await check.run(context)
    const failure = aside()
    return done(failure === undefined ? { outcome: 'passed' } : { outcome: 'failed', failure }, true)
  } catch (error) {
    if (todayOf(options) !== today) return done({ outcome: 'skipped', reason: 'the day changed while the check ran' })
    const failure = aside()
    if (failure !== undefined && isSkip(error)) return done({ outcome: 'failed', failure })
    if (isSkip(error) && !(error.spent && isFresh)) return done({ outcome: 'skipped', reason: error.message })
    return done({ outcome: 'failed', failure: failureOf(error, check, evidence) })
  } finally {
    limit.end()
  }
}

const modesOf: Readonly<Record<RunMode, readonly CheckMode[]>> = {
  'read-only': ['read-only'],
  default: ['read-only', 'write'],
  stress: ['read-only', 'write', 'stress'],
}

/** What discovery fails as: no check, but it needs the expectations of one. */
const discovery: Check = {
  id: 'discovery',
  title: 'The shop can be reached.',
  requirements: ['ROUTE-1'],
  mode: 'read-only',
  needs: [],
  async run() {},
}

function prepare(
  check: Check,
  options: RunOptions & { readonly offered: readonly EndpointName[] },
  { signal }: CheckLimit,
): PreparedCheck {
  return createCheckContext(check, {
    send: options.send,
    apiKey: options.apiKey,
    secondApiKey: options.secondApiKey,
    names: namesFor(options.names),
    profile: options.profile ?? seedProfile,
    offered: options.offered,
    today: todayOf(options),
    timeoutMs: options.timeoutMs ?? 10_000,
    onWait: options.onWait,
    signal,
  })
}

function todayOf({ profile = seedProfile, now = () => new Date() }: RunOptions): string {
  return profile.today ?? dateIn(profile.timeZone, now())
}

function reasonToSkip(
  check: Check,
  { skips = {}, cannot = [], send, offered }: RunOptions & { readonly offered: readonly EndpointName[] },
): string | undefined {
  const skip = skips[check.id]
  if (skip !== undefined) return skip
  const missing = check.needs.filter((name) => !offered.includes(name))
  if (missing.length > 0) return `the shop does not offer ${missing.join(', ')}`
  const impossible = check.requires?.find((capability) => [...cannot, ...(send.cannot ?? [])].includes(capability))
  return impossible === undefined ? undefined : `cannot be seen from here: ${impossible}`
}

/** A check that breaks on an answer it did not expect says so: that answer is the finding. */
function failureOf(error: unknown, check: Check, evidence: Evidence): CheckFailure {
  if (error instanceof CheckFailure) return error
  const [requirement] = check.requirements
  const received = error instanceof Error ? error.message : 'something that is no error'
  if (error instanceof CheckTimeUp) {
    return evidence.failure({ requirement, expected: 'the check to end in time', received })
  }
  const expected = isSkip(error) ? 'a fresh shop to have what the check needs' : 'the check to run through'
  return evidence.failure({ requirement, expected, received })
}

function isSkip(error: unknown): error is CheckSkip {
  return error instanceof CheckSkip
}

function isIn(requirements: readonly string[], word: string): boolean {
  return requirements.includes(word)
}
