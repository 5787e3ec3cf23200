import type { Server } from 'node:http'

/** Time that an idle connection stays open, in milliseconds. It exceeds the 60 s of common load balancers, which reuse connections. */
export const keepAliveTimeout = 65_000

/** Exits on a signal, after `close` has finished the running requests. */
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

/** Closes a server: stops accepting, and ends open connections after their responses. */
export async function closeServer(server: Pick<Server, 'close' | 'closeIdleConnections'>): Promise<void> {
  const timer = setInterval(() => server.closeIdleConnections(), 50)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(timer)
}
