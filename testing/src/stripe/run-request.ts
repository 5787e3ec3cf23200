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
/** Routes in matching order. Paths without `{id}` are first, so that `create_preview` is not matched as an id. */
const patterns = names
  .toSorted((left, right) => Number(left.includes('{id}')) - Number(right.includes('{id}')))
  .map((name) => ({ name, pattern: new RegExp(`^${name.replace('{id}', '([^/]+)')}$`) }))

/** A request with a valid API key and API version. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, FormValue>>
  readonly idempotencyKey: string | undefined
}

/** A response. `isReplayed` is true for a response that was stored for an earlier request. */
export interface StandInResponse extends StoredResponse {
  readonly isReplayed: boolean
}

/** Validates and runs a request, and returns its response. */
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
 * Claims the idempotency key of a request that hangs, and returns a function that releases the key. Until then, other
 * requests with the key fail with 409 (docs.stripe.com/error-codes#idempotency-key-in-use).
 */
export function claimKey(responses: ResponseStore, request: ReceivedRequest): () => void {
  const key = keyOf(request)
  return key !== undefined && isClaimed(responses, key, request) ? () => responses.release(key) : () => {}
}

/** Returns status 500 without running the request, and stores the response under the idempotency key. */
export function createServerError(responses: ResponseStore, request: ReceivedRequest): StandInResponse {
  const response = writeFailure(new StripeFailure(500, { type: 'api_error', message: 'An unknown error occurred' }))
  const key = keyOf(request)
  if (key !== undefined && isClaimed(responses, key, request)) responses.store(key, response)
  return { ...response, isReplayed: false }
}

/** Claims a key and returns whether the key was free, because a fault must not replace a stored response. */
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

/** Returns the key unless Stripe ignores the key, as for GET and DELETE (docs.stripe.com/api/idempotent_requests). */
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

/** Finds the handler name for a method and path, and extracts the id from the path. */
function findRequest({ method, path }: ReceivedRequest): { name: StripeRequestName; id: string } | undefined {
  for (const { name, pattern } of patterns) {
    const match = pattern.exec(`${method} ${path}`)
    if (match !== null) return { name, id: decodeURIComponent(match[1] ?? '') }
  }
  return undefined
}

/** Creates the error that Stripe returns for an unknown URL (docs.stripe.com/error-codes#url-invalid). */
function createUrlNotFound({ method, path }: ReceivedRequest): StripeFailure {
  return new StripeFailure(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL, or not supported by the Stripe stand-in (${method}: ${path}).`,
  })
}
