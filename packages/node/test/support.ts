import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Answer, Call, Integration, IntegrationOptions, StorePort } from '@storeport/core'
import { createIntegration } from '@storeport/core'
import { deferred } from '@storeport/testing/deferred'
import { expect, onTestFinished, vi } from 'vitest'
import { serve, type RunningServer, type ServeOptions } from '../src/index.ts'

export const key = 'a-key-of-the-tests-0001'

export const subscription = {
  next_billing_date: '2026-12-04',
  items: [{ id: 'item_1', title: 'Café £', price: 19.95, images: ['https://shop.example/a.svg'], quantity: 2 }],
}

/** Replaces the timers until the test ends, so that no timer ends a connection unless the test advances the time. */
export function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Creates an integration with a store; collects the messages that `onError` receives. */
export function integrationOf(store: StorePort, options: Partial<IntegrationOptions> = {}) {
  const failures: string[] = []
  const integration = createIntegration({
    store,
    apiKeys: [key],
    onError: (_error, summary) => failures.push(summary.message),
    ...options,
  })
  return { integration, failures }
}

/** Creates an integration whose store has a subscription and accepts every action. */
export const openShop = (): Integration =>
  integrationOf({ getSubscription: async () => subscription, runCustomAction: async () => {} }).integration

/** Creates an integration that handles paths below `/integration` with the given function. */
export function seam(answer: (call: Call) => Promise<Partial<Answer>>) {
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
export async function listening(listener: RequestListener): Promise<{ server: Server; port: number; url: string }> {
  const server = createServer(listener)
  const port = await startFor(server)
  return { server, port, url: `http://127.0.0.1:${port}` }
}

export async function startFor(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return address.port
}

/** Serves on a free port until the test ends. */
export async function serving(
  integration: Parameters<typeof serve>[0],
  options: ServeOptions = {},
): Promise<RunningServer> {
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

/** TCP client for which the test controls every byte sent. */
export interface RawClient {
  readonly socket: Socket
  /** Returns all bytes received so far. */
  received(): string
  /** Resolves with all received bytes as soon as they match the pattern. */
  until(pattern: RegExp): Promise<string>
  /** Resolves with all received bytes when the connection has ended; rejects if it was reset. */
  ended(): Promise<string>
  /** Resolves with the response when the connection has ended. */
  answer(): Promise<ReturnType<typeof parsedAnswer>>
}

export function rawClient(port: number, firstBytes = ''): RawClient {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let failure: Error | undefined
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
  })
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  socket.on('error', (error) => (failure = error))
  onTestFinished(() => {
    socket.destroy()
  })
  if (firstBytes !== '') socket.write(firstBytes)
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (pattern.test(received)) resolve(received)
      }
      look()
      socket.on('data', look)
      socket.on('close', () => reject(failure ?? new Error(`closed after ${JSON.stringify(received)}`)))
    })
  const waitUntilEnded = async () => {
    await ended
    if (failure !== undefined) throw failure
    return received
  }
  return {
    socket,
    received: () => received,
    until,
    ended: waitUntilEnded,
    answer: async () => parsedAnswer(await waitUntilEnded()),
  }
}

/** Expects an error response in the envelope, with the usual headers and `Connection: close`. */
export function expectRejection(answer: ReturnType<typeof parsedAnswer>, status: number, code: string): void {
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.body)).toEqual({ success: false, error: { code, message: expect.any(String) } })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
    'content-length': String(answer.body.length),
    connection: 'close',
  })
}

export function parsedAnswer(raw: string) {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Map(lines.map((line) => [line.split(': ', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: /, '')]))
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
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

/** Path of the custom-action endpoint. */
export const action = '/integration/custom-action'

/** Valid body of a request to `action`. */
export const actionBody = '{"email":"a@example.com","action_id":"a"}'

/** Start of a POST request to `action`; tests append a length or transfer encoding, and an empty line. */
export const postAction = `POST ${action} HTTP/1.1\r\nHost: a\r\n${keyLine}Content-Type: application/json\r\n`

/** Start of a POST request that an integration created with `seam` handles. */
export const postHead = 'POST /integration HTTP/1.1\r\nHost: a\r\n'

/** Returns the status lines in the received bytes, without the reason phrase. */
export function statusesIn(received: string): readonly string[] {
  return received.match(/HTTP\/1\.1 \d+/g) ?? []
}

/** Returns the bodies that a connection received; each body is a quoted word. */
export function bodiesIn(received: string): readonly (string | undefined)[] {
  return [...received.matchAll(/\r\n\r\n"(\w+)"/g)].map(([, body]) => body)
}
