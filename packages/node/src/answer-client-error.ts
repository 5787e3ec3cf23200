import type { Duplex } from 'node:stream'
import { type Answer, errorAnswer } from '@storeport/core'
import { refuse } from './refuse.ts'

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
