const statuses: Record<string, number> = {
  invalid_request: 400,
  invalid_date: 400,
  product_unavailable: 400,
  unauthorized: 401,
  endpoint_not_found: 404,
  customer_not_found: 404,
  product_not_found: 404,
  subscription_not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  internal_error: 500,
  invalid_store_response: 500,
  store_unavailable: 503,
  store_timeout: 504,
}

/** Thrown to refuse a call; a store's own error with such a `code` counts as well. */
export class Refusal extends Error {
  /** Error code of the API. */
  readonly code: string

  constructor(code: string, message: string = code) {
    super(message)
    this.code = code
  }
}

/** Status and body of the answer to a call that threw. */
export function refusalOf(error: unknown): { status: number; body: string } {
  const known = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const status = statuses[known]
  const code = status === undefined ? 'internal_error' : known
  const message = error instanceof Error && (status ?? 500) < 500 ? error.message : 'Something went wrong in the shop.'
  return { status: status ?? 500, body: JSON.stringify({ success: false, error: { code, message } }) }
}
