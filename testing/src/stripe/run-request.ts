import { checkParams } from './check-params.ts'
import type { StripeRequestName } from './compile-schemas.ts'
import { expandResponse } from './expand-response.ts'
import type { StoredResponse, ResponseStore } from './response-store.ts'
import type { FormValue } from './parse-form.ts'
import { rejectUnsupported } from './reject-unsupported.ts'
import { couponHandlers } from './resources/handle-coupons.ts'
import { customerHandlers } from './resources/handle-customers.ts'
import { invoiceItemHandlers } from './resources/handle-invoice-items.ts'
import { invoiceHandlers } from './resources/handle-invoices.ts'
import { priceHandlers } from './resources/handle-prices.ts'
import { productHandlers } from './resources/handle-products.ts'
import { subscriptionHandlers } from './resources/handle-subscriptions.ts'
import type { StripeAccount } from './stripe-account.ts'
import { StripeFailure } from './stripe-failure.ts'
import type { Handlers } from './stripe-handlers.ts'
import type { StripeRequests } from './stripe-requests.ts'
import { writeResponse } from './write-response.ts'

const handlers: Handlers = {
  ...couponHandlers,
  ...customerHandlers,
  ...invoiceHandlers,
  ...invoiceItemHandlers,
  ...priceHandlers,
  ...productHandlers,
  ...subscriptionHandlers,
}

// oxlint-disable-next-line typescript/consistent-type-assertions -- Object.keys returns string[]; the keys are those of Handlers
const names = Object.keys(handlers) as StripeRequestName[]
/** Routes. Paths without `{id}` are first, so that `create_preview` is not read as an id. */
const patterns = names
  .toSorted((left, right) => Number(left.includes('{id}')) - Number(right.includes('{id}')))
  .map((name) => ({ name, pattern: new RegExp(`^${name.replace('{id}', '([^/]+)')}$`) }))

/** A request whose API key and version were already checked. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, FormValue>>
  readonly idempotencyKey: string | undefined
}

/** A response, and whether an earlier request stored the response. */
export interface StandInResponse extends StoredResponse {
  readonly isReplayed: boolean
}

/** Checks and runs a request, and returns its response. */
export function runStripeRequest(
  account: StripeAccount,
  responses: ResponseStore,
  request: ReceivedRequest,
): StandInResponse {
  const key = keyOf(request)
  try {
    const found = findRequest(request)
    if (found === undefined) throw createUrlNotFound(request)
    const before = key === undefined ? undefined : responses.claim(key, identify(request))
    if (before !== undefined) return { ...before, isReplayed: true }
    try {
      const params = checkParams(found.name, request.params)
      const response = runRequest(account, found.name, params, found.id)
      if (key !== undefined) responses.store(key, response)
      return { ...response, isReplayed: false }
    } catch (error) {
      if (key !== undefined) responses.release(key)
      throw error
    }
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    return { ...writeFailure(error), isReplayed: false }
  }
}

/**
 * Claims the idempotency key of a request that hangs, without running the request. Another request with this key then gets 409
 * (docs.stripe.com/error-codes#idempotency-key-in-use). Returns a function that releases the key.
 */
export function claimKey(responses: ResponseStore, request: ReceivedRequest): () => void {
  const key = keyOf(request)
  return key !== undefined && isClaimed(responses, key, request) ? () => responses.release(key) : () => {}
}

/** Returns 500 without running the request. Like other responses, a 500 is stored under the idempotency key. */
export function createServerError(responses: ResponseStore, request: ReceivedRequest): StandInResponse {
  const response = writeFailure(new StripeFailure(500, { type: 'api_error', message: 'An unknown error occurred' }))
  const key = keyOf(request)
  if (key !== undefined && isClaimed(responses, key, request)) responses.store(key, response)
  return { ...response, isReplayed: false }
}

/** Claims a key, and returns whether it was free. A fault must not replace the stored response of another request. */
function isClaimed(responses: ResponseStore, key: string, request: ReceivedRequest): boolean {
  try {
    return responses.claim(key, identify(request)) === undefined
  } catch (error) {
    if (error instanceof StripeFailure) return false
    throw error
  }
}

/** Converts a failure to a response. */
export function writeFailure({ status, body }: StripeFailure): StoredResponse {
  return { status, text: JSON.stringify({ error: body }) }
}

function runRequest<Name extends StripeRequestName>(
  account: StripeAccount,
  name: Name,
  params: StripeRequests[Name]['params'],
  id: string,
): StoredResponse {
  try {
    return account.change(() => {
      rejectUnsupported(name, params)
      const response = expandResponse(account, name, handlers[name](account, params, id), listExpansions(params))
      return { status: 200, text: writeResponse(name, response) }
    })
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    return writeFailure(error)
  }
}

/** Returns the key of a POST request. Stripe ignores keys of GET and DELETE requests (docs.stripe.com/api/idempotent_requests). */
function keyOf({ method, idempotencyKey }: ReceivedRequest): string | undefined {
  return method === 'POST' ? idempotencyKey : undefined
}

function identify({ method, path, params }: ReceivedRequest): string {
  return JSON.stringify([method, path, params])
}

function listExpansions(params: object): readonly string[] {
  const expand: unknown = 'expand' in params ? params.expand : undefined
  return Array.isArray(expand) ? expand.filter((path) => typeof path === 'string') : []
}

/** Finds the handler name for a method and a path, and the id in the path. */
function findRequest({ method, path }: ReceivedRequest): { name: StripeRequestName; id: string } | undefined {
  for (const { name, pattern } of patterns) {
    const match = pattern.exec(`${method} ${path}`)
    if (match !== null) return { name, id: decodeURIComponent(match[1] ?? '') }
  }
  return undefined
}

/** Creates Stripe's failure for an invalid URL (docs.stripe.com/error-codes#url-invalid). */
function createUrlNotFound({ method, path }: ReceivedRequest): StripeFailure {
  return new StripeFailure(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL, or not supported by the Stripe stand-in (${method}: ${path}).`,
  })
}
