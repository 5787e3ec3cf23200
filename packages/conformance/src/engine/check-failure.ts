import { describeReply, describeRequest, type Reply } from '../http/reply.ts'
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
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure'
  /** The requirement that does not hold. */
  readonly requirement: RequirementId
  /** What should have been. */
  readonly expected: string
  /** What was instead. */
  readonly received: string
  /** The request, without the API key, and what came back. */
  readonly reply: Reply | undefined
  /** The last calls of the check up to that one, oldest first, without the API key. */
  readonly calls: readonly Reply[]
  /** Why nothing came back: an error code such as `ECONNREFUSED`, or `within … ms`. */
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
