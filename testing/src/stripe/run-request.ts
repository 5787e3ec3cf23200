import { expandResponse } from './expand-response.ts'
import type { Handler, Handlers } from './handler.ts'
import { readParams } from './read-params.ts'
import type { ResponseStore, StandInRequest, StoredResponse } from './response-store.ts'
import { couponHandlers } from './resources/handle-coupons.ts'
import { customerHandlers } from './resources/handle-customers.ts'
import { invoiceHandlers } from './resources/handle-invoices.ts'
import { productHandlers } from './resources/handle-products.ts'
import { subscriptionHandlers } from './resources/handle-subscriptions.ts'
import type { StripeAccount } from './stripe-account.ts'
import { StripeFailure } from './stripe-failure.ts'

const handlers: Handlers = {
  ...couponHandlers,
  ...customerHandlers,
  ...invoiceHandlers,
  ...productHandlers,
  ...subscriptionHandlers,
}

/** Routes in matching order. Paths without `{id}` are first, so that `create_preview` is not matched as an id. */
const routes = Object.entries(handlers)
  .toSorted(([left], [right]) => Number(left.includes('{id}')) - Number(right.includes('{id}')))
  .map(([name, handler]) => ({ name, handler, pattern: new RegExp(`^${name.replace('{id}', '([^/]+)')}$`) }))

/** Validates and runs a request with a valid API key and API version, and returns its response. */
export function runStripeRequest(
  account: StripeAccount,
  responses: ResponseStore,
  request: StandInRequest,
): StoredResponse {
  try {
    const { name, handler, id } = findRoute(request)
    const before = responses.claim(request)
    if (before !== undefined) return { ...before, isReplayed: true }
    try {
      const params = readParams(name, handler.supported, request.params)
      const response = runHandler(account, handler, request, params, id)
      responses.store(request, response)
      return response
    } catch (error) {
      responses.release(request)
      throw error
    }
  } catch (error) {
    return toResponse(error)
  }
}

/** Returns status 500 and stores the response under the idempotency key: of a request that did not run, or that has run (`hasRun`). */
export function createServerError(responses: ResponseStore, request: StandInRequest, hasRun: boolean): StoredResponse {
  const response = writeFailure(new StripeFailure(500, { type: 'api_error', message: 'An unknown error occurred' }))
  if (hasRun || responses.isClaimed(request)) responses.store(request, response)
  return response
}

/** Converts a failure to a response. */
export function writeFailure({ status, body }: StripeFailure): StoredResponse {
  return { status, text: JSON.stringify({ error: body }) }
}

function toResponse(error: unknown): StoredResponse {
  if (!(error instanceof StripeFailure)) throw error
  return writeFailure(error)
}

function runHandler(
  account: StripeAccount,
  { run }: Handler,
  request: StandInRequest,
  params: never,
  id: string,
): StoredResponse {
  try {
    return account.change(() => {
      const response = expandResponse(account, run(account, params, id), expandedPaths(request))
      return { status: 200, text: JSON.stringify(response) }
    })
  } catch (error) {
    return toResponse(error)
  }
}

/** Returns the paths of the fields to expand. */
export function expandedPaths({ params }: StandInRequest): readonly string[] {
  return [params['expand'] ?? []].flat().map(String)
}

/** Finds the handler for a method and path, and extracts the id from the path. */
function findRoute({ method, path }: StandInRequest): { name: string; handler: Handler; id: string } {
  for (const { pattern, ...route } of routes) {
    const match = pattern.exec(`${method} ${path}`)
    if (match !== null) return { ...route, id: decodeURIComponent(match[1] ?? '') }
  }
  // See docs.stripe.com/error-codes#url-invalid.
  throw new StripeFailure(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL, or not supported by the Stripe stand-in (${method}: ${path}).`,
  })
}
