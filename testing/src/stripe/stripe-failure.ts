/** The `error` object of a failure response. */
export interface StripeErrorBody {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  readonly message: string
  readonly code?: string | undefined
  /** Name of the invalid parameter as sent, for example `items[0][price]`. */
  readonly param?: string | undefined
}

/** A failure response, in the format of docs.stripe.com/api/errors. */
export class StripeFailure extends Error {
  override name = 'StripeFailure'

  constructor(
    readonly status: number,
    readonly body: StripeErrorBody,
  ) {
    super(body.message)
  }
}

/** Creates a 400 failure for an invalid request. */
export function createInvalidRequest(message: string, param?: string, code?: string): StripeFailure {
  return new StripeFailure(400, { type: 'invalid_request_error', message, code, param })
}

/** Returns a parameter that Stripe requires but whose type is optional. Throws `parameter_missing`. */
export function requireParam<Value>(value: Value | undefined, param: string): Value {
  if (value === undefined) throw createInvalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing')
  return value
}

/**
 * Creates the failure for a missing resource: 404 for the id in the path, 400 for a parameter
 * (docs.stripe.com/error-codes#resource-missing).
 */
export function createMissing(kind: string, id: string, param = 'id'): StripeFailure {
  const message = `No such ${kind}: '${id}'`
  const body = { type: 'invalid_request_error', code: 'resource_missing', message, param } as const
  return new StripeFailure(param === 'id' ? 404 : 400, body)
}

/** Creates a 402 failure for a declined payment (docs.stripe.com/error-codes#card-declined). */
export function createDecline(): StripeFailure {
  return new StripeFailure(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' })
}

/** Creates a 501 failure for an unsupported feature. */
export function createUnsupported(feature: string): StripeFailure {
  return new StripeFailure(501, { type: 'api_error', message: `The Stripe stand-in does not support ${feature}.` })
}
