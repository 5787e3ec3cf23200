import type { CheckFailure } from '../engine/check-end.ts'
import { type Level, origins } from '../engine/requirement.ts'
import type { PlainRequest } from '../http/plain-http.ts'
import { describeReply, describeRequest, type Reply } from '../http/reply.ts'
import { requirementOf } from '../run/topics.ts'
import { diagnose } from './likely-cause.ts'
import type { Finding, ReceivedAnswer } from './report.ts'

/** Maximum length of a recorded response body, in characters. */
const maxBodyLength = 4000

/** Converts a failure to plain data. The level defaults to the level in the current contract. */
export function findingOf(
  failure: CheckFailure,
  baseUrl: string,
  level: Level = requirementOf(failure.requirement).level,
  failsRetry2 = false,
): Finding {
  const { requirement, expected, received, reply, calls, steps } = failure
  const { sentence, reason } = requirementOf(requirement)
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
    curl: curlOf(baseUrl, steps, reply),
    answer: answered ? { status: reply.status, headers: reply.headers, body: shorten(reply.text) } : null,
    before: precedingCalls(calls, reply).map((call) => `${describeRequest(call.request)} → ${describeReply(call)}`),
  }
}

/** Returns the request, or the requests that reproduce the failure, as curl commands on one line each. */
function curlOf(baseUrl: string, steps: readonly Reply[], reply: Reply | undefined): string | null {
  if (steps.length > 0) return steps.map(({ request }) => curlLine(baseUrl, request)).join('\n')
  return reply === undefined ? null : curlLine(baseUrl, reply.request)
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
  /** Whether the text is code instead of prose. */
  readonly isCode: boolean
}

/** Returns the rows of a finding. Does not escape data from the shop, so each output format must escape the rows. */
export function findingRows(finding: Finding): readonly FindingRow[] {
  const { curl, answer, received, expected, requirement, source, sentence, reason, cause } = finding
  const showsReceived = answer !== null && !isWholeResponse(received, answer.body)
  return [
    ...(curl === null ? [] : [{ name: 'request', value: curl, isCode: true }]),
    { name: 'response', value: answer === null ? received : describeResponse(answer), isCode: true },
    { name: 'expected', value: expected.replaceAll('`', ''), isCode: true },
    ...(showsReceived ? [{ name: 'found', value: received, isCode: true }] : []),
    { name: 'requirement', value: `${requirement} (${source}): ${sentence}`, isCode: false },
    { name: 'why it matters', value: reason, isCode: false },
    { name: 'likely cause', value: cause, isCode: false },
  ]
}

function describeResponse({ status, body }: ReceivedAnswer): string {
  return `${status} ${body === '' ? 'without a body' : body}`
}

/** Returns whether the received value only repeats the response, which has its own row. */
function isWholeResponse(received: string, body: string): boolean {
  return /^\d{3} /.test(received) || received === body
}

/** Environment variable for the API key, used in curl commands and read by the CLI. */
export const keyVariable = 'STOREPORT_API_KEY'

/** Environment variable for the second API key. */
const secondKeyVariable = 'STOREPORT_SECOND_API_KEY'

/** Maximum length of a body in a curl command, in characters. */
const longestBody = 1500

/** Maximum length of a header value in a curl command, in characters. */
const longestHeader = 200

/** Formats a request as a curl command. The API keys must already be replaced by placeholders. */
export function curlLine(baseUrl: string, request: PlainRequest): string {
  const { method, target, headers, body } = request
  const words = ['curl -i']
  if (/\/\.{1,2}(?:[/?]|$)/.test(target)) words.push('--path-as-is')
  if (method === 'HEAD') words.push('--head')
  else if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`-X ${method}`)
  const base = baseUrl.replace(/\/$/, '')
  // The target of a CONNECT request or of a request to a proxy is not a path.
  if (target.startsWith('/')) words.push(quote(base + target))
  else words.push(`--request-target ${quote(target)}`, quote(base))
  const length = body instanceof Uint8Array ? String(body.byteLength) : ''
  // Headers that curl adds itself, so the command omits them.
  const usual = new Map([
    ['host', new URL(baseUrl).host],
    ['content-length', length],
  ])
  const others = headers.filter(([name, value]) => usual.get(name.toLowerCase()) !== value)
  for (const [name, value] of others) words.push(`-H ${headerArgument(name, value)}`)
  const notes = others.flatMap(([name, value]) =>
    value.length > longestHeader ? `  # truncated: ${quote(name)} has ${value.length} characters` : [],
  )
  if (body === undefined) return words.join(' ') + notes.join('')
  // By default, curl adds a content type that declares the body as a form.
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) words.push("-H 'Content-Type:'")
  return [...words, ...bodyArguments(body)].join(' ') + notes.join('')
}

function bodyArguments(body: NonNullable<PlainRequest['body']>): readonly string[] {
  if (!(body instanceof Uint8Array)) return ["-H 'Transfer-Encoding: chunked' --data-binary @-  # chunked body"]
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  if (text.length <= longestBody) return [`--data-raw ${quote(text)}`]
  return [`--data-raw ${quote(text.slice(0, longestBody))}  # truncated: ${body.byteLength} bytes in total`]
}

function headerArgument(name: string, value: string): string {
  if (value === '<key>') return `"${name}: $${keyVariable}"`
  if (value === '<second key>') return `"${name}: $${secondKeyVariable}"`
  // curl requires a semicolon after a header without a value.
  return quote(value === '' ? `${name};` : `${name}: ${value.slice(0, longestHeader)}`)
}

/** Control characters, and characters that are invisible or change the direction of text. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** Quotes a word for a POSIX shell. A word with unsafe characters is quoted as `$'…'`, which requires bash or zsh. */
function quote(text: string): string {
  if (!unsafe.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = Array.from(text, (letter) => {
    if (letter === '\\' || letter === "'") return `\\${letter}`
    return unsafe.test(letter)
      ? [...Buffer.from(letter)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
      : letter
  })
  return `$'${escaped.join('')}'`
}
