import { once } from 'node:events'
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'

/** Starts a server on a free port. Returns its URL. */
export async function listenOn(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

/** Starts a server for a node:http listener on a free port. `path` is the prefix of every API path. */
export async function listening(
  listener: RequestListener,
  path = '',
): Promise<{ readonly url: string; readonly server: HttpServer; stop(): Promise<void> }> {
  const server = createServer(listener)
  return {
    url: `${await listenOn(server)}${path}`,
    server,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
