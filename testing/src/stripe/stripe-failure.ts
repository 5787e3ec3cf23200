/** The `error` object of a failure response. */
export interface StripeErrorBody {
  /** Error type, from which the official client selects an error class. */
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  /** Message for developers. */
  readonly message: string
  /** Error code, if Stripe defines a code for the error. */
  readonly code?: string
  /** Reason why a card was declined. */
  readonly decline_code?: string
  /** Name of the invalid parameter as sent, for example `items[0][price]`. */
  readonly param?: string
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
  return new StripeFailure(400, {
    type: 'invalid_request_error',
    message,
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  })
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
  return new StripeFailure(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  })
}

/** Creates a 402 failure for a declined payment (docs.stripe.com/error-codes#card-declined). */
export function createDecline(): StripeFailure {
  return new StripeFailure(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  })
}

/** Creates a 501 failure for an unsupported feature. If the feature was ignored, a test could pass incorrectly. */
export function createUnsupported(feature: string): StripeFailure {
  return new StripeFailure(501, { type: 'api_error', message: `The Stripe stand-in does not support ${feature}.` })
}
