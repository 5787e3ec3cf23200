import { Buffer } from 'node:buffer'
import { IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answer } from '@storeport/core'
import { currentResponse } from './current-response.ts'
import { lingerMs } from './linger.ts'

/**
 * Answers on a connection that no request can be read from any more, and closes it.
 *
 * Requests that arrived whole before get their answers first; one that was answered gets no second answer.
 */
export function refuse(socket: Duplex, answer: Answer): void {
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
