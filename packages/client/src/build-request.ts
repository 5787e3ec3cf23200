import { type Endpoint, StoreError } from '@storeport/core'
import type { CallOptions } from './client.ts'
import { isHeaderText, type Settings } from './settings.ts'

/** Arguments of a `fetch` call, without the signal. */
export interface OutgoingRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/**
 * Builds the HTTP request for a client call. Omits input fields that the endpoint does not define, because they may
 * contain private data of the customer.
 */
export function buildRequest(
  endpoint: Endpoint,
  input: object,
  call: CallOptions,
  settings: Settings,
): OutgoingRequest {
  const { method } = endpoint
  const url = settings.baseUrl + settings.basePath + endpoint.path
  const fields = pickFields(endpoint, input)
  const headers: Record<string, string> = { Accept: 'application/json', [settings.apiKeyHeader]: settings.apiKey }
  if (settings.testMode || call.testMode === true) headers[settings.testModeHeader] = 'true'
  if (isHeaderText(call.requestId)) headers['X-Request-Id'] = call.requestId
  if (method === 'GET') return { url: url + writeQuery(fields), method, headers, body: null }
  headers['Content-Type'] = 'application/json'
  if (call.idempotencyKey !== undefined) headers['Idempotency-Key'] = checkKey(call.idempotencyKey)
  return { url, method, headers, body: JSON.stringify(Object.fromEntries(fields)) }
}

function pickFields(endpoint: Endpoint, input: object): [string, unknown][] {
  return Object.keys(endpoint.input._zod.def.shape)
    .map((name): [string, unknown] => [name, Reflect.get(input, name)])
    .filter(([, value]) => value !== undefined && value !== null)
}

function writeQuery(fields: readonly [string, unknown][]): string {
  const pairs = fields.map(([name, value]) => `${name}=${encodeValue(name, String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Encodes `+` as `%2B` and a space as `%20`, which all servers decode in the same way. */
function encodeValue(name: string, value: string): string {
  if (value.isWellFormed()) return encodeURIComponent(value)
  throw new StoreError('invalid_request', `${name}: must not contain a lone surrogate`)
}

/**
 * Throws TypeError if the key cannot be sent as a header. Without the key, the shop would apply a repeated click twice.
 */
function checkKey(key: string): string {
  if (isHeaderText(key) && key.length <= 255) return key
  throw new TypeError('idempotencyKey: must be 1 to 255 visible ASCII characters')
}
