import { setMaxListeners } from 'node:events'
import { describeReply, describeRequest, type Reply, removeKeys } from '../http/reply.ts'
import { escapeUnsafe } from '../http/escape.ts'
import type { HideKeys } from '../http/hide-keys.ts'
import type { Check, FailureDetails, Wanted } from './check.ts'
import type { RequirementId } from './requirement.ts'

/** A failed requirement, with the request, the response and the expectation. */
export class CheckFailure extends Error implements Required<FailureDetails> {
  override readonly name = 'CheckFailure'
  readonly requirement: RequirementId
  readonly expected: string
  readonly received: string
  readonly reply: Reply | undefined
  readonly calls: readonly Reply[]
  readonly noAnswer: string | undefined
  readonly steps: readonly Reply[]
  declare readonly cause: string | undefined
  readonly wanted: Wanted

  constructor(details: FailureDetails) {
    const { requirement, expected, received, reply, calls = [], noAnswer, steps = [], cause, wanted = {} } = details
    const came = reply === undefined ? 'nothing' : describeReply(reply)
    const lines = [`${requirement}: expected ${expected}`, `received ${received ?? came}`]
    if (reply !== undefined) lines.push(`for ${describeRequest(reply.request)}`)
    if (reply !== undefined && received !== undefined) lines.push(`response ${came}`)
    super(escapeUnsafe(lines.join('\n  ')), cause === undefined ? {} : { cause })
    this.requirement = requirement
    this.expected = expected
    this.received = received ?? came
    this.reply = reply
    this.calls = calls
    this.noAnswer = noAnswer
    this.steps = steps
    this.wanted = wanted
  }
}

/** The requests and responses of a check so far. */
export type Evidence = ReturnType<typeof createEvidence>

/** Maximum number of requests that a failure contains. */
const maxCalls = 12

/** Creates the record of a check's requests and responses. */
export function createEvidence(check: Check, hide: HideKeys, now: () => number) {
  const calls: Reply[] = []

  /**
   * Returns the last response; `undefined` in a stress check, where the failure may belong to any concurrent request.
   */
  const last = () => (check.mode === 'stress' ? undefined : calls.at(-1))

  return {
    record(reply: Reply): void {
      calls.push({ ...reply, endedAt: now() })
      if (calls.length > maxCalls) calls.shift()
    },
    /** Creates a failure with the preceding requests, without the API keys. */
    failure({
      requirement,
      expected,
      received,
      noAnswer,
      steps,
      cause,
      wanted,
      ...details
    }: FailureDetails): CheckFailure {
      // The requests after the steps only bring back the state of the customers.
      const { reply = steps?.at(-1) ?? last() } = details
      return new CheckFailure({
        requirement,
        expected: hide(expected),
        ...(received !== undefined && { received: hide(received) }),
        reply: reply && removeKeys(reply, hide),
        calls: (steps ?? calls).map((call) => removeKeys(call, hide)),
        noAnswer: noAnswer && hide(noAnswer),
        steps: steps?.map((step) => removeKeys(step, hide)),
        cause,
        wanted,
      })
    },
  }
}

/** Thrown if a check cannot run with this shop, profile or environment. */
export class CheckSkip extends Error {
  override readonly name: string = 'CheckSkip'
  /** Whether earlier requests used up the test data that the check needs. */
  readonly spent: boolean
  /** The missing field of the profile, such as `customers.subscribed`. */
  readonly lacks: string | undefined

  constructor(reason: string, spent: boolean, lacks?: string) {
    super(reason)
    this.spent = spent
    this.lacks = lacks
  }
}

/** Thrown if the shop rate-limits a request and the run does not wait. */
export class CheckPause extends CheckSkip {
  override readonly name = 'CheckPause'
  /** Required pause before the next request, in seconds. */
  readonly seconds: number

  constructor(seconds: number) {
    super(`the shop's rate limit requires a pause of ${seconds} s`, false)
    this.seconds = seconds
  }
}

/** Thrown if a check needs a request that a read-only run does not send. */
export class CheckReadOnly extends CheckSkip {
  override readonly name = 'CheckReadOnly'

  constructor() {
    super('a read-only run sends only GET, HEAD and OPTIONS requests', false)
  }
}

/** Thrown if a check exceeds its time limit. */
export class CheckTimeUp extends Error {
  override readonly name = 'CheckTimeUp'
}

/** Skip reason of the checks that are not complete when a run is stopped. */
export const wasStopped = 'the run was stopped before this check was complete'

/** Creates a signal that aborts after the maximum duration of a check, or when the run is aborted. */
export function createLimit(options: {
  readonly checkTimeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}): { readonly signal: AbortSignal; end(): void } {
  const { checkTimeoutMs = 120_000, signal: run } = options
  const controller = new AbortController()
  // Every pending request adds a listener, so Node would warn about too many listeners.
  setMaxListeners(0, controller.signal)
  const timer = setTimeout(() => {
    controller.abort(new CheckTimeUp(`not finished after ${Math.round(checkTimeoutMs / 1000)} s`))
  }, checkTimeoutMs)
  const stop = () => controller.abort(new CheckSkip(wasStopped, false))
  run?.addEventListener('abort', stop)
  if (run?.aborted === true) stop()
  return {
    /** Aborts when the check must end. The check fails or is skipped with the abort reason. */
    signal: controller.signal,
    /** Cancels the pending requests at the end of the check. */
    end() {
      clearTimeout(timer)
      run?.removeEventListener('abort', stop)
      controller.abort(new CheckSkip('the check has ended', false))
    },
  }
}
