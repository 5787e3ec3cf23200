import { nearestName } from './names.ts'

interface ErrorRow {
  /** HTTP status of the response. */
  readonly status: number
  /** Default message for the caller. */
  readonly message: string
  /** Default value of the `Retry-After` header, in seconds. */
  readonly retryAfter?: number
}

/** Every error code of the API, with its HTTP status and default message. */
export const errors = {
  invalid_request: { status: 400, message: 'The request is not valid.' },
  invalid_date: {
    status: 400,
    message: 'new_date: must be tomorrow or later, and not before the current billing date.',
  },
  invalid_discount_code: { status: 400, message: 'discount_code: does not exist, has expired or is used up.' },
  product_unavailable: { status: 400, message: 'The product cannot be ordered at the moment.' },
  order_not_processable: { status: 400, message: 'The next order cannot be processed.' },
  order_already_processing: { status: 400, message: 'An order for this customer is already being processed today.' },
  subscription_not_cancelled: { status: 400, message: 'The subscription is not cancelled.' },
  subscription_not_eligible: { status: 400, message: 'The subscription was cancelled too long ago to be reactivated.' },
  payment_failed: { status: 400, message: 'The payment failed.' },
  action_not_allowed: { status: 400, message: 'The customer is not allowed to run this action.' },
  unauthorized: { status: 401, message: 'The API key is missing or invalid. Send a valid key in the API key header.' },
  endpoint_not_found: { status: 404, message: 'No endpoint at this path.' },
  endpoint_not_available: { status: 404, message: 'This shop does not offer this endpoint.' },
  customer_not_found: { status: 404, message: 'No customer has this email address.' },
  subscription_not_found: { status: 404, message: 'The customer has no matching subscription.' },
  product_not_found: { status: 404, message: 'No product has this id.' },
  item_not_found: { status: 404, message: 'The current subscription has no item with this id.' },
  product_not_in_order: {
    status: 404,
    message: 'There is nothing to undo: this product was not added, or its order has shipped.',
  },
  discount_not_found: { status: 404, message: 'The discount code does not exist, has expired or is used up.' },
  action_not_found: { status: 404, message: 'No action has this id.' },
  method_not_allowed: { status: 405, message: 'Use a method listed in the Allow header.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  request_in_progress: { status: 409, message: 'The same request is still running.', retryAfter: 1 },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'Send the body with Content-Type: application/json.' },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was already used for a different request.' },
  rate_limited: { status: 429, message: 'Too many requests. Retry after the time in Retry-After.', retryAfter: 1 },
  headers_too_large: { status: 431, message: 'The headers are too large.' },
  internal_error: { status: 500, message: 'An internal error occurred in the shop.' },
  invalid_store_response: { status: 500, message: 'The shop returned a response that the API does not allow.' },
  upstream_error: { status: 502, message: 'A service used by the shop has failed.' },
  store_unavailable: { status: 503, message: 'The shop is temporarily unavailable.', retryAfter: 5 },
  store_timeout: { status: 504, message: 'The shop took too long to respond.' },
} as const satisfies Record<string, ErrorRow>

/** An error code of the API. */
export type ErrorCode = keyof typeof errors

/** Whether a value is an error code of the API. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errors, value)
}

/** Returns the row of an error code, with a type that includes the optional columns. */
export function errorRow(code: ErrorCode): ErrorRow {
  return errors[code]
}

/** Options of a `StoreError`. */
export interface StoreErrorOptions {
  /** Cause of the error; never sent to the caller. */
  readonly cause?: unknown
  /** Delay before a retry, in seconds; sent as `Retry-After`. */
  readonly retryAfter?: number | undefined
  /** Outcome of the change. The default depends on the code; see `outcomeOf`. */
  readonly outcome?: FailedOutcome | undefined
}

/**
 * Outcome of a failed change. `refused`: the change was not made and will not be made later. `unknown`: the change may
 * have been made.
 */
export type FailedOutcome = 'refused' | 'unknown'

/** Error that a store throws to reject a request. The code determines the HTTP status; the message is sent to the caller. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** Error code. */
  readonly code: ErrorCode
  /** Delay before a retry, in seconds. */
  readonly retryAfter: number | undefined
  /** Outcome of the change; `undefined` selects the default for the code. */
  readonly outcome: FailedOutcome | undefined

  /** Throws TypeError for an invalid code. */
  constructor(code: ErrorCode, message?: string, options: StoreErrorOptions = {}) {
    if (!isErrorCode(code)) throw new TypeError(explainCode(code))
    super(message ?? errors[code].message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.retryAfter = options.retryAfter
    this.outcome = options.outcome
  }
}

function explainCode(code: unknown): string {
  const near = nearestName(String(code), Object.keys(errors))
  return `StoreError: ${code} is not an error code. ${near === undefined ? 'Use a code from the error table of the API.' : `Did you mean ${near}?`}`
}

/** Whether a value is a StoreError. Avoids `instanceof`, which fails if a framework loads the package twice. */
export function isStoreError(value: unknown): value is StoreError {
  return value instanceof Error && value.name === 'StoreError' && 'code' in value && isErrorCode(value.code)
}

/**
 * Returns the outcome of a change that failed with `error`. An `outcome` in the error takes precedence. Otherwise
 * returns `unknown` for a value that is not a StoreError, and for status 408, 409 and 5xx except `store_unavailable`.
 * Returns `refused` for all other errors.
 */
export function outcomeOf(error: unknown): FailedOutcome {
  if (!isStoreError(error)) return 'unknown'
  if (error.outcome === 'refused' || error.outcome === 'unknown') return error.outcome
  if (error.code === 'store_unavailable') return 'refused'
  const { status } = errorRow(error.code)
  return status >= 500 || status === 408 || status === 409 ? 'unknown' : 'refused'
}

/** Error for a store method that exceeded its time limit. The method continues to run until `end` settles. */
export class StoreTimeout extends StoreError {
  /** Resolves with the validated output of the method, or rejects with the error of the method. */
  readonly end: Promise<unknown>

  constructor(end: Promise<unknown>) {
    super('store_timeout')
    this.end = end
  }
}

const maxLength = 500

/** Makes a string safe to log. Masks every word that contains `@` or `%40`, and truncates the string to 500 characters. */
export function withoutEmails(text: string): string {
  const safe = /@|%40/.test(text) ? text.replace(/\S+/g, (word) => (/@|%40/.test(word) ? '[email]' : word)) : text
  return safe.length > maxLength ? `${safe.slice(0, maxLength)}…` : safe
}
