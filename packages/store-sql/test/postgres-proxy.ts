import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy in front of a PostgreSQL server. */
export interface PostgresProxy {
  /** URL that connects to the database through the proxy. */
  readonly url: string
  /** Cuts the next connection that sends COMMIT, before or after the server has executed the statement. */
  cutCommit(when: 'before' | 'after'): void
  /** Intercepts the next COMMIT. The resolved function forwards the statement to the server. */
  holdCommit(): Promise<() => void>
  /** Returns the number of cut connections. */
  readonly cuts: () => number
  /** Stops the proxy and closes its connections. */
  stop(): Promise<void>
}

/** Starts a proxy on the loopback interface, in front of the PostgreSQL server in the URL. */
export async function startPostgresProxy(url: string): Promise<PostgresProxy> {
  const behind = new URL(url)
  const folder = behind.searchParams.get('host')
  const sockets = new Set<Socket>()
  let next: 'before' | 'after' | undefined
  let held: ((release: () => void) => void) | undefined
  let cuts = 0

  const server = createServer((client) => {
    const upstream =
      folder === null
        ? connect(Number(behind.port || 5432), behind.hostname)
        : connect(`${folder}/.s.PGSQL.${behind.port || 5432}`)
    const close = () => {
      client.destroy()
      upstream.destroy()
    }
    let isCut = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', close).on('close', close)
    }
    client.on('data', (data) => {
      if (held !== undefined && isCommit(data)) {
        held(() => upstream.write(data))
        held = undefined
      } else if (next !== undefined && isCommit(data)) {
        cuts += 1
        isCut = true
        if (next === 'after') upstream.write(data)
        else close()
        next = undefined
      } else upstream.write(data)
    })
    // Closes a cut connection instead of forwarding the response to COMMIT.
    upstream.on('data', (data) => (isCut ? close() : client.write(data)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.')
  const through = new URL(url)
  through.searchParams.delete('host')
  through.hostname = '127.0.0.1'
  through.port = String(address.port)
  return {
    url: through.href,
    cutCommit: (when) => {
      next = when
    },
    holdCommit: () =>
      new Promise((resolve) => {
        held = resolve
      }),
    cuts: () => cuts,
    stop: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** Returns whether the data contains the statement COMMIT. Does not match a setting such as synchronous_commit. */
function isCommit(data: Buffer): boolean {
  return data.includes('commit\0')
}
