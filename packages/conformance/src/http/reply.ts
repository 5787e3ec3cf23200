import type { EndpointName } from '@storeport/core'
import type { PlainRequest, PlainResponse } from './plain-http.ts'
import type * as z from 'zod/mini'

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value that a text of JSON holds; `undefined` for what is no JSON. */
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

/** What a value must be, in a few words, by what a schema finds wrong with it; what the schema says itself comes first. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.message !== 'Invalid input') return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords[issue.expected] ?? `a ${issue.expected}`}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined ? `must be ${oneOf(issue.options)}` : 'has no known form'
    case 'unrecognized_keys':
      return `must not hold ${issue.keys.join(', ')}`
    default:
      return 'is not valid'
  }
}

function oneOf(values: Iterable<unknown>): string {
  return [...values].map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(' or ')
}

/** What came back for one request, read as JSON where it is JSON. */
export interface Reply {
  /** The endpoint that was called by name; `undefined` for a request by path. */
  readonly endpoint: EndpointName | undefined
  /** What was sent. */
  readonly request: PlainRequest
  /** HTTP status; 0 when nothing came back. */
  readonly status: number
  /** Header lines as they came. */
  readonly headers: PlainResponse['headers']
  /** The body as text. */
  readonly text: string
  /** The body read as JSON; `undefined` when it is no JSON. */
  readonly json: unknown
  /** A header by its name, whatever its letter case; several of one name are joined by `, `. */
  header(name: string): string | undefined
}

/** Reads a response. */
export function readReply(request: PlainRequest, response: PlainResponse, endpoint?: EndpointName): Reply {
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

/** The data of an answer, if it is in its place. */
export function dataOf({ json }: Pick<Reply, 'json'>): unknown {
  return isObject(json) ? json['data'] : undefined
}

/** The reply as it can be printed: the keys neither in the request nor in what the shop made of it. */
export function withoutKeys({ endpoint, request, status, headers, text }: Reply, hide: HideKeys): Reply {
  const hideIn = (lines: Reply['headers']) => lines.map(([name, value]) => [name, hide(value)] as const)
  const body = request.body instanceof Uint8Array ? Buffer.from(hide(decode(request.body))) : request.body
  const shown = { ...request, target: hide(request.target), headers: hideIn(request.headers), body }
  return readReply(shown, { status, headers: hideIn(headers), body: hide(text) }, endpoint)
}

/** One line that shows a request: method, target and the start of its body. */
export function describeRequest(request: PlainRequest): string {
  const body = request.body instanceof Uint8Array ? ` ${shorten(decode(request.body))}` : ''
  return `${request.method} ${shorten(request.target)}${body}`
}

/** One line that shows what came back: status and the start of the body. */
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

/** An API key and the text that replaces it. */
interface Secret {
  /** The key; nothing is hidden for `undefined` and for fewer than 4 characters. */
  readonly key: string | undefined
  /** What is shown instead. */
  readonly shown: string
}

/** Takes keys out of a text. */
export type HideKeys = (text: string) => string

/**
 * Makes a function that takes API keys out of any text: in other letters, percent-encoded, escaped or in Base64, and any part that
 * is three quarters of a key or more, since a shop may repeat the almost right key of a check.
 */
export function createKeyHider(secrets: readonly Secret[]): HideKeys {
  const hiders = secrets.flatMap(({ key = '', shown }) =>
    key.length < 4 ? [] : formsOf(key).map((form) => (text: string) => withoutParts(text, form, shown)),
  )
  return (text) => hiders.reduce((hidden, hide) => hide(hidden), text)
}

function formsOf(key: string): readonly string[] {
  const base64 = [key, `:${key}`].map((text) => Buffer.from(text).toString('base64').replace(/=+$/, ''))
  return [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...base64])]
}

function withoutParts(text: string, secret: string, shown: string): string {
  const length = Math.min(secret.length, Math.max(8, Math.ceil(secret.length * 0.75)))
  const haystack = lower(text)
  const starts = partsOf(lower(secret), length)
    .flatMap((part) => placesOf(part, haystack))
    .toSorted((one, other) => one - other)
  let hidden = ''
  let end = 0
  for (const start of starts) {
    // Parts that overlap are one.
    if (start >= end) hidden += text.slice(end, start) + shown
    end = start + length
  }
  return hidden + text.slice(end)
}

/** Every part of the given number of letters. */
function partsOf(text: string, length: number): readonly string[] {
  const parts = Array.from({ length: text.length - length + 1 }, (_, start) => text.slice(start, start + length))
  return [...new Set(parts)]
}

function placesOf(part: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at)
  return places
}

/** In lower case, as long as that has the same length: a few letters grow. */
function lower(text: string): string {
  const lowered = text.toLowerCase()
  return lowered.length === text.length ? lowered : text
}
