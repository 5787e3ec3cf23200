import { namesFor, type Names } from '@storeport/core'
import { type PlainRequest, type Send, sendByHttp, sendTo } from '@storeport/conformance'
import type { Target } from './playground-options.ts'

/** The way to the shop: the configured address or handler and no other. */
export interface ShopConnection {
  /** Path prefix and header names. */
  readonly names: Names
  /** A key that the shop accepts. */
  readonly apiKey: string
  /** Address that every path is appended to, without a slash at the end. */
  baseUrl(): string
  /** Sends requests, to the test store in test mode: to the shop's handler where there is one, or always over HTTP. */
  sender(testMode: boolean, way?: 'http'): Send
}

/** Makes the way to a shop; throws TypeError for names that HTTP cannot carry and for an address that is no http(s) URL. */
export function connectShop({ baseUrl: given, apiKey, fetch, names: options }: Target): ShopConnection {
  const names = namesFor(options)
  const inProcess = fetch === undefined ? undefined : sendTo(fetch)
  let overHttp: { readonly url: string; readonly send: Send } | undefined

  const baseUrl = () => checkUrl(typeof given === 'string' ? given : given())
  const sendOverHttp = () => {
    const url = baseUrl()
    if (overHttp?.url !== url) overHttp = { url, send: sendByHttp(url) }
    return overHttp.send
  }
  if (typeof given === 'string') checkUrl(given)
  return {
    names,
    apiKey,
    baseUrl,
    sender(testMode, way) {
      const send = way === 'http' ? sendOverHttp() : (inProcess ?? sendOverHttp())
      if (!testMode) return send
      const inTestMode = (request: PlainRequest) => {
        return send({ ...request, headers: [...request.headers, [names.testModeHeader, 'true']] })
      }
      return Object.assign(inTestMode, {
        cannot: send.cannot ?? [],
        ...(send.host !== undefined && { host: send.host }),
      })
    },
  }
}

function checkUrl(text: string): string {
  if (/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new TypeError('target.baseUrl: must be an http(s) address without credentials, query or fragment')
}
