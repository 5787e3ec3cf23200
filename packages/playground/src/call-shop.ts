import { endpoints, StoreError } from '@storeport/core'
import { hiddenKey, hideKey } from './hide-key.ts'
import type { CallRequest, Exchange, ShopResponse } from './protocol.ts'
import type { ShopConnection } from './shop-connection.ts'

/** Request timeout, in milliseconds; longer than the default timeout of a store method, 10 s. */
const timeoutMs = 15_000

/** Maximum length of a displayed body, in characters. */
const maxBodyLength = 1_048_576

type Header = [name: string, value: string]

/** Sends a request and returns the exchange without the API key; throws StoreError for a lone surrogate in a query. */
export async function callShop(shop: ShopConnection, call: CallRequest): Promise<Exchange> {
  const { method, path } = endpoints[call.endpoint]
  const query = method === 'GET' ? writeQuery(call.input) : ''
  const body = method === 'POST' ? JSON.stringify(call.input) : null
  const url = shop.baseUrl() + shop.names.basePath + path + query
  const headersWith = (key: string): Header[] => [
    [shop.names.apiKeyHeader, key],
    ['Accept', 'application/json'],
    ...(body === null ? [] : [['Content-Type', 'application/json'] satisfies Header]),
  ]
  const sent = await sendTimed(shop, url, { method, headers: headersWith(shop.apiKey), body })
  return { request: { method, url, headers: headersWith(hiddenKey), body }, ...sent }
}

async function sendTimed(
  shop: ShopConnection,
  url: string,
  init: { method: string; headers: Header[]; body: string | null },
): Promise<Pick<Exchange, 'response' | 'problem' | 'durationMs'>> {
  const signal = AbortSignal.timeout(timeoutMs)
  const started = performance.now()
  const durationMs = () => Math.round((performance.now() - started) * 10) / 10
  try {
    const response = await shop.send(new Request(url, { ...init, signal, redirect: 'manual' }))
    const received = { status: response.status, headers: [...response.headers], body: await response.text() }
    return { response: hideKeyIn(received, shop.apiKey), problem: null, durationMs: durationMs() }
  } catch (error) {
    const problem = signal.aborted
      ? `no response within ${timeoutMs / 1000} seconds`
      : `connection failed${describeCode(error)}`
    return { response: null, problem, durationMs: durationMs() }
  }
}

function hideKeyIn({ status, headers, body }: ShopResponse, apiKey: string): ShopResponse {
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
  const { cause } = Object(error)
  const code: unknown = Object(cause ?? error).code
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : ''
}
