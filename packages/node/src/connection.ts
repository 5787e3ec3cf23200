import { type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'

/** The response that a connection is waiting for; Node keeps it in `_httpMessage`, which its own error handling reads too. */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse ? message : undefined
}

/** Time that a caller has to take note of an answer while it still sends, in milliseconds. */
export const lingerMs = 2000

/**
 * Ends our side of a connection and drops what still arrives, until the caller ends its side or the time is up.
 *
 * Closing a connection on which bytes arrive resets it, which can cost the caller the answer that it was just sent.
 */
function endAndLinger(socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return
  socket.end()
  // Instead of Node's parser, which would keep a response for every request.
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

/** Makes a connection linger after its last answer: Node ends it by calling `destroySoon`. */
export function lingerAfterLastAnswer(socket: Socket): void {
  socket.destroySoon = () => endAndLinger(socket)
}

/** Time for a call that was on its way over an open connection when the end began, in milliseconds. */
const onItsWayMs = 200

/**
 * Prepares a server for its end; the returned function stops accepting, finishes what is in flight within `limitMs` and resolves.
 *
 * The newest call of each connection gets the answer that says `Connection: close`; `newestResponse` finds it.
 */
export function closeGracefully(
  server: Server,
  limitMs: number,
  newestResponse: (socket: Socket) => ServerResponse | undefined,
): () => Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    // One that asked for another protocol comes again.
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  async function close(): Promise<void> {
    // Node would reset connections on which a call is on its way, or an answer.
    server.closeIdleConnections = () => {}
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      server.prependListener(event, (_req, res: ServerResponse) => {
        res.shouldKeepAlive = false
      })
    }
    for (const socket of sockets) endConnection(socket)
    const timer = setTimeout(() => server.closeAllConnections(), limitMs)
    await closed
    clearTimeout(timer)
  }

  function endConnection(socket: Socket): void {
    const newest = newestResponse(socket)
    if (newest === undefined) endUnlessUsed(socket)
    // An answer that had begun has promised to keep the connection.
    else if (newest.headersSent) newest.once('close', () => endUnlessUsed(socket))
    else newest.shouldKeepAlive = false
  }

  function endUnlessUsed(socket: Socket): void {
    const timer = setTimeout(() => {
      if (newestResponse(socket) === undefined) endAndLinger(socket)
    }, onItsWayMs)
    socket.once('close', () => clearTimeout(timer))
  }

  let closing: Promise<void> | undefined
  return () => (closing ??= close())
}
