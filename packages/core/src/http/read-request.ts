import { StoreError } from '../contract/errors.ts'
import type { Call } from './call.ts'

/**
 * Reads the parameters with known names from a query, and ignores all other parameters. A `+` is a space, except in the
 * parameters `withPlus`.
 *
 * Throws StoreError `invalid_request` if a known parameter is repeated or its value cannot be decoded.
 */
export function readQuery(
  query: string,
  known: readonly string[],
  withPlus: readonly string[] = [],
): Record<string, string> {
  const values: Record<string, string> = {}
  if (query === '') return values
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const sent = decode(equals === -1 ? pair : pair.slice(0, equals))
    // A Set would be slower, because it hashes each name. In V8, the string from `known` is the fastest property key.
    const name = known.find((each) => each === sent)
    if (name === undefined) continue
    if (Object.hasOwn(values, name)) throw new StoreError('invalid_request', `${name}: must be sent only once`)
    const encoded = equals === -1 ? '' : pair.slice(equals + 1)
    const value = decode(encoded.includes('+') && !withPlus.includes(name) ? encoded.replaceAll('+', ' ') : encoded)
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

/** Returns a request body as a string. Throws StoreError unless it is JSON in UTF-8, without a coding and not too large. */
export function readBody(call: Call, maxBytes: number): Promise<string> {
  checkType(call.header('content-type') ?? '')
  checkCoding(call.header('content-encoding') ?? '')
  return call.text(maxBytes)
}

function checkType(contentType: string): void {
  if (/^application\/json(?:; ?charset=utf-8)?$/i.test(contentType)) return
  const end = contentType.indexOf(';')
  const type = end === -1 ? contentType : contentType.slice(0, end)
  if (type.trim().toLowerCase() !== 'application/json') throw new StoreError('unsupported_media_type')
  if (end === -1) return
  for (const [, name = '', quoted, plain = ''] of contentType.slice(end).matchAll(parameter)) {
    const charset = (quoted ?? plain).trim().toLowerCase()
    if (name.toLowerCase() !== 'charset' || ['utf-8', 'utf8', ''].includes(charset)) continue
    rejectType(`Content-Type: ${nameOf('charset', charset)} is not supported. Send the body in UTF-8.`)
  }
}

/** A parameter of a content type, with its value in quotes or without quotes. */
const parameter = /;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

function checkCoding(codings: string): void {
  if (codings === '') return
  const coding = codings
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .find((each) => each !== '' && each !== 'identity')
  if (coding === undefined) return
  rejectType(`Content-Encoding: ${nameOf('coding', coding)} is not supported. Send the body without compression.`)
}

/** Returns the name of a charset or a coding, unless the name is not safe to repeat. */
function nameOf(kind: string, name: string): string {
  return /^[\w.+-]{1,40}$/.test(name) ? `the ${kind} ${name}` : `this ${kind}`
}

function rejectType(message: string): never {
  throw new StoreError('unsupported_media_type', message)
}

const byteOrderMark = 0xfeff

/** Parses a request body. Throws StoreError `invalid_request` if the body is not a JSON object. */
export function parseBody(text: string): Readonly<Record<string, unknown>> {
  const body = parseJson(text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text)
  if (isObject(body)) return body
  throw new StoreError('invalid_request', 'body: must be a JSON object')
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
