import type { CheckFailure } from '../engine/check-failure.ts'
import { describeReply, describeRequest, type Reply } from '../http/reply.ts'
import { requirements, sectionOf } from '../requirements.ts'
import { curlLine } from './curl-line.ts'
import type { Finding } from './report.ts'
import { usualCause } from './usual-cause.ts'

/** How much of an answer's body is kept, in characters. */
const longestBody = 4000

/** Makes plain data of a failure. */
export function findingOf(failure: CheckFailure, baseUrl: string): Finding {
  const { requirement, expected, received, reply, calls } = failure
  const { sentence, source, level, reason } = requirements[requirement]
  const section = sectionOf(requirement)
  const answered = reply !== undefined && reply.status !== 0
  return {
    requirement,
    level,
    sentence,
    source,
    reference: section === undefined ? null : `docs/guide/api.md#${section}`,
    reason,
    expected: shorten(expected),
    received: shorten(received),
    cause: usualCause(failure),
    request: reply === undefined ? null : `${reply.request.method} ${reply.request.target}`,
    curl: reply === undefined ? null : curlLine(baseUrl, reply.request),
    answer: answered ? { status: reply.status, headers: reply.headers, body: shorten(reply.text) } : null,
    before: callsBefore(calls, reply).map((call) => `${describeRequest(call.request)} → ${describeReply(call)}`),
  }
}

/** The calls up to the one that the failure is about: that one is shown by itself. */
function callsBefore(calls: readonly Reply[], reply: Reply | undefined): readonly Reply[] {
  const isSame = ({ request, text }: Reply) => request.target === reply?.request.target && text === reply.text
  const at = calls.findLastIndex(isSame)
  return at === -1 ? calls : calls.slice(0, at)
}

function shorten(text: string): string {
  return text.length > longestBody ? `${text.slice(0, longestBody)}… (${text.length} characters)` : text
}
