import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createDelayLane } from './delay-lane.ts'
import { createMessageReader, type Message } from './read-messages.ts'

/** A connection to PostgreSQL through the proxy. */
export interface ProxiedConnection {
  /** The server's number for the connection, to end it with `pg_terminate_backend`. */
  readonly pid: number
  /** Stops forwarding, both ways, without a word to either side. */
  freeze(): void
  /** Forwards again, what was held back first. */
  thaw(): void
  /** Ends the connection at both ends. */
  cut(): void
}

/** What has gone through the proxy. */
export interface Traffic {
  /** Statements that clients sent: `Query` and `Execute` messages. */
  readonly statements: number
  /** How often the server said that it is ready for the next one, after a connection was set up. */
  readonly roundTrips: number
  /** Commits that the server acknowledged. */
  readonly commits: number
}

/** A wait for one statement. */
export interface Trap {
  /** The connection that sent the statement, frozen there. */
  readonly caught: Promise<ProxiedConnection>
  /** Lets every statement pass from now on. */
  disarm(): void
}

/** Stands between clients and a PostgreSQL server. */
export interface DelayProxy {
  /** The address of a database of the server, through the proxy. */
  through(address: string): string
  /** How long everything takes each way, in milliseconds; may be changed at any time. */
  delayMs: number
  /** What has gone through since the start. */
  traffic(): Traffic
  /**
   * Catches the n-th statement from now: `before` the server gets it, or `after` the server has done it and before the
   * client hears of it. Its connection stays frozen.
   */
  catchStatement(n: number, when: 'before' | 'after'): Trap
  /** The connections that are open. */
  connections(): readonly ProxiedConnection[]
  /** Ends every connection and listens no more. */
  stop(): Promise<void>
}

interface ArmedTrap {
  left: number
  readonly when: 'before' | 'after'
  readonly spring: (connection: ProxiedConnection) => void
}

/** Starts a proxy on a free port before the server that a `postgres://` address names. */
export async function startDelayProxy(address: string, delayMs = 0): Promise<DelayProxy> {
  const traffic = { statements: 0, roundTrips: 0, commits: 0 }
  const open = new Set<ProxiedConnection>()
  let trap: ArmedTrap | undefined

  function accept(client: Socket): void {
    const server = connect(serverOf(address))
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

    function meetTrap(): void {
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

    function forward({ type, bytes }: Message): void {
      if (type === 'Q' || type === 'E') {
        traffic.statements += 1
        meetTrap()
      }
      toServer.push(bytes)
    }

    function giveBack({ type, bytes }: Message): void {
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
    client.on('data', (chunk) => readClient(chunk).forEach(forward))
    server.on('data', (chunk) => readServer(chunk).forEach(giveBack))
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

/** Where the server listens: on a socket in the folder that the address names, else at host and port. */
function serverOf(address: string): { readonly path: string } | { readonly host: string; readonly port: number } {
  const { hostname, port, searchParams } = new URL(address)
  const folder = searchParams.get('host')
  const number = port === '' ? 5432 : Number(port)
  if (folder?.startsWith('/')) return { path: join(folder, `.s.PGSQL.${number}`) }
  return { host: hostname, port: number }
}
