import { nearestName } from './names.ts'

interface ErrorRow {
  /** HTTP status of the answer. */
  readonly status: number
  /** The message for the caller when nothing more precise is known. */
  readonly message: string
  /** Seconds for the `Retry-After` header when the error does not bring its own. */
  readonly retryAfter?: number
}

/** Every error code of the API with its HTTP status; the only list of codes. */
export const errors = {
  invalid_request: { status: 400, message: 'The request is not valid.' },
  invalid_date: {
    status: 400,
    message: 'new_date: must be tomorrow or later, and not before the current billing date.',
  },
  invalid_discount_code: { status: 400, message: 'discount_code: is unknown, expired or used up.' },
  product_unavailable: { status: 400, message: 'The product cannot be ordered at the moment.' },
  order_not_processable: { status: 400, message: 'The next order cannot be processed.' },
  order_already_processing: { status: 400, message: 'An order of this customer is already being processed today.' },
  subscription_not_cancelled: { status: 400, message: 'The subscription is not cancelled.' },
  subscription_not_eligible: { status: 400, message: 'The subscription was cancelled too long ago to be reactivated.' },
  payment_failed: { status: 400, message: 'The payment failed.' },
  action_not_allowed: { status: 400, message: 'The customer may not run this action.' },
  unauthorized: { status: 401, message: 'Send a valid API key in the API key header.' },
  endpoint_not_found: { status: 404, message: 'No endpoint at this path.' },
  endpoint_not_available: { status: 404, message: 'This shop does not offer the endpoint.' },
  customer_not_found: { status: 404, message: 'There is no customer with this email.' },
  subscription_not_found: { status: 404, message: 'The customer has no such subscription.' },
  product_not_found: { status: 404, message: 'There is no product with this id.' },
  item_not_found: { status: 404, message: 'The current subscription has no item with this id.' },
  product_not_in_order: { status: 404, message: 'There is no open add of this product to take back.' },
  discount_not_found: { status: 404, message: 'The discount code is unknown, expired or used up.' },
  action_not_found: { status: 404, message: 'There is no action with this id.' },
  method_not_allowed: { status: 405, message: 'Use a method that the Allow header names.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  request_in_progress: { status: 409, message: 'The same request is still running.', retryAfter: 1 },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'Send the body with Content-Type: application/json.' },
  idempotency_key_reused: { status: 422, message: 'The Idempotency-Key was used for another request.' },
  rate_limited: { status: 429, message: 'Too many requests: wait before the next one.', retryAfter: 1 },
  headers_too_large: { status: 431, message: 'The headers are too large.' },
  internal_error: { status: 500, message: 'Something went wrong in the shop.' },
  invalid_store_response: { status: 500, message: 'The shop gave an answer that the API does not allow.' },
  upstream_error: { status: 502, message: 'A service behind the shop failed.' },
  store_unavailable: { status: 503, message: 'The shop cannot answer at the moment.', retryAfter: 5 },
  store_timeout: { status: 504, message: 'The shop took too long to answer.' },
} as const satisfies Record<string, ErrorRow>

/** A code of the error table. */
export type ErrorCode = keyof typeof errors

/** Whether a value is a code of the error table. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errors, value)
}

/** The row of a code, with the optional columns that a literal type would hide. */
export function errorRow(code: ErrorCode): ErrorRow {
  return errors[code]
}

/** More about an error than its code. */
export interface StoreErrorOptions {
  /** What caused it; never sent to the caller. */
  readonly cause?: unknown
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfter?: number | undefined
  /** Whether the change was refused for certain, or may have happened; default by the code, see `outcomeOf`. */
  readonly outcome?: FailedOutcome | undefined
}

/** What is known of a change that failed: `refused` did not happen and will not; nobody knows about an `unknown` one. */
export type FailedOutcome = 'refused' | 'unknown'

/** What a store throws to refuse a call; the code decides the HTTP status and the caller sees the message. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** The row of the error table. */
  readonly code: ErrorCode
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined
  /** What the store says of the change, where its code alone says too little. */
  readonly outcome: FailedOutcome | undefined

  /** Throws TypeError for a code that the error table does not have. */
  constructor(code: ErrorCode, message: string = messageOf(code), options: StoreErrorOptions = {}) {
    if (!isErrorCode(code)) throw new TypeError(explainCode(code))
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.retryAfter = options.retryAfter
    this.outcome = options.outcome
  }
}

function messageOf(code: ErrorCode): string {
  return isErrorCode(code) ? errors[code].message : ''
}

function explainCode(code: unknown): string {
  const near = nearestName(String(code), Object.keys(errors))
  return `StoreError: ${code} is no code${near === undefined ? ': write one of the error table' : `, did you mean ${near}?`}`
}

/** Whether a thrown value is a StoreError, recognised by its shape: frameworks load packages twice, which breaks `instanceof`. */
export function isStoreError(value: unknown): value is StoreError {
  return value instanceof Error && value.name === 'StoreError' && 'code' in value && isErrorCode(value.code)
}

/**
 * What is known of the change of a call that failed with a value: what its `outcome` says, else `unknown` for
 * 408, 409, 5xx other than `store_unavailable`, and for everything that is not a StoreError.
 */
export function outcomeOf(error: unknown): FailedOutcome {
  if (!isStoreError(error)) return 'unknown'
  if (error.outcome === 'refused' || error.outcome === 'unknown') return error.outcome
  if (error.code === 'store_unavailable') return 'refused'
  const { status } = errorRow(error.code)
  return status >= 500 || status === 408 || status === 409 ? 'unknown' : 'refused'
}

/** A store took too long; what it does then goes on until `end`. */
export class StoreTimeout extends StoreError {
  /** How it ends after all: what the check made of its answer. */
  readonly end: Promise<unknown>

  constructor(end: Promise<unknown>) {
    super('store_timeout')
    this.end = end
  }
}

const longest = 500

/** A text that is safe to show and to log: every word that holds an email address is taken out, and at most 500 characters are kept. */
export function withoutEmails(text: string): string {
  const safe = /@|%40/.test(text) ? text.replace(/\S+/g, (word) => (/@|%40/.test(word) ? '[email]' : word)) : text
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe
}
