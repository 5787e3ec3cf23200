import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createDelayLane } from './delay-lane.ts'
import { createMessageReader, type Message } from './read-messages.ts'

/** A connection to PostgreSQL through the proxy. */
export interface ProxiedConnection {
  /** Process id of the connection's server process, for `pg_terminate_backend`. */
  readonly pid: number
  /** Stops forwarding in both directions without closing the connection. */
  freeze(): void
  /** Resumes forwarding, starting with the queued bytes. */
  thaw(): void
  /** Closes the connection at both ends. */
  cut(): void
}

/** Counts of the messages that the proxy forwarded. */
export interface Traffic {
  /** Number of `Query` and `Execute` messages from clients. */
  readonly statements: number
  /** Number of `ReadyForQuery` messages from the server, without the first message of each connection. */
  readonly roundTrips: number
  /** Number of commits that the server acknowledged. */
  readonly commits: number
}

/** A trap that freezes a connection at one statement. */
export interface Trap {
  /** Resolves with the frozen connection that sent the statement. */
  readonly caught: Promise<ProxiedConnection>
  disarm(): void
}

/** A proxy between clients and a PostgreSQL server, which can delay and freeze connections. */
export interface DelayProxy {
  /** Returns a database URL that connects through the proxy. */
  through(url: string): string
  /** Delay in each direction, in milliseconds. Can be changed at any time. */
  delayMs: number
  traffic(): Traffic
  /**
   * Freezes the connection that sends the n-th statement from now. With `before`, the server has not received the
   * statement. With `after`, the server has run the statement, but the client has not received the result.
   */
  catchStatement(n: number, when: 'before' | 'after'): Trap
  connections(): readonly ProxiedConnection[]
  /** Closes every connection and stops listening. */
  stop(): Promise<void>
}

interface ArmedTrap {
  left: number
  readonly when: 'before' | 'after'
  readonly spring: (connection: ProxiedConnection) => void
}

/** Starts a proxy on a free port for the server at a `postgres://` URL. */
export async function startDelayProxy(serverUrl: string, delayMs = 0): Promise<DelayProxy> {
  const traffic = { statements: 0, roundTrips: 0, commits: 0 }
  const open = new Set<ProxiedConnection>()
  let trap: ArmedTrap | undefined

  function accept(client: Socket): void {
    const server = connect(serverOf(serverUrl))
    const toServer = createDelayLane(client, server, () => proxy.delayMs)
    const toClient = createDelayLane(server, client, () => proxy.delayMs)
    let springAtReady: (() => void) | undefined
    let isSetUp = false

    const connection = {
      pid: 0,
      freeze: () => {
        toServer.freeze()
        toClient.freeze()
      },
      thaw: () => {
        toServer.thaw()
        toClient.thaw()
      },
      cut: () => {
        client.destroy()
        server.destroy()
      },
    }

    function springTrap(): void {
      if (trap === undefined || --trap.left > 0) return
      const { when, spring } = trap
      trap = undefined
      toClient.freeze()
      if (when === 'after') springAtReady = () => spring(connection)
      else {
        toServer.freeze()
        spring(connection)
      }
    }

    function forwardToServer({ type, bytes }: Message): void {
      if (type === 'Q' || type === 'E') {
        traffic.statements += 1
        springTrap()
      }
      toServer.push(bytes)
    }

    function forwardToClient({ type, bytes }: Message): void {
      if (type === 'K') connection.pid = bytes.readUInt32BE(5)
      if (type === 'C' && bytes.toString('latin1', 5, 11) === 'COMMIT') traffic.commits += 1
      if (type === 'Z' && isSetUp) traffic.roundTrips += 1
      if (type === 'Z') isSetUp = true
      toClient.push(bytes)
      if (type !== 'Z' || springAtReady === undefined) return
      toServer.freeze()
      springAtReady()
      springAtReady = undefined
    }

    const readClient = createMessageReader(true)
    const readServer = createMessageReader(false)
    client.on('data', (chunk) => readClient(chunk).forEach(forwardToServer))
    server.on('data', (chunk) => readServer(chunk).forEach(forwardToClient))
    open.add(connection)
    client.setNoDelay(true).on('error', () => {})
    server.setNoDelay(true).on('error', () => {})
    client.on('close', () => toServer.end())
    server.on('close', () => {
      open.delete(connection)
      toClient.end()
    })
  }

  const listener = createServer(accept).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a TCP server's address is never a path
  const { port } = listener.address() as AddressInfo
  const proxy: DelayProxy = {
    delayMs,
    through: (database) => {
      const url = Object.assign(new URL(database), { host: `127.0.0.1:${port}` })
      url.searchParams.delete('host')
      return url.href
    },
    traffic: () => ({ ...traffic }),
    catchStatement: (n, when) => {
      let armed: ArmedTrap | undefined
      const caught = new Promise<ProxiedConnection>((spring) => {
        armed = { left: n, when, spring }
        trap = armed
      })
      return {
        caught,
        disarm: () => {
          if (trap === armed) trap = undefined
        },
      }
    },
    connections: () => [...open],
    stop: async () => {
      const closed = once(listener, 'close')
      listener.close()
      for (const connection of open) connection.cut()
      await closed
    },
  }
  return proxy
}

/** Returns the socket path if the URL has a socket folder. Otherwise returns the host and port. */
function serverOf(url: string): { readonly path: string } | { readonly host: string; readonly port: number } {
  const { hostname, port, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  const number = port === '' ? 5432 : Number(port)
  if (folder?.startsWith('/')) return { path: join(folder, `.s.PGSQL.${number}`) }
  return { host: hostname, port: number }
}
