import type { ClickResult } from '../contract/click.ts'
import { endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { StoreError } from '../contract/errors.ts'
import type { Call } from '../http/call.ts'
import { sha256 } from '../http/check-api-key.ts'
import type { Context, EndpointName } from '../contract/store-port.ts'
import type { ClickKeys } from './pending-click.ts'
import { dayMs } from './protocol.ts'

export type CheckedInput = Readonly<Record<string, unknown>>

/** A request that makes a change. */
export interface ClickRequest {
  readonly endpoint: EndpointName
  readonly input: CheckedInput
  /** Separates the clicks of shops that share a ledger. */
  readonly scope: string
  readonly testMode: boolean
  readonly key: string | undefined
  /** Window of an unnamed click, in milliseconds. */
  readonly windowMs: number
}

/**
 * Returns the identity of a click (rules 1 to 4; RETRY-1, RETRY-5). The identity excludes the API key, so that a retry
 * after a key rotation is the same click. Returns a promise only if the runtime hashes asynchronously.
 *
 * Hashes the names unless `isLocal` is true, so that a shared ledger contains no customer data.
 */
export function identifyClick(request: ClickRequest, isLocal: boolean): ClickKeys | Promise<ClickKeys> {
  const { endpoint, scope, testMode, key, windowMs } = request
  const prefix = `${scope}:${testMode ? 'test' : 'live'}:`
  const email = emailOf(request.input)
  const line = prefix + email
  const body = canonicalClick(endpoint, request.input)
  if (key === undefined && isLocal) return { customer: line, name: '', body, derivedKey: '', windowMs }
  const name = key === undefined ? '' : `${endpoint}:${key}`
  const derived = JSON.stringify(['storeport-click-2', prefix, email, name, body])
  const texts = isLocal ? [derived] : key === undefined ? [email, body] : [email, body, name, derived]
  const hashes = texts.map(sha256)
  const known = hashes.filter((digest) => typeof digest === 'string')
  return known.length === hashes.length ? keysOf(known) : Promise.all(hashes).then(keysOf)

  function keysOf(digests: readonly string[]): ClickKeys {
    const derivedKey = key === undefined ? '' : (digests.at(-1) ?? '')
    const named = { derivedKey, windowMs: key === undefined ? windowMs : dayMs }
    if (isLocal) return { customer: line, name, body, ...named }
    const [customer = '', bodyDigest = '', nameDigest = ''] = digests
    return { customer: prefix + customer, line, name: key === undefined ? '' : nameDigest, body: bodyDigest, ...named }
  }
}

/** Fields of each endpoint in a fixed sequence, with their defaults. */
const fieldsOf = forEachEndpoint((name) =>
  Object.entries(endpointRow(name).input._zod.def.shape)
    .map(([field, { _zod }]) => ({ field, value: 'defaultValue' in _zod.def ? _zod.def.defaultValue : undefined }))
    .toSorted((one, other) => (one.field < other.field ? -1 : 1)),
)

/** Serializes the endpoint and its input. Omits unknown fields and default values (rule 2). */
export function canonicalClick(endpoint: EndpointName, input: CheckedInput): string {
  const fields: unknown[] = [endpoint]
  for (const { field, value: unset } of fieldsOf[endpoint]) {
    const value = field === 'email' ? emailOf(input) : input[field]
    if (value !== undefined && value !== unset) fields.push(field, value)
  }
  return JSON.stringify(fields)
}

function emailOf({ email }: CheckedInput): string {
  return typeof email === 'string' ? email.toLowerCase() : ''
}

/** Returns the `Idempotency-Key`, without quotes. Throws StoreError unless it has 1–255 visible ASCII characters. */
export function readIdempotencyKey(call: Call): string | undefined {
  const header = call.header('idempotency-key')
  if (header === null || header === undefined) return undefined
  const key = /^".*"$/.test(header) ? header.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : header
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new StoreError('invalid_request', 'Idempotency-Key: must be 1 to 255 visible ASCII characters')
}

/** A global symbol, which all copies of this package in a process share. */
const mark = Symbol.for('storeport.storesClicks')

/**
 * Marks a method that stores `context.click` in the same transaction as its change, and returns the result of `once`. Such
 * a method needs no ledger.
 */
export function storesClicks<Input>(
  method: (input: Input, context: Context) => Promise<ClickResult>,
): (input: Input, context: Context) => Promise<void> {
  const keeping = async (input: Input, context: Context) => void (await method(input, context))
  return Object.assign(keeping, { [mark]: true })
}

/** Whether a method is marked with `storesClicks`. */
export function storesOwnClicks(method: object): boolean {
  return mark in method
}
