import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { stripeApiVersion } from '@storeport/store-stripe'
import qs from 'qs'
import { listening } from '../listen.ts'
import { createServerError, expandedPaths, runStripeRequest, writeFailure } from './run-request.ts'
import { billDue } from './billing/bill-due.ts'
import { createResponseStore, type StandInRequest, type StoredResponse } from './response-store.ts'
import { createStripeAccount } from './stripe-account.ts'
import { createInvalidRequest, createUnsupported, StripeFailure } from './stripe-failure.ts'

/** A server for the part of the Stripe API that `@storeport/store-stripe` uses, based on Stripe's documentation. */
export type StripeStandIn = Awaited<ReturnType<typeof startStripeStandIn>>

/** A simulated failure of the network or of Stripe for later requests. Faults apply in the order in which they are added. */
export interface Fault {
  /** Returns whether the fault applies to a request; default all requests. */
  matches?(request: Pick<StandInRequest, 'method' | 'path'>): boolean
  /** Number of requests to which the fault applies; default 1. `Infinity` applies the fault to all requests. */
  readonly times?: number
  /**
   * `cut_before`: closes the connection without running the request. `cut_after`: runs the request, then closes the
   * connection. `hang`: neither runs the request nor responds. `hang_after`: runs the request but does not respond.
   * `cut_short`: closes the connection after half of the response. `html`: 502 with an HTML page. `rate_limited`: 429. `server_error`: 500
   * without running the request, stored under the idempotency key; `server_error_after` runs the request before
   * (docs.stripe.com/error-low-level: treat the result as indeterminate).
   */
  readonly kind:
    | 'cut_after'
    | 'cut_before'
    | 'cut_short'
    | 'hang'
    | 'hang_after'
    | 'html'
    | 'rate_limited'
    | 'server_error'
    | 'server_error_after'
}

/** Options of `startStripeStandIn`. */
export interface StandInOptions {
  /** Returns the base time of the stand-in's clock, to which `advanceTo` adds; default the system time. */
  now?(): Date
  /** Whether the invoice of a new trial includes pending invoice items. The documentation allows both readings; default false. */
  readonly trialsBillPending?: boolean
  /** Resources for which the API key has no permission, named as in URL paths, for example `invoiceitems`, or `POST invoiceitems`. */
  readonly restricted?: readonly string[]
}

const secretKey = 'sk_test_standin'

