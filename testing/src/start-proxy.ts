import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { join } from 'node:path'
import { listenOn } from './listen.ts'

interface Trap {
  readonly pattern: RegExp
  readonly when: 'request' | 'response' | 'hold'
  spring(release: () => void): void
}

/** A proxy in front of a database server, which can lose connections. */
export type Proxy = Awaited<ReturnType<typeof startProxy>>

/** Starts a proxy on a free port. Works with any protocol that sends statements as plain text. */
export async function startProxy(target: NetConnectOpts) {
  const open = new Set<Socket>()
  let trap: Trap | undefined
  let isFrozen = false

  const listener = createServer((client) => {
    const server = connect(target)
    let caught: Trap | undefined
    const cut = () => void [client, server].map((socket) => socket.destroy())
    client.on('data', (bytes: Buffer) => {
      if (trap?.pattern.test(bytes.toString('latin1'))) [caught, trap] = [trap, undefined]
      if (caught?.when !== 'request') return server.write(bytes)
      cut()
      return caught.spring(cut)
    })
    server.on('data', (bytes: Buffer) => {
      if (caught === undefined) return client.write(bytes)
      const { when, spring } = caught
      caught = undefined
      if (when === 'response') cut()
      else server.pause()
      return spring(() => {
        client.write(bytes)
        server.resume()
      })
    })
    for (const socket of [client, server]) {
      open.add(socket)
      if (isFrozen) socket.pause()
      socket.setNoDelay(true).on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        cut()
      })
    }
  })
  const { port } = new URL(await listenOn(listener))
  /** Closes all connections. */
  const cutAll = () => open.forEach((socket) => socket.destroy())
  /** Stops forwarding on the present connections. */
  const stall = () => open.forEach((socket) => socket.pause())
  return {
    port: Number(port),
    cut: cutAll,
    stall,
    /** Stops forwarding on all connections, also on new ones. Returns a function that resumes. */
    freeze: () => {
      isFrozen = true
      stall()
      return () => {
        isFrozen = false
        open.forEach((socket) => socket.resume())
      }
    },
    /**
     * Waits for a request that matches a pattern. Closes its connection before the server receives the request, or after
     * the server has run it. With `hold`, `caught` resolves with a function that forwards the response.
     */
    trap: (pattern: RegExp, when: Trap['when']) => {
      let armed: Trap | undefined
      const caught = new Promise<() => void>((spring) => {
        trap = armed = { pattern, when, spring }
      })
      return { caught, disarm: () => void (trap === armed && (trap = undefined)) }
    },
    stop: async () => {
      const closed = once(listener, 'close')
      listener.close()
      cutAll()
      await closed
    },
  }
}

/** Starts a proxy in front of a PostgreSQL server on a socket. Its `url` connects to the database through the proxy. */
export async function startPostgresProxy(database: string): Promise<Proxy & { readonly url: string }> {
  const folder = new URL(database).searchParams.get('host') ?? ''
  const proxy = await startProxy({ path: join(folder, '.s.PGSQL.5432') })
  const url = Object.assign(new URL(database), { host: `127.0.0.1:${proxy.port}`, search: '' }).href
  return { ...proxy, url }
}
