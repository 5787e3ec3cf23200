import { StoreError } from '@storeport/core'

/** Failures that come before a connection is made, so that no server can have seen the request. */
const neverSent: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/**
 * A request or its answer got lost: worth another try where that cannot do harm.
 *
 * `store_unavailable` says that the shop never saw the request; `upstream_error` that nobody knows, so a click may count.
 */
export class NetworkFailure extends StoreError {
  /** The cause is left out: it may hold the address that was called, and so the customer's email. */
  constructor(error: unknown) {
    const code = readSystemCode(error)
    const suffix = code === undefined ? '' : ` (${code})`
    if (code !== undefined && neverSent.includes(code)) {
      super('store_unavailable', `The shop cannot be reached${suffix}.`)
    } else {
      super('upstream_error', `The connection to the shop failed before its answer was complete${suffix}.`)
    }
  }
}

function readSystemCode(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : undefined
  const code: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : undefined
}
