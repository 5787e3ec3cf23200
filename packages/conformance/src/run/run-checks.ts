import { type EndpointName, endpoints } from '@storeport/core'
import { type ChangeLog, createChangeLog } from '../engine/changes.ts'
import type { Check, CheckMode } from '../engine/check.ts'
import {
  allowsMethod,
  type CheckOptions,
  mayChangeFreely,
  type RunMode,
  type RunOptions,
  waitsForShop,
} from '../engine/options.ts'
import { probe } from '../engine/prepare-check.ts'
import { seedProfile } from '../profile/seed-profile.ts'
import { checks } from './topics.ts'
import { offeredBy } from './discover.ts'
import { type CheckResult, runCheck } from './run-check.ts'

/** The results of a run. */
export interface RunReport {
  /** The endpoints that the shop offers. A read-only run detects only GET endpoints. */
  readonly offered: readonly EndpointName[]
  /** Results of the selected checks, in the sequence of the run. */
  readonly results: readonly CheckResult[]
  /**
   * The changes that remain after the run, one sentence each. Empty if the test data is reset or disposable, or if the
   * option `changes` is set.
   */
  readonly changed: readonly string[]
}

/**
 * Event of a run. A run yields `start`, then `check` and `result` for each check, then `end`. `waits` is whether the run
 * pauses if the shop has a rate limit.
 */
export type RunEvent =
  | {
      readonly type: 'start'
      readonly offered: readonly EndpointName[]
      readonly checks: readonly Check[]
      readonly waits: boolean
    }
  | { readonly type: 'check'; readonly check: Check; readonly index: number; readonly total: number }
  | { readonly type: 'result'; readonly result: CheckResult }
  | { readonly type: 'end'; readonly report: RunReport }

/**
 * Runs the checks one after the other and yields events. The run ends when the consumer stops iterating.
 *
 * Throws ShopError if the shop is unreachable or rejects the API key.
 */
export async function* runChecks(options: RunOptions): AsyncGenerator<RunEvent, void, undefined> {
  const left = new AbortController()
  const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal])
  try {
    if (options.offered === undefined) await options.reset?.()
    const all = options.offered ?? (await offeredBy({ ...options, signal }))
    const offered = all.filter((name) => allowsMethod(options.mode, endpoints[name].method))
    const chosen = selectChecks(options).filter((check) => appliesTo(check, offered))
    yield { type: 'start', offered, checks: chosen, waits: waitsForShop(options) }
    const changes = options.changes ?? createChangeLog(options.profile ?? seedProfile)
    const given = { ...options, changes, signal, offered }
    const results: CheckResult[] = []
    for (const [index, check] of chosen.entries()) {
      yield { type: 'check', check, index, total: chosen.length }
      const result = await runCheck(check, given)
      results.push(result)
      yield { type: 'result', result }
    }
    const isReported = options.changes === undefined && !mayChangeFreely(options)
    const changed = isReported ? await leftChanged(given, changes) : []
    yield { type: 'end', report: { offered, results, changed } }
  } finally {
    left.abort()
  }
}

const modesOf: Readonly<Record<RunMode, readonly CheckMode[]>> = {
  'read-only': ['read-only'],
  default: ['read-only', 'write'],
  stress: ['read-only', 'write', 'stress'],
}

/** Returns the checks of a run, in the sequence in which they run. */
export function selectChecks({
  mode = 'default',
  layer,
  only,
  explore,
}: Pick<RunOptions, 'mode' | 'layer' | 'only' | 'explore'>): readonly Check[] {
  const isWanted = ({ id, requirements, isExploration = false }: Check) =>
    (only === undefined && (explore !== undefined || !isExploration)) ||
    only?.some((word) => word === id || id.startsWith(`${word}.`) || requirements.some((cited) => cited === word))
  return checks.filter(
    (check) => modesOf[mode].includes(check.mode) && (layer === undefined || check.layer === layer) && isWanted(check),
  )
}

/** Returns whether a check applies to a shop with these endpoints. Otherwise, stricter checks replace it. */
export function appliesTo({ without }: Check, offered: readonly EndpointName[]): boolean {
  return without === undefined || without.some((name) => !offered.includes(name))
}

/** Waits for the end of a run and returns its report: `await collectReport(runChecks(options))`. */
export async function collectReport(events: AsyncIterable<RunEvent>): Promise<RunReport> {
  for await (const event of events) if (event.type === 'end') return event.report
  throw new TypeError('collectReport: the run has no end event. Pass all events of runChecks()')
}

/** Returns the remaining changes of a run, one sentence each. Reads the current data of the changed customers. */
export async function leftChanged(options: CheckOptions, changes: ChangeLog): Promise<readonly string[]> {
  const { signal, ...others } = options
  // After an interruption, also reads the customers, but with a short time limit and without pauses.
  const shortLimit = signal?.aborted === true ? { waits: false, checkTimeoutMs: shortTimeoutMs } : {}
  const read = probe({ ...others, ...shortLimit, changes }, async (t) => {
    for (const email of changes.touched()) {
      for (const name of ['getSubscription', 'listCancelledSubscriptions'] as const) {
        if (options.offered.includes(name)) await t.call(name, { email })
      }
    }
  })
  // If the shop does not respond, the changes are described with the last known data.
  await read.catch(() => {})
  return changes.describe()
}

/** Time limit for reading the remaining changes of an interrupted run, in milliseconds. */
const shortTimeoutMs = 5_000
