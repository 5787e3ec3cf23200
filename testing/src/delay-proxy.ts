import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createMessageReader, type Message } from './read-messages.ts'

/** Counts of the messages that the proxy forwarded. */
export interface Traffic {
  /** Number of `Query` and `Execute` messages from clients. */
  readonly statements: number
  /** Number of `ReadyForQuery` messages from the server, without the first message of each connection. */
  readonly roundTrips: number
  /** Number of commits that the server acknowledged. */
  readonly commits: number
}

/** A proxy between clients and a PostgreSQL server, which can delay connections. */
export interface DelayProxy {
  /** Returns a database URL that connects through the proxy. */
  through(url: string): string
  /** Delay in each direction, in milliseconds. Can be changed at any time. */
  delayMs: number
  traffic(): Traffic
  /** Closes every connection and stops listening. */
  stop(): Promise<void>
}

/** Starts a proxy on a free port for the server at a `postgres://` URL. */
export async function startDelayProxy(serverUrl: string, delayMs = 0): Promise<DelayProxy> {
  const traffic = { statements: 0, roundTrips: 0, commits: 0 }
  const open = new Set<Socket>()

  function accept(client: Socket): void {
    const server = connect(serverOf(serverUrl))
    const toServer = createDelayLane(client, server, () => proxy.delayMs)
    const toClient = createDelayLane(server, client, () => proxy.delayMs)
    let isSetUp = false

    function forwardToServer({ type, bytes }: Message): void {
      if (type === 'Q' || type === 'E') traffic.statements += 1
      toServer.push(bytes)
    }

    function forwardToClient({ type, bytes }: Message): void {
      if (type === 'C' && bytes.toString('latin1', 5, 11) === 'COMMIT') traffic.commits += 1
      if (type === 'Z' && isSetUp) traffic.roundTrips += 1
      if (type === 'Z') isSetUp = true
      toClient.push(bytes)
    }

    const readClient = createMessageReader(true)
    const readServer = createMessageReader(false)
    client.on('data', (chunk) => readClient(chunk).forEach(forwardToServer))
    server.on('data', (chunk) => readServer(chunk).forEach(forwardToClient))
    open.add(client).add(server)
    client.setNoDelay(true).on('error', () => {})
    server.setNoDelay(true).on('error', () => {})
    client.on('close', () => {
      open.delete(client)
      toServer.end()
    })
    server.on('close', () => {
      open.delete(server)
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
    stop: async () => {
      const closed = once(listener, 'close')
      listener.close()
      for (const socket of open) socket.destroy()
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

/** One direction of a connection. Delivers chunks of bytes in order, each after a delay. */
interface DelayLane {
  /** Queues bytes for delivery. */
  push(bytes: Buffer): void
  /** Closes the receiving socket after all queued bytes are delivered. */
  end(): void
}

/** Number of queued bytes at which the sender is paused. */
const maxQueuedBytes = 1_048_576

/** Creates a lane from one socket to another. `delayMs` returns the delay of the next chunk. */
function createDelayLane(from: Socket, to: Socket, delayMs: () => number): DelayLane {
  const waiting: { readonly dueAt: number; readonly bytes: Buffer | undefined }[] = []
  let queued = 0
  let timer: NodeJS.Timeout | undefined

  function deliver(): void {
    timer = undefined
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const left = next.dueAt - performance.now()
      if (left > 0) {
        timer = setTimeout(deliver, left)
        return
      }
      waiting.shift()
      if (next.bytes === undefined) to.destroySoon()
      else {
        queued -= next.bytes.length
        if (to.writable) to.write(next.bytes)
      }
    }
    if (queued < maxQueuedBytes) from.resume()
  }

  function enqueue(bytes: Buffer | undefined): void {
    waiting.push({ dueAt: performance.now() + delayMs(), bytes })
    queued += bytes?.length ?? 0
    if (queued >= maxQueuedBytes) from.pause()
    if (timer === undefined) deliver()
  }

  return { push: enqueue, end: () => enqueue(undefined) }
}
