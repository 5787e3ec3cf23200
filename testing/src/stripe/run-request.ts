import { expandResponse } from './expand-response.ts'
import { readParams } from './read-params.ts'
import type { ResponseStore, StandInRequest, StoredResponse } from './response-store.ts'
import { couponHandlers } from './resources/handle-coupons.ts'
import { customerHandlers } from './resources/handle-customers.ts'
import { invoiceItemHandlers } from './resources/handle-invoice-items.ts'
import { invoiceHandlers } from './resources/handle-invoices.ts'
import { priceHandlers } from './resources/handle-prices.ts'
import { productHandlers } from './resources/handle-products.ts'
import { subscriptionHandlers } from './resources/handle-subscriptions.ts'
import { testClockHandlers } from './resources/handle-test-clocks.ts'
import type { StripeAccount } from './stripe-account.ts'
import { StripeFailure } from './stripe-failure.ts'
import type { Handlers, StripeRequestName, StripeRequests } from './stripe-requests.ts'

const handlers: Handlers = {
  ...couponHandlers,
  ...customerHandlers,
  ...invoiceHandlers,
  ...invoiceItemHandlers,
  ...priceHandlers,
  ...productHandlers,
  ...subscriptionHandlers,
  ...testClockHandlers,
}

// oxlint-disable-next-line typescript/consistent-type-assertions -- Object.keys returns string[]; the keys are those of Handlers
const names = Object.keys(handlers) as StripeRequestName[]
/** Routes in matching order. Paths without `{id}` are first, so that `create_preview` is not matched as an id. */
const patterns = names
  .toSorted((left, right) => Number(left.includes('{id}')) - Number(right.includes('{id}')))
  .map((name) => ({ name, pattern: new RegExp(`^${name.replace('{id}', '([^/]+)')}$`) }))

/** Validates and runs a request with a valid API key and API version, and returns its response. */
export function runStripeRequest(
  account: StripeAccount,
  responses: ResponseStore,
  request: StandInRequest,
): StoredResponse {
  try {
    const found = findRequest(request)
    const before = responses.claim(request)
    if (before !== undefined) return { ...before, isReplayed: true }
    try {
      const params = readParams(found.name, request.params)
      const response = runRequest(account, found.name, params, found.id)
      responses.store(request, response)
      return response
    } catch (error) {
      responses.release(request)
      throw error
    }
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    return writeFailure(error)
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

function runRequest<Name extends StripeRequestName>(
  account: StripeAccount,
  name: Name,
  params: StripeRequests[Name],
  id: string,
): StoredResponse {
  try {
    return account.change(() => {
      const paths = 'expand' in params ? params.expand : undefined
      const response = expandResponse(account, handlers[name](account, params, id), paths ?? [])
      return { status: 200, text: JSON.stringify(response) }
    })
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    return writeFailure(error)
  }
}

/** Finds the handler name for a method and path, and extracts the id from the path. */
function findRequest({ method, path }: StandInRequest): { name: StripeRequestName; id: string } {
  for (const { name, pattern } of patterns) {
    const match = pattern.exec(`${method} ${path}`)
    if (match !== null) return { name, id: decodeURIComponent(match[1] ?? '') }
  }
  // See docs.stripe.com/error-codes#url-invalid.
  throw new StripeFailure(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL, or not supported by the Stripe stand-in (${method}: ${path}).`,
  })
}
