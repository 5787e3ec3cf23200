import { hash } from 'node:crypto'
import type { Context, CurrentSubscription } from '@storeport/core'
import { apiKey, shop, timeoutMs } from '../shop.ts'

/* Code that all variants without StorePort share: errors, headers, the API key, and store calls with a timeout. */

/** Request body of POST delay. */
export interface DelayInput {
  readonly email: string
  readonly new_date: string
}

/** Request body of POST add-product. */
export interface AddInput {
  readonly email: string
  readonly product_id: string
  readonly quantity: number
  readonly one_time: boolean
}

/** Adds a product in one transaction. */
export type AddByHand = (input: AddInput) => Promise<void>

const statuses: Record<string, number> = {
  invalid_request: 400,
  invalid_date: 400,
  unauthorized: 401,
  endpoint_not_found: 404,
  customer_not_found: 404,
  product_not_found: 404,
  product_unavailable: 400,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  internal_error: 500,
  invalid_store_response: 500,
  store_timeout: 504,
}

/** An error with an API error code. */
export class ApiError extends Error {
  readonly code: string

  constructor(code: string, message: string = code) {
    super(message)
    this.code = code
  }
}

/** Returns the status and body of the response for an error. */
export function errorResponse(error: unknown): { status: number; body: string } {
  const known = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const status = statuses[known]
  const code = status === undefined ? 'internal_error' : known
  const message =
    error instanceof Error && (status ?? 500) < 500 ? error.message : 'An internal error occurred in the shop.'
  return { status: status ?? 500, body: JSON.stringify({ success: false, error: { code, message } }) }
}

/** Returns the headers of every response. */
export function responseHeaders(requestId: string): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  }
}

/** Returns a header as one string, because Node can provide a list of values. */
export function joinHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value
}

/** Returns the caller's request id if it is safe to log. Otherwise returns a new id. */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : crypto.randomUUID()
}

/** Returns the sent `Idempotency-Key`, or a new key if the header is missing. Throws ApiError for an invalid key. */
export function idempotencyKeyOf(sent: string | undefined): string {
  if (sent === undefined) return crypto.randomUUID()
  if (/^[\x21-\x7e]{1,255}$/.test(sent)) return sent
  throw new ApiError('invalid_request', 'Idempotency-Key: must be 1 to 255 visible ASCII characters')
}

const accepted = hash('sha256', apiKey)

/** Throws ApiError for an invalid API key. Compares digests in constant time. */
export function requireKey(presented: string | undefined): void {
  const digest = hash('sha256', presented ?? '')
  let differences = digest.length ^ accepted.length
  for (let index = 0; index < digest.length; index++)
    differences |= digest.charCodeAt(index) ^ accepted.charCodeAt(index)
  if (differences !== 0) throw new ApiError('unauthorized')
}

/** Loads the subscription from the store, with a timeout. */
export function loadSubscription(email: string, requestId: string): Promise<CurrentSubscription> {
  return withinTime((context) => shop.getSubscription({ email }, context), requestId, requestId)
}

/** Delays the subscription in the store, with a timeout. */
export function delaySubscription(input: DelayInput, requestId: string, idempotencyKey: string): Promise<void> {
  return withinTime((context) => shop.delaySubscription(input, context), requestId, idempotencyKey)
}

/** Calls a store method with a timeout. Creates the abort signal when the store first reads it. */
export function withinTime<Output>(
  run: (context: Context) => Promise<Output>,
  requestId: string,
  idempotencyKey: string,
): Promise<Output> {
  let controller: AbortController | undefined
  const context: Context = {
    requestId,
    idempotencyKey,
    testMode: false,
    get signal() {
      controller ??= new AbortController()
      return controller.signal
    },
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new ApiError('store_timeout')
      controller?.abort(error)
      reject(error)
    }, timeoutMs)
    const settle =
      <Value>(end: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer)
        end(value)
      }
    run(context).then(settle(resolve), settle(reject))
  })
}
