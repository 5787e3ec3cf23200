import { maxWaitSeconds } from '../engine/prepare-check.ts'
import { plural } from '../report/create-report.ts'
import type { RunEvent } from '../run/run-checks.ts'
import { requirementOf } from '../run/topics.ts'

/** The output streams of the command. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  readonly outHasColors: boolean
  readonly errHasColors: boolean
}

/** Minimum interval between lines about the progress, in milliseconds. */
const progressIntervalMs = 10_000

/** An event of a run, or a pause that the shop's rate limit requires. */
export type ProgressEvent = RunEvent | { readonly type: 'wait'; readonly seconds: number }

/** Returns a function that prints the progress of a run on standard error. */
export function createProgress(url: string, { err }: Terminal) {
  let last = 0
  function print(line: string): void {
    last = performance.now()
    err(`${line}\n`)
  }
  return (event: ProgressEvent): void => {
    if (event.type === 'start' && event.waits)
      print(`If the shop has a rate limit, the run pauses for up to ${maxWaitSeconds} s at a time.`)
    if (event.type === 'check') {
      const { index, total } = event
      if (index === 0) print(`${url}: ${plural(total, 'check')} …`)
      else if (performance.now() - last > progressIntervalMs) print(`${index} of ${plural(total, 'check')} done …`)
    }
    if (event.type === 'wait') print(`the shop's rate limit requires a pause of ${event.seconds} s`)
    if (event.type !== 'result' || event.result.failure === undefined) return
    const { check, failure } = event.result
    const word = requirementOf(failure.requirement).level === 'should' ? 'warning' : 'failed '
    print(`${word}  ${check.id}  ${failure.requirement}`)
  }
}
