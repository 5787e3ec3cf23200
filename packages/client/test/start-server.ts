import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { createClient, type Client, type ClientOptions } from '../src/index.ts'

/** The key of every client of a test. */
export const apiKey = 'key-of-0123456789'

/** A request as the server of a test saw it. */
export interface SeenRequest {
  readonly method: string | undefined
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server of one test. */
export interface TestServer {
  readonly baseUrl: string
  /** What arrived so far, in order. */
  readonly seen: readonly SeenRequest[]
}

/** Starts an HTTP server on a free port that lives as long as the test; it notes each request before `listener` answers it. */
export async function startServer(
  listener: (...args: [...Parameters<RequestListener>, seen: SeenRequest]) => void,
): Promise<TestServer> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const noted = { method: request.method, url: request.url ?? '', headers: request.headers, body }
    seen.push(noted)
    listener(request, response, noted)
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

/** A canned answer. */
export interface Canned {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Starts a server that gives the listed answers in turn, and the last one from then on. */
export function startAnswering(...answers: readonly [Canned, ...Canned[]]): Promise<TestServer> {
  let next = 0
  return startServer((_request, response) => {
    const {
      status = 200,
      headers = { 'Content-Type': 'application/json' },
      body = '',
    } = answers[Math.min(next, answers.length - 1)] ?? answers[0]
    next += 1
    response.writeHead(status, headers).end(body)
  })
}

/** A client of a server that gives the listed answers in turn, and the last one from then on. */
export async function clientOf(
  answers: readonly [Canned, ...Canned[]],
  options: Partial<ClientOptions> = {},
): Promise<TestServer & { readonly client: Client }> {
  const server = await startAnswering(...answers)
  return { ...server, client: createClient({ baseUrl: server.baseUrl, apiKey, ...options }) }
}

/** An error answer in the envelope. */
export function refusal(status: number, code: string, message = 'No.', headers: Record<string, string> = {}): Canned {
  const body = JSON.stringify({ success: false, error: { code, message } })
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body }
}

/** A success in the envelope. */
export function success(data?: unknown): Canned {
  return { body: JSON.stringify({ success: true, data }) }
}
