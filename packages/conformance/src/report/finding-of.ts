import type { CheckFailure } from '../engine/check-failure.ts'
import { describeReply, describeRequest, type Reply } from '../http/reply.ts'
import { requirementOf, topicOf } from '../topics.ts'
import { curlLine } from './curl-line.ts'
import type { Finding } from './report.ts'
import { errorCodeOf } from '../engine/expectations.ts'

/** How much of an answer's body is kept, in characters. */
const longestBody = 4000

/** Makes plain data of a failure. */
export function findingOf(failure: CheckFailure, baseUrl: string): Finding {
  const { requirement, expected, received, reply, calls } = failure
  const { sentence, source, level, reason } = requirementOf(requirement)
  const section = level === 'must' ? topicOf(requirement)?.section : undefined
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

/** What usually causes a failure: what came back tells more than the requirement, when it is no answer of the API at all. */
function usualCause(failure: CheckFailure): string {
  const { requirement, reply, noAnswer } = failure
  if (noAnswer?.startsWith('within') === true) return 'The server hangs, or waits for something that never comes.'
  if (noAnswer !== undefined) return 'The server broke off: it crashed, or something in between cut the connection.'
  if (reply?.status === 429) return 'The shop counts calls: allow more of them for this run.'
  if (reply !== undefined && reply.status >= 300 && reply.status < 400)
    return 'Something in front of the API redirects.'
  if (/^\s*</.test(reply?.text ?? '')) return 'A web page came back: of the framework, or of a proxy in front of it.'
  if (reply !== undefined && reply.status >= 500) return 'An exception: the log of the server tells which one.'
  return causeOfRefusal(failure) ?? requirementOf(requirement).cause
}

/** What a refusal tells that is not the expected answer. */
function causeOfRefusal({ requirement, reply, expected }: CheckFailure): string | undefined {
  if (reply === undefined || reply.status < 400) return undefined
  const code = errorCodeOf(reply)
  const wanted = /^(?:status )?([1-5]\d\d)\b/.exec(expected)?.[1]
  if (wanted === undefined || requirement.startsWith('ERROR-')) return undefined
  if (wanted.startsWith('4')) {
    return wanted === String(reply.status)
      ? undefined
      : 'The call is refused, but with another status than the specified one.'
  }
  if (code === 'customer_not_found') return 'The shop does not know this customer: is the address in the profile right?'
  if (reply.status === 401 || reply.status === 403)
    return 'The key is refused for this call, though it is the right one.'
  if (reply.status === 405) return 'The path is there, but it is registered with another method.'
  if (code === 'invalid_request') return 'The shop refuses a field that is valid: its message says which one.'
  return undefined
}
