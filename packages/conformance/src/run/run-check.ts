import { type EndpointName, endpoints } from '@storeport/core'
import type { Check, CheckContext } from '../engine/check.ts'
import {
  CheckFailure,
  CheckSkip,
  CheckTimeUp,
  createLimit,
  type Evidence,
  type SkipCause,
  skipReadOnly,
  wasStopped,
} from '../engine/check-end.ts'
import { allowsMethod, type CheckOptions } from '../engine/options.ts'
import { prepareCheck, todayOf } from '../engine/prepare-check.ts'
import type { Capability } from '../http/plain-http.ts'
import { requirementOf } from './topics.ts'

/** Result of a check. */
export interface CheckResult {
  /** The check. */
  readonly check: Check
  /** Outcome of the check. */
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why the check was skipped. */
  readonly reason?: string
  /** Category of the reason for a skip. */
  readonly cause?: SkipCause
  /** The failure of a failed check. */
  readonly failure?: CheckFailure
  /** Whether the check ran to its end and therefore tested every cited requirement. */
  readonly ranThrough: boolean
  /** Number of repeated clicks that the check tried, by endpoint. */
  readonly trials: ReadonlyMap<EndpointName, number>
  /** Duration in milliseconds. */
  readonly durationMs: number
}

type Outcome = Pick<CheckResult, 'outcome' | 'reason' | 'cause' | 'failure'>

/** Runs one check. Never rejects: if an error is thrown, the check fails or is skipped. */
export async function runCheck(check: Check, options: CheckOptions): Promise<CheckResult> {
  const started = performance.now()
  let trials: CheckResult['trials'] = new Map()
  const done = (outcome: Outcome, ranThrough = false): CheckResult => {
    return { check, ...outcome, ranThrough, trials, durationMs: performance.now() - started }
  }
  const isStopped = options.signal?.aborted === true
  const early = isStopped ? skip(wasStopped) : skipBeforehand(check, options)
  if (early !== undefined) return done(early)

  const today = todayOf(options)
  const isFresh = options.fresh === true || options.reset !== undefined
  const limit = createLimit(options)
  const { context, evidence, aside, takeBack, ...made } = prepareCheck(check, options, limit.signal, requirementOf)
  trials = made.trials
  try {
    if (options.reset !== undefined) {
      await options.reset()
      options.changes?.forget()
    }
    await check.run(context)
    const failure = await aside()
    return done(failure === undefined ? { outcome: 'passed' } : { outcome: 'failed', failure }, true)
  } catch (error) {
    const skipped = error instanceof CheckSkip && !(error.skipCause.kind === 'spent' && isFresh) ? error : undefined
    const failure = skipped === undefined ? failureOf(error, check, evidence) : await aside()
    const left = failure?.noAnswer === undefined ? await takeBack().catch(() => []) : []
    options.changes?.forget()
    if (todayOf(options) !== today) return done(skip('the date changed while the check ran'))
    if (failure === undefined && skipped !== undefined)
      return done(await describeSkip(skipped, check, context, options))
    if (failure !== undefined) options.changes?.blame(left, check.id)
    return done({ outcome: 'failed', ...(failure && { failure }) })
  } finally {
    limit.end()
  }
}

async function describeSkip(
  { message, skipCause }: CheckSkip,
  check: Check,
  context: CheckContext,
  { changes }: CheckOptions,
): Promise<Outcome> {
  if (skipCause.kind === 'spent') return skip(message + (changes?.culprits() ?? ''), skipCause)
  if (skipCause.kind !== 'profile') return skip(message, skipCause)
  // `findLacks` finds only the fields that the check needs before its first request, so the missing one may be another.
  const lacks = [...new Set([...(await findLacks(check, context)), ...skipCause.lacks])]
  return skip(`the profile has no ${lacks.join(' and no ')}`, { kind: 'profile', lacks })
}

function skip(reason: string, cause: SkipCause = { kind: 'other' }): Outcome {
  return { outcome: 'skipped', reason, cause }
}

function skipBeforehand(
  check: Check,
  { skips = {}, unsupported = [], send, offered, mode }: CheckOptions,
): Outcome | undefined {
  const reason = skips[check.id]
  if (reason !== undefined) return skip(reason, { kind: 'excused' })
  const needsAction = check.needs.some((name) => !allowsMethod(mode, endpoints[name].method))
  if (needsAction) return skip(skipReadOnly().message, { kind: 'read-only' })
  const lacks = check.needs.filter((name) => !offered.includes(name))
  if (lacks.length > 0) return skip(`the shop does not offer ${lacks.join(', ')}`, { kind: 'offer', lacks })
  const without: readonly Capability[] = send.connect === undefined ? ['sockets'] : []
  const impossible = check.requires?.find((each) =>
    [...unsupported, ...(send.unsupported ?? []), ...without].includes(each),
  )
  return impossible === undefined ? undefined : skip(`cannot be tested here: ${impossible}`, { kind: 'excused' })
}

/** Converts any error of a check to a failure. The failure contains the last response. */
function failureOf(error: unknown, { requirements: [requirement] }: Check, evidence: Evidence): CheckFailure {
  if (error instanceof CheckFailure) return error
  const received = error instanceof Error ? error.message : 'a value that is not an Error'
  const isLate = error instanceof CheckTimeUp
  const isSkip = error instanceof CheckSkip
  const expected = isSkip ? 'a fresh shop to have the data that the check needs' : 'the check to complete'
  return evidence.failure({ requirement, expected: isLate ? 'the check to finish in time' : expected, received })
}

/** Returns the missing profile fields that a check needs before its first request. Sends no request. */
async function findLacks(check: Check, context: CheckContext): Promise<readonly string[]> {
  const lacks = new Set<string>()
  const stop = () => Promise.reject(new Error('no request is sent'))
  const probe: CheckContext = {
    ...context,
    call: stop,
    send: stop,
    connect: stop,
    concurrently: stop,
    need<Value>(value: Value | undefined, where: string): Value {
      if (value !== undefined) return value
      lacks.add(where)
      // oxlint-disable-next-line typescript/consistent-type-assertions -- never used: the probe ends at the first request or use
      return {} as Value
    },
  }
  await check.run(probe).catch(() => {})
  return [...lacks]
}
