import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { createClient, type Client, type ClientOptions } from '../src/index.ts'

/** API key of the test clients. */
export const apiKey = 'key-of-0123456789'

/** A request that the test server received. */
export interface SeenRequest {
  readonly method: string | undefined
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** An HTTP server that runs until the end of the test. */
export interface TestServer {
  readonly baseUrl: string
  /** Received requests, in order. */
  readonly seen: readonly SeenRequest[]
}

/** Starts an HTTP server on a free port, and stops it after the test. Records each request before `listener` runs. */
export async function startServer(listener: RequestListener): Promise<TestServer> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    seen.push({ method: request.method, url: request.url ?? '', headers: request.headers, body })
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return { baseUrl: `http://127.0.0.1:${address.port}`, seen }
}

/** A response for the test server to return. */
export interface Canned {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Starts a server that returns the given responses in order, then repeats the last response. */
export function startResponding(...responses: readonly [Canned, ...Canned[]]): Promise<TestServer> {
  let next = 0
  return startServer((_request, response) => {
    const {
      status = 200,
      headers = { 'Content-Type': 'application/json' },
      body = '',
    } = responses[Math.min(next, responses.length - 1)] ?? responses[0]
    next += 1
    response.writeHead(status, headers).end(body)
  })
}

/** Starts a server that returns the given responses, and creates a client for the server. */
export async function clientOf(
  responses: readonly [Canned, ...Canned[]],
  options: Partial<ClientOptions> = {},
): Promise<TestServer & { readonly client: Client }> {
  const server = await startResponding(...responses)
  return { ...server, client: createClient({ baseUrl: server.baseUrl, apiKey, ...options }) }
}

/** Creates an error response. */
export function failure(status: number, code: string, message = 'No.', headers: Record<string, string> = {}): Canned {
  const body = JSON.stringify({ success: false, error: { code, message } })
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body }
}

/** Creates a success response. */
export function success(data?: unknown): Canned {
  return { body: JSON.stringify({ success: true, data }) }
}
