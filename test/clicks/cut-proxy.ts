import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** A proxy in front of a database server, which can lose connections. */
export interface CutProxy {
  readonly port: number
  /** Closes all connections at both ends. */
  cut(): void
  /** Stops forwarding on all connections, also on new ones. Returns a function that resumes. */
  freeze(): () => void
  /**
   * Waits for a request that matches a pattern. With `request`, closes its connection before the server receives it.
   * With `response`, closes the connection after the server has run it. With `hold`, only stops the response until the
   * returned promise's function is called.
   */
  trap(pattern: RegExp, when: 'request' | 'response' | 'hold'): { readonly caught: Promise<() => void>; disarm(): void }
  stop(): Promise<void>
}

interface Trap {
  readonly pattern: RegExp
  readonly when: 'request' | 'response' | 'hold'
  spring(release: () => void): void
}

/** Starts a proxy on a free port. Works with any protocol that sends statements as plain text. */
export async function startCutProxy(target: NetConnectOpts): Promise<CutProxy> {
  const open = new Set<readonly [client: Socket, server: Socket]>()
  let trap: Trap | undefined
  let isFrozen = false

  function accept(client: Socket): void {
    const server = connect(target)
    const pair = [client, server] as const
    open.add(pair)
    let caught: Trap | undefined
    const cut = () => {
      client.destroy()
      server.destroy()
    }
    client.on('data', (bytes: Buffer) => {
      if (trap?.pattern.test(bytes.toString('latin1'))) {
        caught = trap
        trap = undefined
        if (caught.when === 'request') {
          cut()
          return caught.spring(() => {})
        }
      }
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      const { when, spring } = caught ?? {}
      caught = undefined
      if (when === 'response') cut()
      if (when === 'hold') {
        server.pause()
        spring?.(() => {
          client.write(bytes)
          server.resume()
        })
        return
      }
      if (when === undefined) client.write(bytes)
      else spring?.(() => {})
    })
    for (const socket of pair) {
      socket.setNoDelay(true).on('error', () => {})
      socket.on('close', () => {
        open.delete(pair)
        cut()
      })
      if (isFrozen) socket.pause()
    }
  }

  const listener = createServer(accept).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.')
  const cutAll = () => {
    for (const [client, server] of open) {
      client.destroy()
      server.destroy()
    }
  }
  return {
    port: address.port,
    cut: cutAll,
    freeze: () => {
      isFrozen = true
      for (const socket of [...open].flat()) socket.pause()
      return () => {
        isFrozen = false
        for (const socket of [...open].flat()) socket.resume()
      }
    },
    trap: (pattern, when) => {
      let armed: Trap | undefined
      const caught = new Promise<() => void>((spring) => {
        armed = { pattern, when, spring }
        trap = armed
      })
      const disarm = () => {
        if (trap === armed) trap = undefined
      }
      return { caught, disarm }
    },
    stop: async () => {
      const closed = once(listener, 'close')
      listener.close()
      cutAll()
      await closed
    },
  }
}
