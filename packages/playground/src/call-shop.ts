import { endpoints, StoreError } from '@storeport/core'
import type { PlainRequest, PlainResponse } from '@storeport/conformance'
import { hiddenKey, hideKey } from './hide-key.ts'
import type { CallRequest, Exchange } from './protocol.ts'
import type { ShopConnection } from './shop-connection.ts'

/** Request timeout, in milliseconds; longer than the default timeout of a store method, 10 s. */
const timeoutMs = 15_000

/** Maximum length of a displayed body, in characters. */
const maxBodyLength = 1_048_576

type Header = readonly [name: string, value: string]

/** Sends a request and returns the exchange without the API key; throws StoreError for a lone surrogate in a query. */
export async function callShop(shop: ShopConnection, call: CallRequest, testMode: boolean): Promise<Exchange> {
  const { method, path } = endpoints[call.endpoint]
  const query = method === 'GET' ? writeQuery(call.input) : ''
  const body = method === 'POST' ? JSON.stringify(call.input) : null
  const target = shop.names.basePath + path + query
  const headersWith = (key: string): Header[] => [
    [shop.names.apiKeyHeader, key],
    ['Accept', 'application/json'],
    ...(body === null ? [] : [['Content-Type', 'application/json'] as const]),
    ...(testMode ? [[shop.names.testModeHeader, 'true'] as const] : []),
  ]
  const sentBody = body === null ? undefined : new TextEncoder().encode(body)
  const sent = await sendTimed(shop, { method, target, headers: headersWith(shop.apiKey), body: sentBody })
  return { request: { method, url: shop.baseUrl() + target, headers: headersWith(hiddenKey), body }, ...sent }
}

async function sendTimed(
  shop: ShopConnection,
  request: PlainRequest,
): Promise<Pick<Exchange, 'response' | 'problem' | 'durationMs'>> {
  const signal = AbortSignal.timeout(timeoutMs)
  const started = performance.now()
  const durationMs = () => Math.round((performance.now() - started) * 10) / 10
  try {
    const { status, headers, body } = await shop.sender(false)({ ...request, signal })
    return { response: hideKeyIn({ status, headers, body }, shop.apiKey), problem: null, durationMs: durationMs() }
  } catch (error) {
    const problem = signal.aborted
      ? `no response within ${timeoutMs / 1000} seconds`
      : `connection failed${describeCode(error)}`
    return { response: null, problem, durationMs: durationMs() }
  }
}

function hideKeyIn({ status, headers, body }: PlainResponse, apiKey: string): PlainResponse {
  return {
    status,
    headers: headers.map(([name, value]) => [name, hideKey(value, apiKey)]),
    body: hideKey(body, apiKey).slice(0, maxBodyLength),
  }
}

function writeQuery(input: CallRequest['input']): string {
  const pairs = Object.entries(input)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${encodeString(name)}=${encodeString(String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function encodeString(value: string): string {
  if (value.isWellFormed()) return encodeURIComponent(value)
  throw new StoreError('invalid_request', 'input: must not contain a lone surrogate')
}

/** Returns the system error code, such as `ECONNREFUSED`. Omits the error message, because it may contain a URL. */
function describeCode(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : ''
}
