import type { CheckFailure } from '../engine/check-end.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { PlainRequest } from '../http/plain-http.ts'
import { describeReply, describeRequest, type Reply } from '../http/reply.ts'
import { requirementOf, topicOf } from '../run/topics.ts'
import type { Finding, ReceivedAnswer } from './report.ts'

/** Maximum length of a recorded response body, in characters. */
const maxBodyLength = 4000

/** Converts a failure to plain data. */
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
    cause: findUsualCause(failure),
    request: reply === undefined ? null : `${reply.request.method} ${reply.request.target}`,
    curl: reply === undefined ? null : curlLine(baseUrl, reply.request),
    answer: answered ? { status: reply.status, headers: reply.headers, body: shorten(reply.text) } : null,
    before: precedingCalls(calls, reply).map((call) => `${describeRequest(call.request)} → ${describeReply(call)}`),
  }
}

/** Returns the requests before the failed request, which is shown separately. */
function precedingCalls(calls: readonly Reply[], reply: Reply | undefined): readonly Reply[] {
  const isSame = ({ request, text }: Reply) => request.target === reply?.request.target && text === reply.text
  const at = calls.findLastIndex(isSame)
  return at === -1 ? calls : calls.slice(0, at)
}

function shorten(text: string): string {
  return text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}… (${text.length} characters)` : text
}

/**
 * Returns the usual cause of a failure.
 *
 * The cause of a missing response, or of a response from a proxy, is more specific than the cause of the requirement.
 */
function findUsualCause(failure: CheckFailure): string {
  const { requirement, reply, noAnswer } = failure
  if (noAnswer?.startsWith('within') === true) return 'The server hangs or waits for data that never arrives.'
  if (noAnswer !== undefined) return 'The server crashed, or a proxy closed the connection.'
  if (reply?.status === 429) return 'The shop limits requests. Raise the limit for this run.'
  if (reply !== undefined && reply.status >= 300 && reply.status < 400)
    return 'A server in front of the API redirects the request.'
  if (/^\s*</.test(reply?.text ?? '')) return 'The framework or a proxy returned an HTML page.'
  if (reply !== undefined && reply.status >= 500) return 'The server threw an exception. Check its log.'
  return findRejectionCause(failure) ?? requirementOf(requirement).cause
}

/** Returns the cause of an unexpected error response. */
function findRejectionCause({ requirement, reply, expected }: CheckFailure): string | undefined {
  if (reply === undefined || reply.status < 400) return undefined
  const code = errorCodeOf(reply)
  const wanted = /^(?:status )?([1-5]\d\d)\b/.exec(expected)?.[1]
  if (wanted === undefined || requirement.startsWith('ERROR-')) return undefined
  if (wanted.startsWith('4')) {
    return wanted === String(reply.status) ? undefined : 'The request is rejected, but not with the specified status.'
  }
  if (code === 'customer_not_found')
    return 'The shop did not find this customer. Check the email address in the profile.'
  if (reply.status === 401 || reply.status === 403) return 'The valid key is rejected for this request.'
  if (reply.status === 405) return 'The path exists, but it is registered with another method.'
  if (code === 'invalid_request') return 'The shop rejects a valid field. The error message names the field.'
  return undefined
}

/** One row of a finding in a report. */
export interface FindingRow {
  /** Label of the row. */
  readonly name: string
  /** Text of the row. In prose, backticks mark code. */
  readonly value: string
  /** Whether the text is code instead of prose. */
  readonly isCode: boolean
}

/** Returns the rows of a finding in order. Data from the shop is not escaped, so each output format must escape it. */
export function findingRows(finding: Finding): readonly FindingRow[] {
  const { curl, answer, received, expected, requirement, source, reference, sentence, reason, cause } = finding
  const showsReceived = answer !== null && !isWholeResponse(received, answer.body)
  const see = reference === null ? '' : ` See ${reference}.`
  return [
    ...(curl === null ? [] : [{ name: 'request', value: curl, isCode: true }]),
    { name: 'response', value: answer === null ? received : describeResponse(answer), isCode: true },
    { name: 'expected', value: expected.replaceAll('`', ''), isCode: true },
    ...(showsReceived ? [{ name: 'found', value: received, isCode: true }] : []),
    { name: 'requirement', value: `${requirement}, ${source}: ${sentence}${see}`, isCode: false },
    { name: 'reason', value: reason, isCode: false },
    { name: 'usual cause', value: cause, isCode: false },
  ]
}

function describeResponse({ status, body }: ReceivedAnswer): string {
  return `${status} ${body === '' ? 'without a body' : body}`
}

/** Returns whether the received value is the whole response, which is already shown. */
function isWholeResponse(received: string, body: string): boolean {
  return received === 'something else' || /^\d{3} /.test(received) || received === body
}

/** Environment variable for the API key, used in curl commands and read by the CLI. */
export const keyVariable = 'STOREPORT_API_KEY'

/** Environment variable for the second API key. */
const secondKeyVariable = 'STOREPORT_SECOND_API_KEY'

/** Maximum length of a body or a header value in a curl command, in characters. */
const longest = 1500

/** Formats a request as a curl command. The API keys must already be replaced by placeholders. */
export function curlLine(baseUrl: string, request: PlainRequest): string {
  const { method, target, headers, body } = request
  const words = ['curl -i']
  if (/\/\.{1,2}(?:[/?]|$)/.test(target)) words.push('--path-as-is')
  if (method === 'HEAD') words.push('--head')
  else if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`-X ${method}`)
  words.push(quote(baseUrl.replace(/\/$/, '') + target))
  for (const [name, value] of headers) words.push(`-H ${headerArgument(name, value)}`)
  if (body === undefined) return words.join(' ')
  // Removes the content type that curl adds by default, which declares the body as a form.
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) words.push("-H 'Content-Type:'")
  return [...words, ...bodyArguments(body)].join(' ')
}

function bodyArguments(body: NonNullable<PlainRequest['body']>): readonly string[] {
  if (!(body instanceof Uint8Array)) return ["-H 'Transfer-Encoding: chunked' --data-binary @-  # chunked body"]
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  if (text.length <= longest) return [`--data-raw ${quote(text)}`]
  return [`--data-raw ${quote(text.slice(0, longest))}  # truncated: ${body.byteLength} bytes in total`]
}

function headerArgument(name: string, value: string): string {
  if (value === '<key>') return `"${name}: $${keyVariable}"`
  if (value === '<second key>') return `"${name}: $${secondKeyVariable}"`
  if (value.length > longest)
    return `${quote(`${name}: ${value.slice(0, longest)}`)}  # truncated: ${value.length} characters in total`
  // curl requires a semicolon after a header without a value.
  return quote(value === '' ? `${name};` : `${name}: ${value}`)
}

/** Quotes a word for a POSIX shell. A word with control characters requires bash or zsh, because of `$'…'`. */
function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (!/[\u0000-\u001f\u007f]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const escaped = text.replace(/[\\'\u0000-\u001f\u007f]/g, (letter) =>
    letter === '\\' || letter === "'" ? `\\${letter}` : `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `$'${escaped}'`
}
