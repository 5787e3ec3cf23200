import { endpoints, StoreError } from '@storeport/core'
import type { PlainRequest, PlainResponse } from '@storeport/conformance'
import { hiddenKey, hideKey } from './hide-key.ts'
import type { CallRequest, Exchange } from './protocol.ts'
import type { ShopConnection } from './shop-connection.ts'

/** Time for an answer, in milliseconds: a little more than the 10 s that a shop gives its store. */
const timeoutMs = 15_000

/** Longest body that is shown, in characters. */
const longestBody = 1_048_576

type Header = readonly [name: string, value: string]

/** Makes one call with the key and returns what went over the wire, without it; throws StoreError `invalid_request` for an input that HTTP cannot carry. */
export async function callShop(shop: ShopConnection, call: CallRequest, testMode: boolean): Promise<Exchange> {
  const { method, path } = endpoints[call.endpoint]
  const query = method === 'GET' ? writeQuery(call.input) : ''
  const body = method === 'POST' ? JSON.stringify(call.input) : null
  const target = shop.names.basePath + path + query
  const headers: Header[] = [['Accept', 'application/json']]
  if (body !== null) headers.push(['Content-Type', 'application/json'])
  const shownHeaders: Header[] = testMode ? [...headers, [shop.names.testModeHeader, 'true']] : headers

  const sent = await sendTimed(shop, testMode, {
    method,
    target,
    headers: [[shop.names.apiKeyHeader, shop.apiKey], ...headers],
    body: body === null ? undefined : new TextEncoder().encode(body),
  })
  return {
    request: {
      method,
      url: shop.baseUrl() + target,
      headers: [[shop.names.apiKeyHeader, hiddenKey], ...shownHeaders],
      body,
    },
    ...sent,
  }
}

async function sendTimed(
  shop: ShopConnection,
  testMode: boolean,
  request: PlainRequest,
): Promise<Pick<Exchange, 'response' | 'problem' | 'durationMs'>> {
  const signal = AbortSignal.timeout(timeoutMs)
  const started = performance.now()
  const durationMs = () => Math.round((performance.now() - started) * 10) / 10
  try {
    const { status, headers, body } = await shop.sender(testMode)({ ...request, signal })
    return { response: hideKeyIn({ status, headers, body }, shop.apiKey), problem: null, durationMs: durationMs() }
  } catch (error) {
    const problem = signal.aborted
      ? `no answer within ${timeoutMs / 1000} seconds`
      : `no connection${describeCode(error)}`
    return { response: null, problem, durationMs: durationMs() }
  }
}

function hideKeyIn({ status, headers, body }: PlainResponse, apiKey: string): PlainResponse {
  return {
    status,
    headers: headers.map(([name, value]) => [name, hideKey(value, apiKey)]),
    body: hideKey(body, apiKey).slice(0, longestBody),
  }
}

function writeQuery(input: CallRequest['input']): string {
  const pairs = Object.entries(input)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${encodeText(name)}=${encodeText(String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function encodeText(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text)
  throw new StoreError('invalid_request', 'input: must not hold half a surrogate pair')
}

/** The system's word for what went wrong; messages may hold addresses. */
function describeCode(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : ''
}
