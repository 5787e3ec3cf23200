import { setMaxListeners } from 'node:events'
import type { EndpointName } from '@storeport/core'
import type { PlainRequest } from '../http/plain-http.ts'
import { describeReply, describeRequest, readReply, type Reply, removeKeys } from '../http/reply.ts'
import { reasonOf, TimeUp } from '../http/unreachable.ts'
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

  /** Returns the last response; `undefined` in a stress check, whose failure may belong to any concurrent request. */
  const last = () => (check.mode === 'stress' ? undefined : calls.at(-1))

  return {
    record(reply: Reply): void {
      calls.push({ ...reply, endedAt: now() })
      if (calls.length > maxCalls) calls.shift()
    },
    /** Records a request without a response, and creates the failure. */
    silence(request: PlainRequest, error: unknown, endpoint?: EndpointName): CheckFailure {
      const [requirement] = check.requirements
      const noAnswer = error instanceof TimeUp ? error.message : reasonOf(error)
      const received = error instanceof TimeUp ? `none ${noAnswer}` : `none (${noAnswer})`
      const reply = readReply(request, undefined, endpoint)
      this.record(reply)
      return this.failure({ requirement, expected: 'a response', received, reply, noAnswer })
    },
    /** Creates a failure with the preceding requests, without the API keys. */
    failure(details: FailureDetails): CheckFailure {
      // The requests after the steps only bring back the state of the customers.
      const { expected, received, noAnswer, steps, reply = steps?.at(-1) ?? last() } = details
      return new CheckFailure({
        ...details,
        expected: hide(expected),
        ...(received !== undefined && { received: hide(received) }),
        noAnswer: noAnswer && hide(noAnswer),
        reply: reply && removeKeys(reply, hide),
        calls: (steps ?? calls).map((call) => removeKeys(call, hide)),
        steps: steps?.map((step) => removeKeys(step, hide)),
      })
    },
  }
}

/**
 * Category of the reason for a skip.
 *
 * `profile`: the profile lacks fields. `spent`: earlier requests used up the test data. `offer`: the shop does not
 * offer an endpoint that the check needs. `pause`: the shop has a rate limit, and the run does not wait. `excused`: an
 * option excludes the check, or a capability is missing. `read-only`: the check needs a request that a read-only run
 * does not send. `other`: another reason.
 */
export type SkipCause =
  | { readonly kind: 'profile'; readonly lacks: readonly string[] }
  | { readonly kind: 'offer'; readonly lacks: readonly EndpointName[] }
  | { readonly kind: 'pause'; readonly seconds: number }
  | { readonly kind: 'spent' | 'read-only' | 'excused' | 'other' }

/** Thrown if a check cannot run with this shop, profile or environment. */
export class CheckSkip extends Error {
  override readonly name = 'CheckSkip'

  constructor(
    reason: string,
    /** Category of the reason. */
    readonly skipCause: SkipCause = { kind: 'other' },
  ) {
    super(reason)
  }
}

/** Returns the reason to skip a check that needs a request that a read-only run does not send. */
export function skipReadOnly(): CheckSkip {
  return new CheckSkip('a read-only run sends only GET, HEAD and OPTIONS requests', { kind: 'read-only' })
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
  const stop = () => controller.abort(new CheckSkip(wasStopped))
  run?.addEventListener('abort', stop)
  if (run?.aborted === true) stop()
  return {
    /** Aborts when the check must end. The check fails or is skipped with the abort reason. */
    signal: controller.signal,
    /** Cancels the pending requests at the end of the check. */
    end() {
      clearTimeout(timer)
      run?.removeEventListener('abort', stop)
      controller.abort(new CheckSkip('the check has ended'))
    },
  }
}
