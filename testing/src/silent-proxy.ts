import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Starts a TCP proxy for a server on a socket. `dieSilently` makes all present connections swallow everything. */
export async function startSilentProxy(path: string) {
  let generation = 0
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const own = generation
    const upstream = connect(path)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => own === generation && to.write(chunk))
      from.on('close', () => own === generation && to.destroy())
      from.on('error', () => {})
    }
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const address = listener.address()
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    dieSilently: () => void (generation += 1),
    stop: () => {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
