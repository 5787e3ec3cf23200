import { endpoints, namesFor, StoreError } from '@storeport/core'
import type { Target } from './playground-options.ts'
import type { CallRequest, Exchange } from './protocol.ts'

/** Connection to the configured shop. */
export type ShopConnection = ReturnType<typeof connectShop>

/** Creates the connection to a shop; throws TypeError for invalid header names or an invalid URL. */
export function connectShop({ baseUrl, apiKey, fetch: send = fetch, names }: Target) {
  if (typeof baseUrl === 'string') checkUrl(baseUrl)
  return {
    names: namesFor(names),
    apiKey,
    /** Returns the base URL of the shop, without a trailing slash. */
    baseUrl: () => checkUrl(typeof baseUrl === 'string' ? baseUrl : baseUrl()),
    send: (request: Request) => send(request),
  }
}

function checkUrl(text: string): string {
  if (/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new TypeError('target.baseUrl: must be an http(s) URL without credentials, query or fragment')
}

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
  const request = { method, url, headers: headersWith(hiddenKey), body }
  const signal = AbortSignal.timeout(timeoutMs)
  const started = performance.now()
  const durationMs = () => Math.round((performance.now() - started) * 10) / 10
  try {
    const init = { method, headers: headersWith(shop.apiKey), body, signal, redirect: 'manual' } as const
    const received = await shop.send(new Request(url, init))
    const response = {
      status: received.status,
      headers: [...received.headers].map(([name, value]): Header => [name, hideKey(value, shop.apiKey)]),
      body: hideKey(await received.text(), shop.apiKey).slice(0, maxBodyLength),
    }
    return { request, response, problem: null, durationMs: durationMs() }
  } catch (error) {
    const isLate = signal.aborted
    const problem = isLate
      ? `no response within ${timeoutMs / 1000} seconds`
      : `connection failed${describeCode(error)}`
    return { request, response: null, problem, durationMs: durationMs() }
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

/** Placeholder that replaces an API key. */
export const hiddenKey = '<key>'

/** Minimum length to replace a key inside a word, in characters. A shorter key could be part of another word. */
const minUniqueLength = 16

/** Replaces an API key in a string, even if the key is JSON-encoded or URL-encoded. */
export function hideKey(text: string, key: string): string {
  if (key === '') return text
  // Matches the longest form first, because a key that ends with a backslash is a prefix of its JSON form.
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)].toSorted((a, b) => b.length - a.length)
  return text.replaceAll(new RegExp(forms.map(keyPattern).join('|'), 'g'), hiddenKey)
}

function keyPattern(form: string): string {
  const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
  return form.length < minUniqueLength ? String.raw`(?<![\w-])${literal}(?![\w-])` : literal
}
