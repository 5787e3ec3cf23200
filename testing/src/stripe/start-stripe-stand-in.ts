import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stripeApiVersion } from '@storeport/store-stripe'
import {
  answerRequest,
  answerServerError,
  type ArrivedRequest,
  holdKey,
  type StandInAnswer,
  writeFailure,
} from './answer-request.ts'
import { billDue } from './billing/bill-due.ts'
import { keepAnswers } from './keep-answers.ts'
import { type FormValue, parseForm } from './parse-form.ts'
import { createFaults, type Fault } from './stand-in-faults.ts'
import { createStripeAccount } from './stripe-account.ts'
import { createInvalidRequest, createUnsupported, StripeFailure } from './stripe-failure.ts'

/** A server that answers the part of Stripe that `@storeport/store-stripe` uses, by the vendor's documents. */
export interface StripeStandIn {
  /** Base address, `http://127.0.0.1:PORT`: for `new Stripe(key, { host, port, protocol: 'http' })`. */
  readonly url: string
  /** The one key that it takes. */
  readonly secretKey: string
  /** Every request that arrived, in order. */
  readonly requests: readonly StandInRequest[]
  /** Moves Stripe's clock forward and bills what comes due on the way: renewals, ends of trials. */
  advanceTo(time: Date): Promise<void>
  /** Applies to the next `times` requests that match. */
  fail(fault: Fault): void
  /** Ends its connections and stops listening. */
  close(): Promise<void>
}

/** A request that arrived. */
export interface StandInRequest {
  readonly method: 'DELETE' | 'GET' | 'POST'
  /** As `/v1/subscriptions/sub_1`. */
  readonly path: string
  /** Query and form, nested, as they were sent: strings. */
  readonly params: Readonly<Record<string, FormValue>>
  readonly idempotencyKey: string | undefined
  /** What it was answered with; undefined while it runs, and when it was cut or hung. */
  readonly status: number | undefined
}

/** How a stand-in is. */
export interface StandInOptions {
  /** Stripe's clock before it is moved; the machine's without it. */
  now?(): Date
  /** The resources that the key may not touch, as paths name them: `['invoiceitems']`. */
  readonly restricted?: readonly string[]
  /** Where it listens; a free port without it. */
  readonly port?: number
}

const secretKey = 'sk_test_standin'
/** More than any request of ours by far. */
const maxBytes = 1_000_000

/** Starts a stand-in with an account that holds nothing. */
export async function startStripeStandIn({
  now = () => new Date(),
  restricted = [],
  port = 0,
}: StandInOptions = {}): Promise<StripeStandIn> {
  let movedMs = 0
  let at: number | undefined
  const clock = () => at ?? Math.floor((now().getTime() + movedMs) / 1000)
  const account = createStripeAccount(clock)
  const kept = keepAnswers(clock)
  const faults = createFaults()
  const requests: (StandInRequest & { status: number | undefined })[] = []

  const bill = () => {
    const until = clock()
    try {
      billDue(account, until, (time) => (at = time))
    } finally {
      at = undefined
    }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, search } = new URL(incoming.url ?? '/', 'http://stripe')
    const method = readMethod(incoming.method)
    const params = { ...parseForm(search.slice(1)), ...parseForm(await readText(incoming)) }
    const idempotencyKey = readHeader(incoming, 'idempotency-key')
    const request: StandInRequest & { status: number | undefined } = {
      method,
      path,
      params,
      idempotencyKey,
      status: undefined,
    }
    requests.push(request)
    const end = ({ status, text, isReplayed }: StandInAnswer) => {
      request.status = status
      const replayed = isReplayed ? { 'idempotent-replayed': 'true' } : undefined
      // A client that tries again what nobody has to try again would hide what a test looks for (docs.stripe.com/error-low-level).
      const again = status === 501 ? { 'stripe-should-retry': 'false' } : undefined
      response.writeHead(status, {
        'content-type': 'application/json',
        'request-id': `req_${requests.length}`,
        ...replayed,
        ...again,
      })
      response.end(text)
    }
    const fault = faults.take(request)
    if (fault === 'cut_before') return void incoming.socket.destroy()
    if (fault === 'html') {
      request.status = 502
      return void response
        .writeHead(502, { 'content-type': 'text/html' })
        .end('<html><title>502 Bad Gateway</title></html>')
    }
    const failure =
      checkAccess(incoming, path, restricted) ?? (fault === 'rate_limited' ? createRateLimit() : undefined)
    if (failure !== undefined) return end({ ...writeFailure(failure), isReplayed: false })
    const arrived: ArrivedRequest = { method, path, params, idempotencyKey }
    if (fault === 'hang') return void incoming.socket.once('close', holdKey(kept, arrived))
    if (fault === 'server_error') return end(answerServerError(kept, arrived))
    bill()
    const answer = answerRequest(account, kept, arrived)
    if (fault === 'cut_after') return void incoming.socket.destroy()
    if (fault !== 'hang_after') end(answer)
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      // A bug of the stand-in: whoever runs the test reads it in the client's error.
      const { text, status } = writeFailure(createUnsupported(`how to answer this: ${String(error)}`))
      response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' }).end(text)
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a TCP server's address is never a path
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    secretKey,
    requests,
    advanceTo: async (time) => {
      const forward = time.getTime() - (now().getTime() + movedMs)
      if (forward < 0) throw new RangeError("Stripe's clock goes forward only")
      movedMs += forward
      bill()
    },
    fail: (fault) => faults.add(fault),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function checkAccess(
  incoming: IncomingMessage,
  path: string,
  restricted: readonly string[],
): StripeFailure | undefined {
  // docs.stripe.com/api/authentication
  if (readHeader(incoming, 'authorization') !== `Bearer ${secretKey}`)
    return new StripeFailure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' })
  // docs.stripe.com/api/versioning
  if (readHeader(incoming, 'stripe-version') !== stripeApiVersion)
    return createInvalidRequest(`Invalid Stripe API version: the stand-in has ${stripeApiVersion} alone.`)
  const resource = path.split('/')[2] ?? ''
  // docs.stripe.com/keys/restricted-api-keys; the message is in github.com/stripe/stripe-node/issues/2246.
  if (!restricted.includes(resource)) return undefined
  return new StripeFailure(403, {
    type: 'invalid_request_error',
    message: 'The provided key does not have the required permissions for this endpoint.',
  })
}

/** docs.stripe.com/rate-limits. It comes before the idempotency keys (docs.stripe.com/error-low-level#idempotency). */
function createRateLimit(): StripeFailure {
  return new StripeFailure(429, {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message: 'Request rate limit exceeded.',
  })
}

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming) {
    text += String(chunk)
    if (text.length > maxBytes) throw new Error('the request is too large')
  }
  return text
}

function readHeader(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name]
  return typeof value === 'string' ? value : undefined
}

function readMethod(method: string | undefined): 'DELETE' | 'GET' | 'POST' {
  if (method === 'DELETE' || method === 'GET' || method === 'POST') return method
  throw new Error(`Stripe has no ${method}`)
}
