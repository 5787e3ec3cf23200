import { type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'

/** Returns the response that a connection sends next. Node stores it in the private property `_httpMessage`. */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse ? message : undefined
}

/** Maximum time to wait for a caller that continues to send its request after the response, in milliseconds. */
export const lingerMs = 2000

/**
 * Ends the server's side of a connection. Drops received bytes until the caller ends its side, for at most `lingerMs`.
 *
 * Closing the connection while bytes arrive would reset the connection, and the caller could lose the response.
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

/** Replaces `destroySoon`, which Node calls after the last response of a connection, with `endAndLinger`. */
export function lingerAfterLastAnswer(socket: Socket): void {
  socket.destroySoon = () => endAndLinger(socket)
}

/** Time to wait for a request that the caller sent before the server began to close, in milliseconds. */
const inTransitMs = 200

/**
 * Returns a function that stops accepting connections, waits at most `limitMs` for in-flight requests, and resolves.
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
    // `ignoreUpgrade` emits `connection` again for the same socket.
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  async function close(): Promise<void> {
    // Prevents Node from closing idle connections, which would reset connections with a request or response in transit.
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
    // The headers were already sent without `Connection: close`, so the server must end the connection itself.
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

/**
 * Returns a function that closes your own server: stops accepting connections, waits at most `limitMs` for in-flight
 * requests, and resolves. Call this function before the server accepts connections.
 */
export function prepareClose(server: Server, limitMs = 10_000): () => Promise<void> {
  return closeGracefully(server, limitMs, currentResponse)
}
