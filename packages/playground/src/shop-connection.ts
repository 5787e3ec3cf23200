import { namesFor, type Names } from '@storeport/core'
import { type PlainRequest, type Send, sendByHttp } from '@storeport/conformance'
import type { Target } from './playground-options.ts'

/** The way to the shop: the configured address and no other. */
export interface ShopConnection {
  /** Path prefix and header names. */
  readonly names: Names
  /** A key that the shop accepts. */
  readonly apiKey: string
  /** Address that every path is appended to, without a slash at the end. */
  baseUrl(): string
  /** Sends one request below that address, to the test store where that is wanted. */
  sender(testMode: boolean): Send
}

/** Makes the way to a shop; throws TypeError for names that HTTP cannot carry and for an address that is no http(s) URL. */
export function connectShop(target: Target): ShopConnection {
  const names = namesFor(target.names)
  let known: { readonly url: string; readonly send: Send } | undefined

  const baseUrl = () => checkUrl(typeof target.baseUrl === 'string' ? target.baseUrl : target.baseUrl())
  const send = () => {
    if (target.send !== undefined) return target.send
    const url = baseUrl()
    if (known?.url !== url) known = { url, send: sendByHttp(url) }
    return known.send
  }
  if (typeof target.baseUrl === 'string') checkUrl(target.baseUrl)
  return {
    names,
    apiKey: target.apiKey,
    baseUrl,
    sender(testMode) {
      if (!testMode) return send()
      const inTestMode = (request: PlainRequest) => {
        return send()({ ...request, headers: [...request.headers, [names.testModeHeader, 'true']] })
      }
      const { cannot = [], host } = send()
      return Object.assign(inTestMode, { cannot, ...(host !== undefined && { host }) })
    },
  }
}

function checkUrl(text: string): string {
  if (/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new TypeError('target.baseUrl: must be an http(s) address without credentials, query or fragment')
}
