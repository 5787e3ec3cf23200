import type { Server } from 'node:http'

/** Keep-alive timeout in milliseconds. Exceeds 60 s, so that common load balancers do not reuse closed connections. */
export const keepAliveTimeout = 65_000

/** On SIGINT or SIGTERM, calls `close` and waits at most 10 s for in-flight requests, then exits. */
export function stopOnSignal(close: () => Promise<unknown>): void {
  let isStopping = false
  const stop = async () => {
    // Ignores the second signal, which npm forwards on Ctrl-C.
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
