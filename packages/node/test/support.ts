import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Answer, Call, IntegrationOptions, StorePort } from '@storeport/core'
import { createIntegration } from '@storeport/core'
import { deferred } from '@storeport/testing/deferred'
import { key } from '@storeport/testing/send'
import { expect, onTestFinished, vi } from 'vitest'
import { serve, type ServeOptions } from '../src/index.ts'

export { key } from '@storeport/testing/send'

export const subscription = {
  next_billing_date: '2026-12-04',
  items: [{ id: 'item_1', title: 'Café £', price: 19.95, images: ['https://shop.example/a.svg'], quantity: 2 }],
}

/** Replaces the timers until the test ends, so that no timer ends a connection unless the test advances the time. */
export function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Creates an integration; `failures` contains the messages that `onError` receives, and `run` the ids of the actions. */
export function openShop(store: StorePort = {}, options: Partial<IntegrationOptions> = {}) {
  const failures: string[] = []
  const run: string[] = []
  const integration = createIntegration({
    store: {
      getSubscription: async () => subscription,
      runCustomAction: async ({ action_id }) => void run.push(action_id),
      ...store,
    },
    apiKeys: [key],
    retries: false,
    onError: (_error, summary) => failures.push(summary.message),
    ...options,
  })
  return { integration, failures, run }
}

/** Creates an integration that handles paths below `/integration` with the given function. */
export function seam(answer: (call: Call) => Promise<Partial<Answer> | void>) {
  return {
    owns: (path: string) => path.startsWith('/integration'),
    answer: async (call: Call): Promise<Answer> => ({ status: 200, headers: {}, body: '{}', ...(await answer(call)) }),
  }
}

/** Creates an integration that returns the request body. */
export function echo(maxBytes = 1000): ReturnType<typeof seam> {
  return seam(async (call) => ({ body: await call.text(maxBytes) }))
}

/** Creates an integration that returns the query after the test resolves `go`; `run` contains the received queries. */
export function waitingShop() {
  const begun = deferred<void>()
  const go = deferred<void>()
  const run: string[] = []
  const shop = seam(async ({ query }) => {
    run.push(query)
    begun.resolve()
    await go.promise
    return { body: `"${query}"` }
  })
  return { shop, begun, go, run }
}

/** Listens on a free port until the test ends. */
export async function listening(target: RequestListener | Server) {
  const server = typeof target === 'function' ? createServer(target) : target
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return { port: address.port, url: `http://127.0.0.1:${address.port}` }
}

/** Serves on a free port until the test ends. */
export async function serving(integration: Parameters<typeof serve>[0], options: ServeOptions = {}) {
  const running = await serve(integration, { port: 0, ...options })
  onTestFinished(() => {
    running.server.closeAllConnections()
    return running.close()
  })
  return running
}

/** Serves an integration on a free port and connects a client. Returns both sides of the connection. */
export async function connected(integration: Parameters<typeof serve>[0], firstBytes = '', options: ServeOptions = {}) {
  const running = await serving(integration, options)
  const accepted = once(running.server, 'connection')
  const client = rawClient(running.port, firstBytes)
  const [connection]: Socket[] = await accepted
  if (connection === undefined) throw new Error('no connection')
  return { ...running, client, connection }
}

/** Connects a TCP client for which the test controls every byte sent. */
export function rawClient(port: number, firstBytes = '') {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let failure: Error | undefined
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
  })
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  socket.on('error', (error) => (failure = error))
  onTestFinished(() => void socket.destroy())
  if (firstBytes !== '') socket.write(firstBytes)
  /** Resolves with all received bytes as soon as they match the pattern. */
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (pattern.test(received)) resolve(received)
      }
      look()
      socket.on('data', look)
      socket.on('close', () => reject(failure ?? new Error(`closed after ${JSON.stringify(received)}`)))
    })
  /** Resolves with all received bytes when the connection has ended; rejects if it was reset. */
  const ended = async () => {
    await closed
    if (failure !== undefined) throw failure
    return received
  }
  return { socket, until, ended, answer: async () => lastAnswerIn(await ended()) }
}

/** Error code of a response by its status. */
const codes: Readonly<Record<number, string>> = {
  ...{ 400: 'invalid_request', 401: 'unauthorized', 405: 'method_not_allowed', 408: 'request_timeout' },
  ...{ 413: 'payload_too_large', 417: 'invalid_request', 431: 'headers_too_large' },
}

/** Expects an error response in the envelope, with the usual headers and `Connection: close`. */
export function expectRejection({ status, body, headers }: ReturnType<typeof lastAnswerIn>): void {
  const error = { code: codes[status], message: expect.any(String) }
  expect(JSON.parse(body)).toEqual({ success: false, error })
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
    'content-length': String(body.length),
    connection: 'close',
  })
}

/** Returns the last response in the received bytes. */
export function lastAnswerIn(received: string) {
  const [head = '', ...rest] = received.slice(received.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Map(lines.map((line) => [line.split(': ', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: /, '')]))
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}

/** Returns the statuses of the responses in the received bytes. */
export function statusesIn(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}

export const keyLine = `X-Integration-API-Key: ${key}\r\n`

/** Returns a GET request that an integration created with `seam` handles. */
export function get(query: number | string = '', headers = ''): string {
  return `GET /integration?${query} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
}

/** GET request with `Connection: close`. */
export const last = get('last', 'Connection: close\r\n')

/** Path and query of a request for a subscription. */
export const portal = '/integration/customer-portal/subscription?email=a@example.com'

/** Start of a request for a subscription without a key. */
export const readPortal = `GET ${portal} HTTP/1.1\r\nHost: a\r\n`

/** Path of the custom-action endpoint. */
export const action = '/integration/custom-action'

/** Start of a POST request to `action`; tests append a length or transfer encoding, and an empty line. */
export const postAction = `POST ${action} HTTP/1.1\r\nHost: a\r\n${keyLine}Content-Type: application/json\r\n`

/** Start of a POST request that an integration created with `seam` handles. */
export const postHead = 'POST /integration HTTP/1.1\r\nHost: a\r\n'

/** End of the headers, and a body in one chunk. */
export const chunked = (body: string, end = '0\r\n\r\n') =>
  `Transfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n${end}`
