import { Buffer } from 'node:buffer'
import { IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Answer, errorAnswer, safeRequestId } from '@storeport/core'
import { currentResponse, lingerMs } from './connection.ts'

/**
 * Answers on a connection that no request can be read from any more, and closes it.
 *
 * Requests that arrived whole before get their answers first; one that was answered gets no second answer.
 */
function refuse(socket: Duplex, answer: Answer): void {
  const current = currentResponse(socket)
  if (current?.req.complete) {
    current.once('close', () => refuse(socket, answer))
  } else if (!socket.destroyed) {
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
    const isAnswered = current === undefined ? isHalfRead(socket) : current.headersSent
    if (!isAnswered && socket.writable) socket.end(writeRaw(answer))
    // The code that writes the answer now ends the connection after it.
    else if (current === undefined || socket.readableEnded) socket.end()
  }
}

/** Whether a request that nobody answers now has not arrived whole: then it was answered before; Node keeps it in `parser.incoming`. */
function isHalfRead(socket: Duplex): boolean {
  const parser: unknown = Reflect.get(socket, 'parser')
  const incoming: unknown = typeof parser === 'object' && parser !== null ? Reflect.get(parser, 'incoming') : undefined
  return incoming instanceof IncomingMessage && !incoming.complete
}

function writeRaw({ status, headers, body }: Answer): string {
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

/** Node reports a broken connection again for every piece of data that still arrives on it. */
const refused = new WeakSet<Duplex>()

/**
 * Answers what Node's HTTP parser refuses with an error of the API, and closes the connection (HTTP-1):
 * `server.on('clientError', answerClientError)`.
 */
export function answerClientError(error: Error, socket: Duplex): void {
  if (refused.has(socket)) return
  refused.add(socket)
  const answer = chooseAnswer('code' in error ? error.code : undefined)
  if (answer === undefined) socket.destroy()
  else refuse(socket, answer)
}

/** The error answer for an error code of Node; none for connections that are gone. */
function chooseAnswer(code: unknown): Answer | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorAnswer('request_timeout')
  if (code === 'HPE_HEADER_OVERFLOW') return errorAnswer('headers_too_large')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return errorAnswer('payload_too_large')
  if (typeof code !== 'string' || !code.startsWith('HPE_')) return undefined
  return errorAnswer('invalid_request', { message: 'request: is not valid HTTP' })
}

/**
 * Refuses the method CONNECT with an error of the API and closes the connection: `server.on('connect', answerConnect)`.
 *
 * Without a listener Node closes the connection with no answer.
 */
export function answerConnect(req: IncomingMessage, socket: Duplex): void {
  // Node has taken its own listeners off: a connection that is reset now would end the process, and one whose answers are
  // not taken would stay.
  socket.on('error', () => socket.destroy())
  socket.on('timeout', () => socket.destroy())
  socket.resume()
  refuse(
    socket,
    errorAnswer('method_not_allowed', {
      requestId: safeRequestId(req.headers['x-request-id']),
      allow: 'GET, HEAD, POST',
    }),
  )
}

/**
 * Takes a request to change the protocol as one that does not ask for it, and what was sent behind it as further requests:
 * `server.on('upgrade', (req, socket, rest) => ignoreUpgrade(server, req, socket, rest))`.
 *
 * Without a listener Node answers the request, and drops the bytes behind it that came in the same piece.
 */
export function ignoreUpgrade(server: Server, req: IncomingMessage, socket: Duplex, rest: Buffer): void {
  // Node has taken its own listeners off.
  const fail = () => socket.destroy()
  const pass = () => server.emit('timeout', socket)
  socket.on('error', fail)
  socket.on('timeout', pass)
  afterAnswers(socket, () => {
    if (!socket.writable) return
    for (const event of ['resume', 'pause']) socket.removeAllListeners(event)
    socket.off('error', fail)
    socket.off('timeout', pass)
    socket.unshift(Buffer.concat([writeHeadWithoutUpgrade(req), rest]))
    server.emit('connection', socket)
  })
}

/** Answers are sent in the order of their requests, so the earlier ones first. */
function afterAnswers(socket: Duplex, proceed: () => void): void {
  const current: ServerResponse | undefined = currentResponse(socket)
  if (current === undefined) proceed()
  else current.once('close', () => afterAnswers(socket, proceed))
}

/** The request as it was sent; only the header that asks is left out. */
function writeHeadWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
