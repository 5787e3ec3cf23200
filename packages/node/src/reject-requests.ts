import { Buffer } from 'node:buffer'
import { IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Answer, errorAnswer, safeRequestId } from '@storeport/core'
import { currentResponse, lingerMs } from './connection.ts'

/**
 * Sends an error response on a connection from which no further request can be read, and closes the connection.
 *
 * Earlier complete requests get their responses first. A request that already has a response gets no second response.
 */
function reject(socket: Duplex, answer: Answer): void {
  const current = currentResponse(socket)
  if (current?.req.complete) {
    current.once('close', () => reject(socket, answer))
  } else if (!socket.destroyed) {
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
    const isAnswered = current === undefined ? isHalfRead(socket) : current.headersSent
    if (!isAnswered && socket.writable) socket.end(writeRaw(answer))
    // If neither condition is true, the code that writes the current response ends the connection.
    else if (current === undefined || socket.readableEnded) socket.end()
  }
}

/** Whether a request has arrived only partly. Node stores that request in `parser.incoming`. */
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

/** Connections that were already rejected. Node emits `clientError` again for every further chunk. */
const rejected = new WeakSet<Duplex>()

/**
 * Sends an API error in response to a request that Node's HTTP parser rejects, and closes the connection (HTTP-1):
 * `server.on('clientError', rejectInvalidRequest)`.
 */
export function rejectInvalidRequest(error: Error, socket: Duplex): void {
  if (rejected.has(socket)) return
  rejected.add(socket)
  const answer = chooseAnswer('code' in error ? error.code : undefined)
  if (answer === undefined) socket.destroy()
  else reject(socket, answer)
}

/** Returns the error response for an error code from Node; `undefined` for a connection error, such as a reset. */
function chooseAnswer(code: unknown): Answer | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorAnswer('request_timeout')
  if (code === 'HPE_HEADER_OVERFLOW') return errorAnswer('headers_too_large')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return errorAnswer('payload_too_large')
  if (typeof code !== 'string' || !code.startsWith('HPE_')) return undefined
  return errorAnswer('invalid_request', { message: 'request: is not valid HTTP' })
}

/**
 * Rejects a CONNECT request with an API error and closes the connection: `server.on('connect', rejectConnect)`.
 *
 * Without this listener, Node closes the connection without a response.
 */
export function rejectConnect(req: IncomingMessage, socket: Duplex): void {
  // Replaces the listeners that Node has removed. Without `error`, a connection reset would exit the process.
  // Without `timeout`, a caller that does not read its responses would stay connected.
  socket.on('error', () => socket.destroy())
  socket.on('timeout', () => socket.destroy())
  socket.resume()
  reject(
    socket,
    errorAnswer('method_not_allowed', {
      requestId: safeRequestId(req.headers['x-request-id']),
      allow: 'GET, HEAD, POST',
    }),
  )
}

/** Maximum number of requests with an `Upgrade` header per connection. The response to the last one closes the connection. */
const maxUpgrades = 8

/** Number of requests with an `Upgrade` header that each connection has sent. */
const upgrades = new WeakMap<Duplex, number>()

/**
 * Handles a request with an `Upgrade` header as an ordinary request, and the following bytes as further requests:
 * `server.on('upgrade', (req, socket, rest) => ignoreUpgrade(server, req, socket, rest))`.
 *
 * Without this listener, Node responds to the request but drops the bytes that follow it in the same chunk.
 */
export function ignoreUpgrade(server: Server, req: IncomingMessage, socket: Duplex, rest: Buffer): void {
  // Replaces the listeners that Node has removed.
  const fail = () => socket.destroy()
  const pass = () => server.emit('timeout', socket)
  socket.on('error', fail)
  socket.on('timeout', pass)
  afterResponses(socket, () => {
    if (!socket.writable) return
    const count = (upgrades.get(socket) ?? 0) + 1
    upgrades.set(socket, count)
    for (const event of ['resume', 'pause']) socket.removeAllListeners(event)
    socket.off('error', fail)
    socket.off('timeout', pass)
    // Each request is parsed twice and its following bytes are copied, which would delay other connections.
    socket.unshift(Buffer.concat([writeHeadWithoutUpgrade(req, count < maxUpgrades), rest]))
    server.emit('connection', socket)
  })
}

/** Runs a function after the responses to all earlier requests have been sent. */
function afterResponses(socket: Duplex, proceed: () => void): void {
  const current: ServerResponse | undefined = currentResponse(socket)
  if (current === undefined) proceed()
  else current.once('close', () => afterResponses(socket, proceed))
}

/** Returns the request line and the headers as sent, without `Upgrade`. The last request asks to close the connection. */
function writeHeadWithoutUpgrade(
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  keepsAlive: boolean,
): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  if (!keepsAlive) lines.push('Connection: close')
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
