import { namesFor, type Names } from '@storeport/core'
import type { Target } from './playground-options.ts'

/** Connection to the configured shop. */
export interface ShopConnection {
  /** Path prefix and header names. */
  readonly names: Names
  /** API key of the shop. */
  readonly apiKey: string
  /** Returns the base URL of the shop, without a trailing slash. */
  baseUrl(): string
  /** Sends a request to the configured handler, otherwise by HTTP. */
  send(request: Request): Promise<Response>
}

/** Creates the connection to a shop; throws TypeError for invalid header names or an invalid URL. */
export function connectShop({ baseUrl, apiKey, fetch: send = fetch, names }: Target): ShopConnection {
  if (typeof baseUrl === 'string') checkUrl(baseUrl)
  return {
    names: namesFor(names),
    apiKey,
    baseUrl: () => checkUrl(typeof baseUrl === 'string' ? baseUrl : baseUrl()),
    send: (request) => send(request),
  }
}

function checkUrl(text: string): string {
  if (/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new TypeError('target.baseUrl: must be an http(s) URL without credentials, query or fragment')
}
