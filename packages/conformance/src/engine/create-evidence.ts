import type { Check } from './check.ts'
import { CheckFailure, type FailureDetails } from './check-failure.ts'
import type { HideKeys } from '../http/hide-keys.ts'
import { type Reply, withoutKeys } from '../http/reply.ts'

/** What a check has seen of a shop so far. */
export interface Evidence {
  /** Remembers what came back for a call. */
  keep(reply: Reply): void
  /** Makes a failure with the calls that led to it, all of it without the API keys. */
  failure(details: FailureDetails): CheckFailure
}

/** How many calls before a failure are kept. */
const mostCalls = 12

/** Starts to collect what a check sees. */
export function createEvidence(check: Check, hide: HideKeys): Evidence {
  const calls: Reply[] = []

  /** Of calls that are made at once, nobody knows which one a failure is about. */
  const last = () => (check.mode === 'stress' ? undefined : calls.at(-1))

  return {
    keep(reply) {
      calls.push(reply)
      if (calls.length > mostCalls) calls.shift()
    },
    failure({ requirement, expected, received, noAnswer, reply = last() }) {
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
