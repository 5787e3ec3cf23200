import type { ErrorCode } from '../errors.ts'

/** What makes a shop answer with a code, for the reader of the reference. */
const errorCauses: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    'A field is missing or of another form than its own, or the body is no JSON object. The message names the field.',
  invalid_date: 'The date does not exist, is today or earlier, or comes before the current billing date.',
  invalid_discount_code:
    'The code is unknown, expired or used up, or does not apply to this customer. Nothing was changed.',
  product_unavailable: 'The product is sold out, or not so many can be ordered.',
  order_not_processable: 'The subscription has nothing to ship, or the shop cannot process it now.',
  order_already_processing: 'An order of this customer was processed today or within the last hour.',
  subscription_not_cancelled: 'The subscription is active.',
  subscription_not_eligible: 'The subscription was cancelled too long ago.',
  payment_failed: "The customer's payment method was refused.",
  action_not_allowed: 'The action exists, and this customer may not run it, or not again.',
  unauthorized: 'The key is missing, wrong or sent twice. Nothing else was looked at.',
  endpoint_not_found: 'The path is none of this page, below the base path of the shop.',
  endpoint_not_available: 'The shop has left this endpoint out: its widget or button is not shown.',
  customer_not_found: 'No customer has this email address.',
  subscription_not_found: 'The customer has no active subscription, or none of this id.',
  product_not_found: 'The shop has no product of this id.',
  item_not_found: "The customer's current subscription has no item of this id.",
  product_not_in_order: 'The product was never added, was taken back already, or was shipped.',
  discount_not_found: 'The code is unknown, expired or used up.',
  action_not_found: 'The shop has no action of this name.',
  method_not_allowed: 'The path exists and takes another method.',
  request_timeout: 'The caller sent its request too slowly.',
  request_in_progress: 'The first call of the same click has not ended. Ask again after `Retry-After` seconds.',
  payload_too_large: 'The body is larger than 64 KiB.',
  unsupported_media_type: 'A POST has another content type, or none.',
  idempotency_key_reused: 'The same `Idempotency-Key` came with another body or for another endpoint.',
  rate_limited: 'The shop limits its calls. Ask again after `Retry-After` seconds.',
  headers_too_large: 'The headers are larger than 16 KiB.',
  internal_error: 'A failure in the shop, which is in its log under the `X-Request-Id`.',
  invalid_store_response: "The shop's own code gave an answer that this page does not allow.",
  upstream_error: 'A service that the shop asked failed. Whether a change was made is not known: repeat the call.',
  store_unavailable:
    "The shop's database or a service cannot be reached, or too many calls run at once. Ask again after `Retry-After` seconds.",
  store_timeout: 'The shop did not answer in time. Whether a change was made is not known: repeat the call.',
}

/** Returns what makes a shop answer with a code. */
export function causeOf(code: ErrorCode): string {
  return errorCauses[code]
}
