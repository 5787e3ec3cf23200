import { setTimeout as pause } from 'node:timers/promises'
import { type EndpointName, namesFor } from '@storeport/core'
import type { ChangeLog } from '../engine/changes.ts'
import type { CheckResult } from '../run/run-check.ts'
import { type RunEvent, runChecks } from '../run/run-checks.ts'
import { defaultTimeoutMs, type RunOptions } from '../engine/options.ts'
import { explain, reasonOf } from '../http/unreachable.ts'
import { withinTime } from '../http/unreachable.ts'

/** What came of the checks. */
export interface AllResults {
  /** One result for each check that was made or skipped, in order. */
  readonly results: readonly CheckResult[]
  /** What the run left changed, in sentences. */
  readonly changed?: readonly string[] | undefined
  /** Why the run ended before its end. */
  readonly problem: string | undefined
}

/** How many checks in a row without any answer end the run. */
const mostUnanswered = 5

/** Makes the checks one after the other, as long as somebody answers and nobody stops it. */
export async function runAll(
  options: RunOptions & {
    readonly offered: readonly EndpointName[]
    readonly signal: AbortSignal
    readonly changes: ChangeLog
  },
  show: (event: RunEvent) => void,
): Promise<AllResults> {
  const results: CheckResult[] = []
  let unanswered = 0
  const { changes } = options
  for await (const event of runChecks(options)) {
    if (event.type === 'result' && options.signal.aborted)
      return { results, changed: changes.tell(), problem: `${after(results)}${String(options.signal.reason)}` }
    show(event)
    if (event.type !== 'result') continue
    results.push(event.result)
    const { noAnswer } = event.result.failure ?? {}
    unanswered = noAnswer === undefined ? 0 : unanswered + 1
    if (noAnswer === undefined) continue
    const gone = unanswered === mostUnanswered ? noAnswer : await whyGone(options)
    if (gone !== undefined) {
      const host = options.send.host ?? 'the shop'
      return {
        results,
        changed: changes.tell(),
        problem: `${after(results)}the shop gave no answer any more: ${explain(gone, host)}`,
      }
    }
  }
  return { results, changed: changes.tell(), problem: undefined }
}

/** A server may crash on one call and be back at once: it is asked again after a while. */
const pauses = [0, 500, 1500]

/** Why nobody answers any more; `undefined` when somebody does. */
async function whyGone({
  send,
  names,
  apiKey,
  timeoutMs = defaultTimeoutMs,
  signal,
}: RunOptions & { signal: AbortSignal }): Promise<string | undefined> {
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

function after(results: readonly CheckResult[]): string {
  return results.length === 0 ? '' : `after ${results.length} check${results.length === 1 ? '' : 's'} `
}