/** Starts a stand-in with an empty account. */
export async function startStripeStandIn(options: StandInOptions = {}) {
  const { now = () => new Date(), restricted = [], trialsBillPending = false } = options
  let movedMs = 0
  let at: number | undefined
  const clock = () => at ?? Math.floor((now().getTime() + movedMs) / 1000)
  const account = createStripeAccount(clock, (time) => advanceTo(time * 1000), trialsBillPending)
  const responses = createResponseStore(clock)
  const faults: { readonly fault: Fault; left: number }[] = []
  const requests: StandInRequest[] = []

  const bill = () => {
    const until = clock()
    try {
      billDue(account, until, (time) => (at = time))
    } finally {
      at = undefined
    }
  }

  const advanceTo = (time: number) => {
    const forward = time - (now().getTime() + movedMs)
    if (forward < 0) throw new RangeError('The clock of the stand-in cannot move backward.')
    movedMs += forward
    bill()
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, search } = new URL(incoming.url ?? '/', 'http://stripe')
    const { method = '' } = incoming
    const params = qs.parse([search.slice(1), await readText(incoming)].join('&'), { arrayLimit: 100 })
    const idempotencyKey = readHeader(incoming, 'idempotency-key')
    const request: StandInRequest = { method, path, params, idempotencyKey, status: undefined }
    requests.push(request)
    const end = ({ status, text, isReplayed }: StoredResponse) => {
      request.status = status
      response.writeHead(status, {
        'content-type': 'application/json',
        'request-id': `req_${requests.length}`,
        ...(isReplayed && { 'idempotent-replayed': 'true' }),
        // Prevents retries of a 501 response, so that a test fails immediately (docs.stripe.com/error-low-level).
        ...(status === 501 && { 'stripe-should-retry': 'false' }),
      })
      response.end(text)
    }
    const found = faults.find(({ fault, left }) => left > 0 && (fault.matches?.(request) ?? true))
    if (found !== undefined) found.left -= 1
    const fault = found?.fault.kind
    if (fault === 'cut_before') return void incoming.socket.destroy()
    if (fault === 'html') {
      request.status = 502
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<title>502 Bad Gateway</title>')
    }
    const failure =
      checkAccess(incoming, path, expandedPaths(request), restricted) ??
      (fault === 'rate_limited' ? rateLimited : undefined)
    if (failure !== undefined) return end(writeFailure(failure))
    if (fault === 'hang') {
      // Until the connection closes, other requests with the idempotency key fail with 409.
      if (responses.isClaimed(request)) incoming.socket.once('close', () => responses.release(request))
      return
    }
    if (fault === 'server_error') return end(createServerError(responses, request, false))
    bill()
    const result = runStripeRequest(account, responses, request)
    if (fault === 'server_error_after') return end(createServerError(responses, request, true))
    if (fault === 'cut_short') {
      response.writeHead(result.status, { 'content-type': 'application/json', 'content-length': result.text.length })
      return void response.write(result.text.slice(0, result.text.length / 2), () => incoming.socket.destroy())
    }
    if (fault === 'cut_after') return void incoming.socket.destroy()
    if (fault !== 'hang_after') end(result)
  }

  const { url, stop } = await listening((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      // Returns the stand-in's own error to the client, so that the test fails with the message of that error.
      const { text, status } = writeFailure(createUnsupported(`this request: ${String(error)}`))
      response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' }).end(text)
    })
  })
  return {
    /** Base URL (`http://127.0.0.1:PORT`). Create a client with `new Stripe(key, { host, port, protocol: 'http' })`. */
    url,
    /** The only valid API key. */
    secretKey,
    /** All requests received, in order. */
    requests,
    /** Advances the stand-in's clock, and bills the renewals and ended trials that become due. */
    advanceTo: async (time: Date) => advanceTo(time.getTime()),
    /** Changes fields of an object, as the merchant can. Supports fields that the requests of the stand-in do not support. */
    change: account.changeFields,
    /** Applies a fault to the next `times` matching requests. */
    fail: (fault: Fault) => void faults.push({ fault, left: fault.times ?? 1 }),
    /** Closes all connections and stops the server. */
    close: stop,
  }
}

function checkAccess(
  incoming: IncomingMessage,
  path: string,
  expanded: readonly string[],
  restricted: readonly string[],
) {
  // See docs.stripe.com/api/authentication.
  if (readHeader(incoming, 'authorization') !== `Bearer ${secretKey}`)
    return new StripeFailure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' })
  // See docs.stripe.com/api/versioning.
  if (readHeader(incoming, 'stripe-version') !== stripeApiVersion)
    return createInvalidRequest(`Invalid Stripe API version. The stand-in supports only ${stripeApiVersion}.`)
  const resource = path.split('/')[2] ?? ''
  // See docs.stripe.com/keys/restricted-api-keys. Source of the message: github.com/stripe/stripe-node/issues/2246
  // An expanded object needs the permission of its kind (docs.stripe.com/stripe-apps/reference/permissions).
  const parts = expanded.flatMap((name) => name.split('.')).map((name) => `${name}s`.replace(/ss$/, 's'))
  if (![resource, `${incoming.method} ${resource}`, ...parts].some((name) => restricted.includes(name)))
    return undefined
  return new StripeFailure(403, {
    type: 'invalid_request_error',
    message: 'The provided key does not have the required permissions for this endpoint.',
  })
}

/** Failure that Stripe returns before it reads the idempotency key (docs.stripe.com/rate-limits). */
const rateLimited = new StripeFailure(429, {
  type: 'invalid_request_error',
  code: 'rate_limit',
  message: 'Request rate limit exceeded.',
})

function readHeader(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name]
  return typeof value === 'string' ? value : undefined
}
