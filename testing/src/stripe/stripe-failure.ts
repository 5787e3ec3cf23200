/** The `error` of an answer that refuses. */
export interface StripeErrorBody {
  /** What kind of error it is, by which the official client chooses the class that it throws. */
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  /** What a person reads. */
  readonly message: string
  /** What a program reads, where Stripe has a code for it. */
  readonly code?: string
  /** Why the card was declined. */
  readonly decline_code?: string
  /** The parameter that is wrong, as it was sent: `items[0][price]`. */
  readonly param?: string
}

/** An answer other than success, in the form of docs.stripe.com/api/errors. */
export class StripeFailure extends Error {
  override name = 'StripeFailure'

  constructor(
    readonly status: number,
    readonly body: StripeErrorBody,
  ) {
    super(body.message)
  }
}

/** A request that cannot be done as it is: 400. */
export function createInvalidRequest(message: string, param?: string, code?: string): StripeFailure {
  return new StripeFailure(400, {
    type: 'invalid_request_error',
    message,
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  })
}

/** Returns a parameter that the vendor's types do not require and Stripe does. Throws `parameter_missing`. */
export function requireParam<Value>(value: Value | undefined, param: string): Value {
  if (value === undefined) throw createInvalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing')
  return value
}

/** Something that is not there. 404 where the path names it, 400 where a parameter does (docs.stripe.com/error-codes#resource-missing). */
export function createMissing(kind: string, id: string, param = 'id'): StripeFailure {
  return new StripeFailure(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  })
}

/** A payment that the bank refuses: 402 (docs.stripe.com/error-codes#card-declined). */
export function createDecline(): StripeFailure {
  return new StripeFailure(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  })
}

/** What Stripe can and its stand-in cannot: said loudly, since a parameter that is ignored makes a test lie. */
export function createUnsupported(what: string): StripeFailure {
  return new StripeFailure(501, { type: 'api_error', message: `The stand-in of Stripe does not know ${what}.` })
}
