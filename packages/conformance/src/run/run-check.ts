import type { EndpointName } from '@storeport/core'
import type { Check, CheckContext } from '../engine/check.ts'
import {
  CheckFailure,
  CheckPause,
  CheckSkip,
  CheckTimeUp,
  createLimit,
  type Evidence,
  wasStopped,
} from '../engine/check-end.ts'
import type { CheckOptions } from '../engine/options.ts'
import { prepareCheck, todayOf } from '../engine/prepare-check.ts'
import type { Capability } from '../http/plain-http.ts'

/** How a check came out. */
export interface CheckResult {
  /** The check. */
  readonly check: Check
  /** How it came out. */
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string
  /** What kept it from being made; of a skipped check. */
  readonly cause?: SkipCause
  /** What does not hold. */
  readonly failure?: CheckFailure
  /** Whether the check came to its end, so that everything it cites was tried. */
  readonly ranThrough: boolean
  /** How long it took, in milliseconds. */
  readonly durationMs: number
}

type Outcome = Pick<CheckResult, 'outcome' | 'reason' | 'cause' | 'failure'>

/** Makes one check; never throws. */
export async function runCheck(check: Check, options: CheckOptions): Promise<CheckResult> {
  const started = performance.now()
  const done = (outcome: Outcome, ranThrough = false): CheckResult => {
    return { check, ...outcome, ranThrough, durationMs: performance.now() - started }
  }
  const skipped =
    options.signal?.aborted === true ? skip(wasStopped, { kind: 'other' }) : skipBeforehand(check, options)
  if (skipped !== undefined) return done(skipped)

  const today = todayOf(options)
  const isFresh = options.fresh === true || options.reset !== undefined
  const limit = createLimit(options)
  const { context, evidence, aside } = prepareCheck(check, options, limit.signal)
  try {
    await options.reset?.()
    await check.run(context)
    const failure = aside()
    return done(failure === undefined ? { outcome: 'passed' } : { outcome: 'failed', failure }, true)
  } catch (error) {
    if (todayOf(options) !== today) return done(skip('the day changed while the check ran', { kind: 'other' }))
    const failure = aside()
    if (failure !== undefined && isSkip(error)) return done({ outcome: 'failed', failure })
    if (!isSkip(error) || (error.spent && isFresh)) {
      return done({ outcome: 'failed', failure: failureOf(error, check, evidence) })
    }
    if (error instanceof CheckPause) return done(skip(error.message, { kind: 'pause', seconds: error.seconds }))
    if (error.lacks === undefined) return done(skip(error.message, { kind: error.spent ? 'spent' : 'other' }))
    // What is asked for after the first call only the check itself has come to.
    const lacks = [...new Set([...(await findLacks(check, context)), error.lacks])]
    return done(skip(`the profile names no ${lacks.join(' and no ')}`, { kind: 'profile', lacks }))
  } finally {
    limit.end()
  }
}

function skip(reason: string, cause: SkipCause): Outcome {
  return { outcome: 'skipped', reason, cause }
}

function skipBeforehand(check: Check, { skips = {}, cannot = [], send, offered }: CheckOptions): Outcome | undefined {
  const reason = skips[check.id]
  if (reason !== undefined) return skip(reason, { kind: 'excused' })
  const lacks = check.needs.filter((name) => !offered.includes(name))
  if (lacks.length > 0) return skip(`the shop does not offer ${lacks.join(', ')}`, { kind: 'offer', lacks })
  const without: readonly Capability[] = send.connect === undefined ? ['sockets'] : []
  const impossible = check.requires?.find((one) => [...cannot, ...(send.cannot ?? []), ...without].includes(one))
  return impossible === undefined ? undefined : skip(`cannot be seen from here: ${impossible}`, { kind: 'excused' })
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

/** The places in the profile that a check asks for before its first call and that name nothing; nothing is sent. */
async function findLacks(check: Check, context: CheckContext): Promise<readonly string[]> {
  const lacks = new Set<string>()
  const stop = () => Promise.reject(new Error('no call is made'))
  const probe: CheckContext = {
    ...context,
    call: stop,
    send: stop,
    connect: stop,
    together: stop,
    need<Value>(value: Value | undefined, where: string): Value {
      if (value !== undefined) return value
      lacks.add(where)
      // oxlint-disable-next-line typescript/consistent-type-assertions -- never used: the first call, or the first use, ends the probe
      return {} as Value
    },
  }
  await check.run(probe).catch(() => {})
  return [...lacks]
}

/**
 * What kept a check from being made.
 *
 * `profile`: places in the profile that name nothing. `spent`: what it needs was used up by earlier calls. `offer`: the shop lacks
 * endpoints. `pause`: the shop counts calls and wants a pause. `excused`: an option leaves it out. `other`: something else, which the reason says.
 */
type SkipCause =
  | { readonly kind: 'profile'; readonly lacks: readonly string[] }
  | { readonly kind: 'offer'; readonly lacks: readonly EndpointName[] }
  | { readonly kind: 'pause'; readonly seconds: number }
  | { readonly kind: 'spent' | 'excused' | 'other' }
