import { Buffer } from 'node:buffer'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { currentResponse } from './current-response.ts'

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
