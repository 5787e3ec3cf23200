import { StoreError } from '../contract/errors.ts'
import type { Call } from './call.ts'

/**
 * Reads the parameters with known names from a query, and ignores all other parameters. Does not decode `+` as a space.
 *
 * Throws StoreError `invalid_request` if a known parameter is repeated or its value cannot be decoded.
 */
export function readQuery(query: string, known: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {}
  if (query === '') return values
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const sent = decode(equals === -1 ? pair : pair.slice(0, equals))
    // A Set would be slower, because it hashes each name. In V8, the string from `known` is the fastest property key.
    const name = known.find((each) => each === sent)
    if (name === undefined) continue
    if (Object.hasOwn(values, name)) throw new StoreError('invalid_request', `${name}: must be sent only once`)
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1))
    if (value === undefined) throw new StoreError('invalid_request', `${name}: must be percent-encoded UTF-8`)
    values[name] = value
  }
  return values
}

/** Returns the names of all parameters in a query, except names that cannot be decoded. */
export function namesInQuery(query: string): readonly string[] {
  return query.split('&').flatMap((pair) => decode(pair.split('=', 1)[0] ?? '') ?? [])
}

function decode(encoded: string): string | undefined {
  if (!encoded.includes('%')) return encoded
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/** Returns a request body as a string. Throws StoreError if the content type is not JSON or the body is too large. */
export function readBody(call: Call, maxBytes: number): Promise<string> {
  if (!isJson(call.header('content-type') ?? '')) throw new StoreError('unsupported_media_type')
  return call.text(maxBytes)
}

const byteOrderMark = 0xfeff

/** Parses a request body. Throws StoreError `invalid_request` if the body is not a JSON object. */
export function parseBody(text: string): Readonly<Record<string, unknown>> {
  const body = parseJson(text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text)
  if (isObject(body)) return body
  throw new StoreError('invalid_request', 'body: must be a JSON object')
}

function isJson(contentType: string): boolean {
  return contentType === 'application/json' || contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StoreError('invalid_request', `body: must be valid JSON (${describeMistake(text)})`)
  }
}

function describeMistake(text: string): string {
  if (text.trim() === '') return 'the body is empty'
  const before = text.slice(0, findJsonMistake(text))
  if (before.length === text.length) return 'unexpected end'
  return `line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`
}

const space = String.raw`[ \t\n\r]*`
const sign = String.raw`[{}[\],:]`
const letters = String.raw`[^"\\\0-\x1f]*`
const escaped = String.raw`\\(?:["\\/bfnrt]|u[\da-fA-F]{4})`
const text = `"${letters}(?:${escaped}${letters})*"`
const word = String.raw`(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])`
const nextToken = new RegExp(`${space}(?:(${sign})|(${text})|${word})`, 'y')
const nextSpace = new RegExp(space, 'y')

/**
 * Returns the index of the first character that makes JSON invalid. Returns the length of the text if the JSON is only
 * incomplete.
 */
export function findJsonMistake(json: string): number {
  const open: string[] = []
  let expected = valueFirst
  for (let at = 0; ; at = nextToken.lastIndex) {
    nextToken.lastIndex = at
    const match = nextToken.exec(json)
    const next = match === null ? undefined : expected(match[1] ?? (match[2] === undefined ? 'word' : 'text'), open)
    if (next === undefined) return startOf(json, at)
    expected = next
  }
}

/** State of the parser. Takes a token and returns the next state, or `undefined` for an unexpected token. */
type Expected = (token: string, open: string[]) => Expected | undefined

const valueFirst: Expected = (token, open) => {
  if (token === '{') return opened(open, '}', nameOrEnd)
  if (token === '[') return opened(open, ']', valueOrEnd)
  return token === 'text' || token === 'word' ? after : undefined
}
const valueOrEnd: Expected = (token, open) => (token === ']' ? after(token, open) : valueFirst(token, open))
const nameFirst: Expected = (token) => (token === 'text' ? colon : undefined)
const nameOrEnd: Expected = (token, open) => (token === '}' ? after(token, open) : nameFirst(token, open))
const colon: Expected = (token) => (token === ':' ? valueFirst : undefined)
const after: Expected = (token, open) => {
  if (token === ',' && open.length > 0) return open.at(-1) === '}' ? nameFirst : valueFirst
  return open.length > 0 && token === open.at(-1) ? closed(open) : undefined
}

function opened(open: string[], end: string, next: Expected): Expected {
  open.push(end)
  return next
}

function closed(open: string[]): Expected {
  open.pop()
  return after
}

function startOf(json: string, at: number): number {
  nextSpace.lastIndex = at
  nextSpace.exec(json)
  return nextSpace.lastIndex
}
