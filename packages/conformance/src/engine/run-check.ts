import { CheckFailure } from './check-failure.ts'
import { CheckTimeUp, createLimit, wasStopped } from './check-limit.ts'
import { CheckSkip } from './check-skip.ts'
import type { Check } from './check.ts'
import type { Evidence } from './create-evidence.ts'
import { prepareCheck, todayOf } from './prepare-check.ts'
import type { CheckOptions } from './run-options.ts'

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

/** Makes one check; never throws. */
export async function runCheck(check: Check, options: CheckOptions): Promise<CheckResult> {
  const started = performance.now()
  const done = (outcome: Pick<CheckResult, 'outcome' | 'reason' | 'failure'>, ranThrough = false): CheckResult => {
    return { check, ...outcome, ranThrough, durationMs: performance.now() - started }
  }
  const reason = options.signal?.aborted === true ? wasStopped : reasonToSkip(check, options)
  if (reason !== undefined) return done({ outcome: 'skipped', reason })

  const today = todayOf(options)
  const isFresh = options.fresh === true || options.reset !== undefined
  const limit = createLimit(options)
  const { context, evidence, aside } = prepareCheck(check, options, limit)
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

function reasonToSkip(check: Check, { skips = {}, cannot = [], send, offered }: CheckOptions): string | undefined {
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
