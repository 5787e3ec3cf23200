import type { CheckFailure } from '../engine/check-end.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { PlainRequest } from '../http/plain-http.ts'
import { describeReply, describeRequest, type Reply } from '../http/reply.ts'
import { requirementOf, topicOf } from '../run/topics.ts'
import type { Finding, ReceivedAnswer } from './report.ts'

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

/** One line of what is told about a finding. */
export interface FindingRow {
  /** What it is called. */
  readonly name: string
  /** What it says; in words, backticks stand for code. */
  readonly value: string
  /** Whether it is text for machines rather than words. */
  readonly isCode: boolean
}

/** What every output tells about a finding, in this order; what a shop sent stays as it came, so each output escapes it. */
export function findingRows(finding: Finding): readonly FindingRow[] {
  const { curl, answer, received, expected, requirement, source, reference, sentence, reason, cause } = finding
  const isFoundApart = answer !== null && !isWholeAnswer(received, answer.body)
  const see = reference === null ? '' : ` See ${reference}.`
  return [
    ...(curl === null ? [] : [{ name: 'call', value: curl, isCode: true }]),
    { name: 'came back', value: answer === null ? received : answerWords(answer), isCode: true },
    { name: 'expected', value: expected.replaceAll('`', ''), isCode: true },
    ...(isFoundApart ? [{ name: 'found', value: received, isCode: true }] : []),
    { name: 'says so', value: `${requirement}, ${source}: ${sentence}${see}`, isCode: false },
    { name: 'because', value: reason, isCode: false },
    { name: 'usually', value: cause, isCode: false },
  ]
}

function answerWords({ status, body }: ReceivedAnswer): string {
  return `${status} ${body === '' ? 'without a body' : body}`
}

/** Whether what was found is the answer as a whole, which is shown already. */
function isWholeAnswer(received: string, body: string): boolean {
  return received === 'something else' || /^\d{3} /.test(received) || received === body
}

/** The shell variable that stands for the API key; the command reads the key from it too. */
export const keyVariable = 'STOREPORT_API_KEY'

/** The shell variable that stands for the second API key. */
const secondKeyVariable = 'STOREPORT_SECOND_API_KEY'

/** How much of a body, or of the value of a header, is shown, in characters. */
const longest = 1500

/** A request as a line for a shell; `request` must be one without the keys. */
export function curlLine(baseUrl: string, request: PlainRequest): string {
  const { method, target, headers, body } = request
  const words = ['curl -i']
  if (/\/\.{1,2}(?:[/?]|$)/.test(target)) words.push('--path-as-is')
  if (method === 'HEAD') words.push('--head')
  else if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`-X ${method}`)
  words.push(quote(baseUrl.replace(/\/$/, '') + target))
  for (const [name, value] of headers) words.push(`-H ${headerWord(name, value)}`)
  if (body === undefined) return words.join(' ')
  // Without a content type, curl says that a body is a form.
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) words.push("-H 'Content-Type:'")
  return [...words, ...bodyWords(body)].join(' ')
}

function bodyWords(body: NonNullable<PlainRequest['body']>): readonly string[] {
  if (!(body instanceof Uint8Array))
    return ["-H 'Transfer-Encoding: chunked' --data-binary @-  # the body comes in pieces"]
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  if (text.length <= longest) return [`--data-raw ${quote(text)}`]
  return [`--data-raw ${quote(text.slice(0, longest))}  # and more: ${body.byteLength} bytes in all`]
}

function headerWord(name: string, value: string): string {
  if (value === '<key>') return `"${name}: $${keyVariable}"`
  if (value === '<second key>') return `"${name}: $${secondKeyVariable}"`
  if (value.length > longest)
    return `${quote(`${name}: ${value.slice(0, longest)}`)}  # and more: ${value.length} letters in all`
  // A header without a value is written with a semicolon.
  return quote(value === '' ? `${name};` : `${name}: ${value}`)
}

/** A word for a POSIX shell; control characters need the form that bash and zsh know. */
function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (!/[\u0000-\u001f\u007f]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const escaped = text.replace(/[\\'\u0000-\u001f\u007f]/g, (letter) =>
    letter === '\\' || letter === "'" ? `\\${letter}` : `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `$'${escaped}'`
}
