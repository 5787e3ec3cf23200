import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorAnswer, safeRequestId } from '@storeport/core'
import { refuse } from './refuse.ts'

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
