import { StoreError } from '@storeport/core'

/** System error codes that mean that the server did not receive the request. */
const notSentCodes: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/**
 * Failure of the connection before the response was complete. The client retries a GET after this error.
 *
 * `store_unavailable` means that the shop did not receive the request. After `upstream_error`, the outcome is unknown.
 */
export class NetworkFailure extends StoreError {
  /** Does not set `cause`, because `error` may contain the URL with the customer's email. */
  constructor(error: unknown) {
    const code = readSystemCode(error)
    const suffix = code === undefined ? '' : ` (${code})`
    if (code !== undefined && notSentCodes.includes(code)) {
      super('store_unavailable', `The shop is unreachable${suffix}.`)
    } else {
      super('upstream_error', `The connection to the shop failed before the response was complete${suffix}.`)
    }
  }
}

function readSystemCode(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : undefined
  const code: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : undefined
}
