import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of loopback that was free just now, for a program that cannot say which one it got. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no port is free')
  return address.port
}
