import type { EndpointName } from '@storeport/core'
import { type ChangeLog, createChangeLog } from '../engine/changes.ts'
import type { Check, CheckMode } from '../engine/check.ts'
import { type CheckOptions, mayGoFar, type RunMode, type RunOptions, waitsForShop } from '../engine/options.ts'
import { probe } from '../engine/prepare-check.ts'
import { checks } from './topics.ts'
import { offeredBy } from './discover.ts'
import { type CheckResult, runCheck } from './run-check.ts'

/** What a run found. */
export interface RunReport {
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** One result for each check of the mode, in order. */
  readonly results: readonly CheckResult[]
  /** What the run left changed, in sentences; empty where the test data is brought back or thrown away. */
  readonly changed: readonly string[]
}

/**
 * What happens in a run, in order: `start` once, for each check `check` and `result`, at last `end`.
 *
 * `wait` comes whenever the shop, which counts calls, wants the next one to wait for a number of seconds, also before `start`.
 */
export type RunEvent =
  | StartEvent
  | { readonly type: 'check'; readonly check: Check; readonly index: number; readonly total: number }
  | { readonly type: 'result'; readonly result: CheckResult }
  | WaitEvent
  | { readonly type: 'end'; readonly report: RunReport }

/** The checks are about to be made. */
interface StartEvent {
  readonly type: 'start'
  readonly offered: readonly EndpointName[]
  readonly checks: readonly Check[]
  /** Whether the run waits where the shop, which counts calls, wants a pause. */
  readonly waits: boolean
}

/** The shop wants the next call to wait. */
interface WaitEvent {
  readonly type: 'wait'
  readonly seconds: number
}

/**
 * Makes the checks on an implementation, one after the other, and yields what happens; a reader that stops ends the run.
 *
 * Throws ShopError when the shop cannot be reached or refuses the key.
 */
export async function* runChecks(options: RunOptions): AsyncGenerator<RunEvent, void, undefined> {
  const left = new AbortController()
  const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal])
  try {
    if (options.offered === undefined) await options.reset?.()
    const offered = options.offered ?? (yield* withWaits((onWait) => offeredBy({ ...options, signal, onWait })))
    const chosen = selectChecks(options).filter((check) => isFor(check, offered))
    yield { type: 'start', offered, checks: chosen, waits: waitsForShop(options) }
    const own = options.changes === undefined && !mayGoFar(options) ? createChangeLog() : undefined
    const given = { ...options, changes: options.changes ?? own, signal, offered }
    const results: CheckResult[] = []
    for (const [index, check] of chosen.entries()) {
      yield { type: 'check', check, index, total: chosen.length }
      const result = yield* withWaits((onWait) => runCheck(check, { ...given, onWait }))
      results.push(result)
      yield { type: 'result', result }
    }
    const changed = own === undefined ? [] : yield* withWaits((onWait) => leftChanged({ ...given, onWait }, own))
    yield { type: 'end', report: { offered, results, changed } }
  } finally {
    left.abort()
  }
}

/** Runs something and yields the waits that it reports meanwhile. */
async function* withWaits<Value>(
  run: (onWait: (seconds: number) => void) => Promise<Value>,
): AsyncGenerator<WaitEvent, Value, undefined> {
  const waits: number[] = []
  let wake = () => {}
  const running = run((seconds) => {
    waits.push(seconds)
    wake()
  }).then((value) => ({ value }))
  for (;;) {
    const woken = new Promise<undefined>((resolve) => (wake = () => resolve(undefined)))
    const done = await Promise.race([running, woken])
    for (const seconds of waits.splice(0)) yield { type: 'wait', seconds }
    if (done !== undefined) return done.value
  }
}

const modesOf: Readonly<Record<RunMode, readonly CheckMode[]>> = {
  'read-only': ['read-only'],
  default: ['read-only', 'write'],
  stress: ['read-only', 'write', 'stress'],
}

/** The checks that a run makes, in order. */
export function selectChecks({
  mode = 'default',
  layer,
  only,
}: Pick<RunOptions, 'mode' | 'layer' | 'only'>): readonly Check[] {
  const isWanted = ({ id, requirements }: Check) =>
    only === undefined ||
    only.some((word) => word === id || id.startsWith(`${word}.`) || requirements.some((cited) => cited === word))
  return checks.filter(
    (check) => modesOf[mode].includes(check.mode) && (layer === undefined || check.layer === layer) && isWanted(check),
  )
}

/** Whether a check is for a shop that offers these endpoints, or others see more there. */
function isFor({ without }: Check, offered: readonly EndpointName[]): boolean {
  return without === undefined || without.some((name) => !offered.includes(name))
}

/** Waits for the end of a run and returns its report: `await collectReport(runChecks(options))`. */
export async function collectReport(events: AsyncIterable<RunEvent>): Promise<RunReport> {
  for await (const event of events) if (event.type === 'end') return event.report
  throw new TypeError('collectReport: these are not the events of a whole run')
}

/** What a run left changed, in sentences, by what the customers that it changed have now. */
export async function leftChanged(options: CheckOptions, changes: ChangeLog): Promise<readonly string[]> {
  const { signal, ...others } = options
  // A run that was stopped reads its customers all the same, but does not wait for them.
  const hurried = signal?.aborted === true ? { waits: false, checkTimeoutMs: hurriedMs } : {}
  const read = probe({ ...others, ...hurried, changes }, async (t) => {
    for (const email of changes.touched()) {
      for (const name of ['getSubscription', 'listCancelledSubscriptions'] as const) {
        if (options.offered.includes(name)) await t.call(name, { email })
      }
    }
  })
  // Where the shop does not answer, what was read last is told.
  await read.catch(() => {})
  return changes.tell()
}

/** How long a run that was stopped reads what it left changed, in milliseconds. */
const hurriedMs = 5_000
