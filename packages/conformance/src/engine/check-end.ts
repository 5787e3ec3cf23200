import { setMaxListeners } from 'node:events'
import { describeReply, describeRequest, type HideKeys, type Reply, withoutKeys } from '../http/reply.ts'
import type { Check } from './check.ts'
import type { RequirementId } from './requirement.ts'

/** What a failed expectation tells. */
export interface FailureDetails {
  /** The requirement that does not hold. */
  readonly requirement: RequirementId
  /** What should have been. */
  readonly expected: string
  /** What was instead; default: what came back. */
  readonly received?: string
  /** The request, without the API key, and what came back. */
  readonly reply?: Reply | undefined
  /** The last calls of the check up to that one, oldest first, without the API key. */
  readonly calls?: readonly Reply[]
  /** Why nothing came back: an error code such as `ECONNREFUSED`, or `within … ms`. */
  readonly noAnswer?: string | undefined
}

/** A requirement does not hold; shows the request, what came back and what was expected. */
export class CheckFailure extends Error implements Required<FailureDetails> {
  override readonly name = 'CheckFailure'
  readonly requirement: RequirementId
  readonly expected: string
  readonly received: string
  readonly reply: Reply | undefined
  readonly calls: readonly Reply[]
  readonly noAnswer: string | undefined

  constructor({ requirement, expected, received, reply, calls = [], noAnswer }: FailureDetails) {
    const came = reply === undefined ? 'nothing' : describeReply(reply)
    const lines = [`${requirement}: expected ${expected}`, `received ${received ?? came}`]
    if (reply !== undefined) lines.push(`for ${describeRequest(reply.request)}`)
    if (reply !== undefined && received !== undefined) lines.push(`answered ${came}`)
    super(lines.join('\n  '))
    this.requirement = requirement
    this.expected = expected
    this.received = received ?? came
    this.reply = reply
    this.calls = calls
    this.noAnswer = noAnswer
  }
}

/** What a check has seen of a shop so far. */
export type Evidence = ReturnType<typeof createEvidence>

/** How many calls before a failure are kept. */
const mostCalls = 12

/** Starts to collect what a check sees. */
export function createEvidence(check: Check, hide: HideKeys) {
  const calls: Reply[] = []

  /** Of calls that are made at once, nobody knows which one a failure is about. */
  const last = () => (check.mode === 'stress' ? undefined : calls.at(-1))

  return {
    /** Remembers what came back for a call. */
    keep(reply: Reply): void {
      calls.push(reply)
      if (calls.length > mostCalls) calls.shift()
    },
    /** Makes a failure with the calls that led to it, all of it without the API keys. */
    failure({ requirement, expected, received, noAnswer, reply = last() }: FailureDetails): CheckFailure {
      return new CheckFailure({
        requirement,
        expected: hide(expected),
        ...(received !== undefined && { received: hide(received) }),
        reply: reply && withoutKeys(reply, hide),
        calls: calls.map((call) => withoutKeys(call, hide)),
        noAnswer: noAnswer && hide(noAnswer),
      })
    },
  }
}

/** A check cannot be made here. */
export class CheckSkip extends Error {
  override readonly name: string = 'CheckSkip'
  /** Whether earlier calls used up what the check needs, which a fresh server would have. */
  readonly spent: boolean
  /** The place in the profile that names nothing, such as `customers.subscribed`. */
  readonly lacks: string | undefined

  constructor(reason: string, spent: boolean, lacks?: string) {
    super(reason)
    this.spent = spent
    this.lacks = lacks
  }
}

/** The shop counts calls, and the run does not wait. */
export class CheckPause extends CheckSkip {
  override readonly name = 'CheckPause'
  /** How long the shop wants the next call to wait. */
  readonly seconds: number

  constructor(seconds: number) {
    super(`the shop counts calls and wants a pause of ${seconds} s`, false)
    this.seconds = seconds
  }
}

/** What a check that takes too long ends with. */
export class CheckTimeUp extends Error {
  override readonly name = 'CheckTimeUp'
}

/** The reason of the checks that a stopped run does not make. */
export const wasStopped = 'the run was stopped before'

/** Limits one check: by its time, and by the run that it is part of. */
export function createLimit(options: {
  readonly checkTimeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}): { readonly signal: AbortSignal; end(): void } {
  const { checkTimeoutMs = 120_000, signal: run } = options
  const controller = new AbortController()
  // Each call that is going on listens, and some checks make many at once.
  setMaxListeners(0, controller.signal)
  const timer = setTimeout(() => {
    controller.abort(new CheckTimeUp(`more calls to make after ${Math.round(checkTimeoutMs / 1000)} s`))
  }, checkTimeoutMs)
  const stop = () => controller.abort(new CheckSkip(wasStopped, false))
  run?.addEventListener('abort', stop)
  if (run?.aborted === true) stop()
  return {
    /** Fires when the check must end; its reason is what the check then ends with. */
    signal: controller.signal,
    /** Ends what the check has still going on; called when it is over. */
    end() {
      clearTimeout(timer)
      run?.removeEventListener('abort', stop)
      controller.abort(new CheckSkip('the check is over', false))
    },
  }
}
