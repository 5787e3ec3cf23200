import type { EndpointName } from '@storeport/core'
import { createChangeLog } from './change-log.ts'
import type { Check } from './check.ts'
import { createDateGuard } from './date-guard.ts'
import { offeredBy } from './offered-by.ts'
import { type CheckResult, runCheck } from './run-check.ts'
import { mayGoFar, type RunOptions, waitsForShop } from './run-options.ts'
import { isFor, selectChecks } from './select-checks.ts'

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
    const checks = selectChecks(options).filter((check) => isFor(check, offered))
    yield { type: 'start', offered, checks, waits: waitsForShop(options) }
    const results: CheckResult[] = []
    const isKept = !mayGoFar(options)
    const kept = isKept ? { dates: createDateGuard(), changes: options.changes ?? createChangeLog() } : {}
    for (const [index, check] of checks.entries()) {
      yield { type: 'check', check, index, total: checks.length }
      const result = yield* withWaits((onWait) => runCheck(check, { ...options, ...kept, signal, offered, onWait }))
      results.push(result)
      yield { type: 'result', result }
    }
    yield { type: 'end', report: { offered, results, changed: kept.changes?.tell() ?? [] } }
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
