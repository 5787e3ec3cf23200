import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { currentResponse } from './current-response.ts'

/** Prepares a server for its end; the returned function stops accepting, finishes what is in flight within `limitMs` and resolves. */
export function closeGracefully(server: Server, limitMs: number): () => Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      server.prependListener(event, (_req, res: ServerResponse) => endConnectionAfter(res))
    }
    for (const socket of sockets) {
      const current = currentResponse(socket)
      if (current !== undefined) endConnectionAfter(current)
      // Node counts a connection that has sent nothing yet as busy.
      else if (socket.bytesRead === 0) socket.destroy()
    }
    const timer = setTimeout(() => server.closeAllConnections(), limitMs)
    await closed
    clearTimeout(timer)
  }

  function endConnectionAfter(res: ServerResponse): void {
    res.shouldKeepAlive = false
    // An answer that had begun has promised to keep the connection.
    res.once('close', () => server.closeIdleConnections())
  }

  let closing: Promise<void> | undefined
  return () => (closing ??= close())
}
