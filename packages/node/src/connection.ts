import { type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'

/** Returns the current response of a connection. Node stores it in `_httpMessage`, which its own error handling also reads. */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse ? message : undefined
}

/** Time that a caller has to read a response while it still sends, in milliseconds. */
export const lingerMs = 2000

/**
 * Ends the server's side of a connection and drops incoming bytes until the caller ends its side or `lingerMs` is over.
 *
 * Closing a connection while bytes arrive resets it, and the caller can lose the response.
 */
function endAndLinger(socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return
  socket.end()
  // Detaches Node's parser, which would create a response for every further request.
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

/** Makes a connection linger after its last response, which Node ends with `destroySoon`. */
export function lingerAfterLastAnswer(socket: Socket): void {
  socket.destroySoon = () => endAndLinger(socket)
}

/** Time for a request to arrive that the caller sent before the close began, in milliseconds. */
const inTransitMs = 200

/**
 * Returns a function that stops accepting connections, waits at most `limitMs` for requests in flight, and resolves.
 *
 * The response to the newest request of each connection, found by `newestResponse`, contains `Connection: close`.
 */
export function closeGracefully(
  server: Server,
  limitMs: number,
  newestResponse: (socket: Socket) => ServerResponse | undefined,
): () => Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    // A connection is emitted again after an `Upgrade` request.
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  async function close(): Promise<void> {
    // Node would reset connections with a request or a response in transit.
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
    // The headers were already sent without `Connection: close`.
    else if (newest.headersSent) newest.once('close', () => endUnlessUsed(socket))
    else newest.shouldKeepAlive = false
  }

  function endUnlessUsed(socket: Socket): void {
    const timer = setTimeout(() => {
      if (newestResponse(socket) === undefined) endAndLinger(socket)
    }, inTransitMs)
    socket.once('close', () => clearTimeout(timer))
  }

  let closing: Promise<void> | undefined
  return () => (closing ??= close())
}
