import { StoreError } from '@storeport/core'
import { NetworkFailure } from './network-failure.ts'

/** A complete response before validation. */
export interface RawAnswer {
  readonly status: number
  /** The `Content-Type` without its parameters, or `unknown` if the header is missing or invalid. */
  readonly mediaType: string
  /** Value of `Retry-After`, in seconds. */
  readonly retryAfter: number | undefined
  readonly text: string
}

/**
 * Reads a complete response. Throws StoreError `upstream_error` if the body exceeds `maxBytes` or is not UTF-8, and
 * NetworkFailure if the connection fails.
 */
export async function readResponse(response: Response, maxBytes: number): Promise<RawAnswer> {
  const { status, headers } = response
  return {
    status,
    mediaType: /^[\w.+-]+\/[\w.+-]+/.exec(headers.get('content-type') ?? '')?.[0] ?? 'unknown',
    retryAfter: parseRetryAfter(headers.get('retry-after')),
    text: await readText(response, maxBytes),
  }
}

/** Converts `Retry-After` (seconds or an HTTP date) to seconds from now; `undefined` for an invalid value. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,10}$/.test(header)) return Number(header)
  if (!/^[A-Z][a-z]{2,8}, .{6,40} GMT$/.test(header)) return undefined
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read().catch(throwNetworkFailure)
    bytes += value?.byteLength ?? 0
    if (bytes > maxBytes) {
      await reader.cancel().catch(() => {})
      throw new StoreError('upstream_error', `The shop's response exceeds maxResponseBytes (${maxBytes}).`)
    }
    try {
      text += decoder.decode(value, { stream: !done })
    } catch {
      await reader.cancel().catch(() => {})
      throw new StoreError('upstream_error', "The shop's response is not UTF-8.")
    }
    if (done) return text
  }
}

function throwNetworkFailure(error: unknown): never {
  throw new NetworkFailure(error)
}
