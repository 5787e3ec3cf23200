import { namesFor, type Names } from '@storeport/core'
import { type PlainRequest, type Send, sendByHttp, sendTo } from '@storeport/conformance'
import type { Target } from './playground-options.ts'

/** Connection to the configured shop. */
export interface ShopConnection {
  /** Path prefix and header names. */
  readonly names: Names
  /** API key of the shop. */
  readonly apiKey: string
  /** Returns the base URL of the shop, without a trailing slash. */
  baseUrl(): string
  /**
   * Returns a function that sends requests to the configured handler. Uses HTTP without a handler, or if `transport` is
   * `http`.
   */
  sender(testMode: boolean, transport?: 'http'): Send
}

/** Creates the connection to a shop; throws TypeError for invalid header names or an invalid URL. */
export function connectShop({ baseUrl: configuredUrl, apiKey, fetch, names: options }: Target): ShopConnection {
  const names = namesFor(options)
  const inProcess = fetch === undefined ? undefined : sendTo(fetch)
  let overHttp: { readonly url: string; readonly send: Send } | undefined

  const baseUrl = () => checkUrl(typeof configuredUrl === 'string' ? configuredUrl : configuredUrl())
  const sendOverHttp = () => {
    const url = baseUrl()
    if (overHttp?.url !== url) overHttp = { url, send: sendByHttp(url) }
    return overHttp.send
  }
  if (typeof configuredUrl === 'string') checkUrl(configuredUrl)
  return {
    names,
    apiKey,
    baseUrl,
    sender(testMode, transport) {
      const send = transport === 'http' ? sendOverHttp() : (inProcess ?? sendOverHttp())
      if (!testMode) return send
      const inTestMode = (request: PlainRequest) => {
        return send({ ...request, headers: [...request.headers, [names.testModeHeader, 'true']] })
      }
      return Object.assign(inTestMode, {
        unsupported: send.unsupported ?? [],
        ...(send.host !== undefined && { host: send.host }),
      })
    },
  }
}

function checkUrl(text: string): string {
  if (/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new TypeError('target.baseUrl: must be an http(s) URL without credentials, query or fragment')
}
