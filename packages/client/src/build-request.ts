import { type Endpoint, StoreError } from '@storeport/core'
import type { CallOptions } from './client.ts'
import { isHeaderText, type Settings } from './settings.ts'

/** A request as `fetch` takes it, without its signal. */
export interface OutgoingRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/**
 * Writes a call to an endpoint as an HTTP request.
 *
 * Only fields that the endpoint knows are sent: an object that holds more, such as a customer record, is not sent whole.
 */
export function buildRequest(
  endpoint: Endpoint,
  input: object,
  call: CallOptions,
  settings: Settings,
): OutgoingRequest {
  const { method } = endpoint
  const url = settings.baseUrl + settings.basePath + endpoint.path
  const fields = listKnownFields(endpoint, input)
  const headers: Record<string, string> = { Accept: 'application/json', [settings.apiKeyHeader]: settings.apiKey }
  if (settings.testMode || call.testMode === true) headers[settings.testModeHeader] = 'true'
  if (isHeaderText(call.requestId)) headers['X-Request-Id'] = call.requestId
  if (method === 'GET') return { url: url + writeQuery(fields), method, headers, body: null }
  headers['Content-Type'] = 'application/json'
  if (call.idempotencyKey !== undefined) headers['Idempotency-Key'] = checkKey(call.idempotencyKey)
  return { url, method, headers, body: JSON.stringify(Object.fromEntries(fields)) }
}

function listKnownFields(endpoint: Endpoint, input: object): [string, unknown][] {
  return Object.keys(endpoint.input._zod.def.shape)
    .map((name): [string, unknown] => [name, Reflect.get(input, name)])
    .filter(([, value]) => value !== undefined && value !== null)
}

function writeQuery(fields: readonly [string, unknown][]): string {
  const pairs = fields.map(([name, value]) => `${name}=${encodeValue(name, String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** A plus becomes `%2B` and a space `%20`, which every server reads in the same way. */
function encodeValue(name: string, value: string): string {
  if (value.isWellFormed()) return encodeURIComponent(value)
  throw new StoreError('invalid_request', `${name}: must not hold half a surrogate pair`)
}

/** A key that cannot be sent is an error: without it a repeat would count the click twice. */
function checkKey(key: string): string {
  if (isHeaderText(key) && key.length <= 255) return key
  throw new TypeError('idempotencyKey: must be 1 to 255 visible ASCII characters')
}
