import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'

/** Starts a server for a node:http listener on a free port. `path` is the prefix of every API path. */
export async function listening(
  listener: RequestListener,
  path = '',
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}${path}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
