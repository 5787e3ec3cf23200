import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream'
import { openConnection } from './raw-connection.ts'
import { joinPieces, type PlainRequest, type PlainResponse, type Send, sendThat } from './plain-http.ts'

/**
 * Sends with `node:http` or `node:https`, the path exactly as it is given.
 *
 * `baseUrl` may hold a path that comes before every target. Throws TypeError for an address that is not http(s).
 */
export function sendByHttp(baseUrl: string): Send {
  const base = new URL(baseUrl)
  if (base.protocol !== 'http:' && base.protocol !== 'https:')
    throw new TypeError('baseUrl: must be an http(s) address')
  const secure = base.protocol === 'https:'
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const start = secure ? httpsRequest : httpRequest
  const prefix = base.pathname.replace(/\/$/, '')

  const send = sendThat(
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
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.once('response', resolve)
        outgoing.on('error', reject)
      })
      writeBody(outgoing, request.body)
      try {
        return await readResponse(await answered)
      } catch (error) {
        // The server may close an idle connection in the moment in which it is used again; a read can simply be repeated.
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
