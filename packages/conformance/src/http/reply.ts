import type { EndpointName } from '@storeport/core'
import { contentOf, type PlainRequest, type PlainResponse } from './plain-http.ts'
import { derivedFromKey, type HideKeys } from './hide-keys.ts'
import type * as z from 'zod/mini'

/** Returns whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON; `undefined` if the string is not valid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'an array',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
}

/** Parse options for `describeIssue`. Importing `zod` elsewhere in the process sets messages in English. */
export const ownMessages = { error: () => 'Invalid input' }

/** Describes the expected value for a schema issue. Uses the custom message of the schema if available. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.message !== 'Invalid input') return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords[issue.expected] ?? `a ${issue.expected}`}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined
        ? `must be ${oneOf(issue.options)}`
        : 'must match one of the allowed formats'
    case 'unrecognized_keys':
      return `must not contain ${issue.keys.join(', ')}`
    default:
      return 'is not valid'
  }
}

function oneOf(values: Iterable<unknown>): string {
  return [...values].map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(' or ')
}

/** The response to a request, parsed as JSON if possible. */
export interface Reply {
  /** The endpoint, if the request was sent by endpoint name; `undefined` if the request was sent to a path. */
  readonly endpoint: EndpointName | undefined
  /** The request. */
  readonly request: PlainRequest
  /** Time of the response, on the clock of `request.sentAt`; `undefined` if the request was not sent by a check. */
  readonly endedAt?: number | undefined
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** Header lines, unchanged. */
  readonly headers: PlainResponse['headers']
  /** The body as a string. */
  readonly text: string
  /** The body parsed as JSON; `undefined` if it is not valid JSON. */
  readonly json: unknown
  /** Returns the value of a header in any letter case, if present. Repeated values are joined with `, `. */
  header(name: string): string | undefined
}

const noResponse: PlainResponse = { status: 0, headers: [], body: '' }

/** Creates a Reply from a response, or from the lack of a response. */
export function readReply(request: PlainRequest, response = noResponse, endpoint?: EndpointName): Reply {
  return {
    endpoint,
    request,
    status: response.status,
    headers: response.headers,
    text: response.body,
    json: parseJson(response.body),
    header(name) {
      const lines = response.headers.filter(([other]) => other.toLowerCase() === name.toLowerCase())
      return lines.length === 0 ? undefined : lines.map(([, value]) => value).join(', ')
    },
  }
}

/** Returns the field `data` of a response body, if present. */
export function dataOf({ json }: Pick<Reply, 'json'>): unknown {
  return isObject(json) ? json['data'] : undefined
}

/** Headers that are computed from a body, so they reveal the length or a hash of a removed key. */
const bodyHeaders = /^(?:content-length|content-md5|(?:content-|repr-)?digest|etag)$/i

/** Returns a copy of a reply without the API keys in its request and response. */
export function removeKeys({ endpoint, request, endedAt, status, headers, text }: Reply, hide: HideKeys): Reply {
  const hideIn = (lines: Reply['headers'], isBodyChanged: boolean) =>
    lines.map((line) =>
      isBodyChanged && bodyHeaders.test(line[0]) ? ([line[0], derivedFromKey] as const) : hide.line(line),
    )
  /** Returns bytes unchanged if they contain no key, since they can have another encoding. */
  const hideBytes = (bytes: Uint8Array) => {
    const shown = hide(decode(bytes))
    return shown === decode(bytes) ? bytes : Buffer.from(shown)
  }
  const whole = contentOf(request)
  const hidden = hideBytes(whole)
  const content = hidden === whole ? request.body : hidden
  const shown = {
    ...request,
    target: hide(request.target),
    headers: hideIn(request.headers, content !== request.body),
    body: content,
    ...(request.sent !== undefined && { sent: hideBytes(request.sent) }),
  }
  const body = hide(text)
  return { ...readReply(shown, { status, headers: hideIn(headers, body !== text), body }, endpoint), endedAt }
}

/** Describes a request on one line: method, target and the start of its body. */
export function describeRequest(request: PlainRequest): string {
  const body = shorten(decode(contentOf(request)))
  return `${request.method} ${shorten(request.target)}${body === '' ? '' : ` ${body}`}`
}

/** Describes a response on one line: status and the start of the body. */
export function describeReply(reply: Reply): string {
  if (reply.status === 0) return 'nothing'
  return `${reply.status} ${reply.text === '' ? 'without a body' : shorten(reply.text)}`
}

function shorten(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
