import type { Call } from './call.ts'
import { StoreError } from '../errors.ts'
import { findJsonMistake } from './find-json-mistake.ts'

/** The body of a call as text; throws StoreError for another media type than JSON and for too many bytes. */
export function readBody(call: Call, maxBytes: number): Promise<string> {
  if (!isJson(call.header('content-type') ?? '')) throw new StoreError('unsupported_media_type')
  return call.text(maxBytes)
}

const byteOrderMark = 0xfeff

/** The JSON object that a body holds; throws StoreError `invalid_request` for anything else. */
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
    throw new StoreError('invalid_request', `body: must be valid JSON, ${whereItBreaks(text)}`)
  }
}

function whereItBreaks(text: string): string {
  if (text.trim() === '') return 'it is empty'
  const before = text.slice(0, findJsonMistake(text))
  if (before.length === text.length) return 'it ends too soon'
  return `see line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`
}
