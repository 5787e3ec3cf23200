import type { Server } from 'node:http'

/** Keep-alive timeout in milliseconds. Exceeds the 60 s of common load balancers, so that they do not reuse closed connections. */
export const keepAliveTimeout = 65_000

/** On a signal, waits until `close` has finished the requests in flight, then exits. */
export function stopOnSignal(close: () => Promise<unknown>): void {
  let isStopping = false
  const stop = async () => {
    // On Ctrl-C, npm forwards a second signal.
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), 10_000).unref()
    await close()
    console.log('stopped')
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
}

/** Closes a server: stops accepting connections, and ends open connections after their responses. */
export async function closeServer(server: Pick<Server, 'close' | 'closeIdleConnections'>): Promise<void> {
  const timer = setInterval(() => server.closeIdleConnections(), 50)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(timer)
}
