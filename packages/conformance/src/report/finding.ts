import type { CheckFailure } from '../engine/check-end.ts'
import { origins } from '../engine/requirement.ts'
import { describeReply, describeRequest, type Reply } from '../http/reply.ts'
import { requirementOf } from '../run/topics.ts'
import { curlLine } from './curl-line.ts'
import { diagnose } from './likely-cause.ts'
import { findRepeatSteps, isConcurrent, pauseBetween, shownPauseMs } from './repeats.ts'
import type { Finding, ReceivedAnswer } from './report.ts'

/** Maximum length of a recorded response body, in characters. */
const maxBodyLength = 4000

/** Converts a failure to plain data. */
export function findingOf(failure: CheckFailure, baseUrl: string, failsRetry2 = false): Finding {
  const { requirement, expected, received, reply, calls, steps } = failure
  const { sentence, reason, level } = requirementOf(requirement)
  const answered = reply !== undefined && reply.status !== 0
  const { cause, key } = diagnose(failure, failsRetry2)
  return {
    requirement,
    level,
    sentence,
    source: origins[level],
    reason,
    expected: shorten(expected),
    received: shorten(received),
    cause,
    causeKey: key,
    request: reply === undefined ? null : `${reply.request.method} ${reply.request.target}`,
    curl: curlOf(baseUrl, steps.length > 0 ? steps : findRepeatSteps(failure, key), reply),
    answer: answered ? { status: reply.status, headers: reply.headers, body: shorten(reply.text) } : null,
    before: precedingCalls(calls, reply).map((call) => `${describeRequest(call.request)} → ${describeReply(call)}`),
  }
}

/**
 * Returns the request, or the requests that reproduce the failure, as curl commands on one line each. A command ends
 * with `&` if the next request was sent before its response.
 */
function curlOf(baseUrl: string, steps: readonly Reply[], reply: Reply | undefined): string | null {
  if (steps.length === 0) return reply === undefined ? null : curlLine(baseUrl, reply.request)
  const lines = steps.flatMap((step, index) => {
    const next = steps[index + 1]
    const pause = next === undefined ? 0 : pauseBetween(step, next)
    const line = curlLine(baseUrl, step.request)
    const seconds = Math.round(pause / 1000)
    return [
      next !== undefined && isConcurrent(step, next) ? `${line} &` : line,
      ...(pause >= shownPauseMs ? [`sleep ${seconds}`] : []),
    ]
  })
  return lines.join('\n')
}

/** Returns the requests before the failed request. The report shows the failed request separately. */
function precedingCalls(calls: readonly Reply[], reply: Reply | undefined): readonly Reply[] {
  const isSame = ({ request, text }: Reply) => request.target === reply?.request.target && text === reply.text
  const at = calls.findLastIndex(isSame)
  return at === -1 ? calls : calls.slice(0, at)
}

function shorten(text: string): string {
  return text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}… (${text.length} characters)` : text
}

/** One row of a finding in a report. */
export interface FindingRow {
  /** Label of the row. */
  readonly name: string
  /** Text of the row. In prose, backticks mark code. */
  readonly value: string
}

/** Returns the rows of a finding. Does not escape data from the shop, so each output format must escape the rows. */
export function findingRows(finding: Finding): readonly FindingRow[] {
  const { curl, answer, received, expected, requirement, source, sentence, reason, cause } = finding
  // A received value that only repeats the response is omitted, because the response has its own row.
  const showsReceived = answer !== null && !/^\d{3} /.test(received) && received !== answer.body
  return [
    ...(curl === null ? [] : [{ name: 'request', value: curl }]),
    { name: 'response', value: answer === null ? received : describeResponse(answer) },
    { name: 'expected', value: expected.replaceAll('`', '') },
    ...(showsReceived ? [{ name: 'found', value: received }] : []),
    { name: 'requirement', value: `${requirement} (${source}): ${sentence}` },
    { name: 'why it matters', value: reason },
    { name: 'likely cause', value: cause },
  ]
}

function describeResponse({ status, body }: ReceivedAnswer): string {
  return `${status} ${body === '' ? 'without a body' : body}`
}
