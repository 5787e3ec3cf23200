import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { joinPieces, openConnection, type PlainRequest, type PlainResponse, type Send, toSend } from './plain-http.ts'

/**
 * Sends requests with `node:http` or `node:https`, without changing the path.
 *
 * If `baseUrl` contains a path, the path is prepended to every target. Throws TypeError if `baseUrl` is not an http(s)
 * URL.
 */
export function sendByHttp(baseUrl: string): Send {
  const base = new URL(baseUrl)
  if (base.protocol !== 'http:' && base.protocol !== 'https:') throw new TypeError('baseUrl: must be an http(s) URL')
  const secure = base.protocol === 'https:'
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const start = secure ? httpsRequest : httpRequest
  const prefix = base.pathname.replace(/\/$/, '')

  const send = toSend(
    [],
    async function send(request, retried = false): Promise<PlainResponse> {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const outgoing = start({
        protocol: base.protocol,
        hostname: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port,
        method: request.method,
        path: prefix + request.target,
        headers: headersOf(request),
        agent: isRead ? agent : false,
        signal: request.signal,
      })
      const response = new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.once('response', resolve)
        outgoing.on('error', reject)
      })
      writeBody(outgoing, request.body)
      try {
        return await readResponse(await response)
      } catch (error) {
        // Retries a read on a reused connection, since the server may have closed the idle connection.
        if (outgoing.reusedSocket && isRead && !retried) return send(request, true)
        throw error
      }
    },
    base.host,
  )
  return Object.assign(send, { connect: () => openConnection(base) })
}

function headersOf(request: PlainRequest): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of request.headers) {
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat()
  }
  if (request.body instanceof Uint8Array) headers['Content-Length'] = String(request.body.byteLength)
  return headers
}

function writeBody(outgoing: ReturnType<typeof httpRequest>, body: PlainRequest['body']): void {
  if (body === undefined) outgoing.end()
  else if (body instanceof Uint8Array) outgoing.end(body)
  else pipeline(body, outgoing, () => {})
}

async function readResponse(incoming: IncomingMessage): Promise<PlainResponse> {
  const body = await joinPieces(incoming)
  const { rawHeaders } = incoming
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  )
  return { status: incoming.statusCode ?? 0, headers, body }
}

/** Sends requests to a fetch handler in the same process: `(request: Request) => Response`. */
export function sendTo(handler: (request: Request) => Response | Promise<Response>): Send {
  return toSend(['raw-path', 'http-parser'], async (request) => {
    return responseOf(await handler(webRequest(request)))
  })
}

/** Creates a Web Request. Redirects are not followed. */
function webRequest(request: PlainRequest): Request {
  const headers = new Headers()
  for (const [name, value] of request.headers) headers.append(name, value)
  const init: RequestInit = { method: request.method, headers, redirect: 'manual' }
  if (request.signal !== undefined) init.signal = request.signal
  const { body } = request
  // Not a string, because `fetch` adds a content type to a string body.
  if (body instanceof Uint8Array) Object.assign(init, { body })
  else if (body !== undefined) Object.assign(init, { body: ReadableStream.from(body), duplex: 'half' })
  return new Request(`http://localhost${request.target}`, init)
}

async function responseOf(response: Response): Promise<PlainResponse> {
  return {
    status: response.status,
    headers: [...response.headers],
    body: response.body === null ? '' : await joinPieces(response.body),
  }
}
