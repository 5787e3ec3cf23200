import type { Server } from 'node:http'

/** How long an unused connection stays open, in milliseconds: load balancers keep theirs for 60 s and must not find them closed. */
export const keepAliveTimeout = 65_000

/** Ends the process on a signal, when `close` has finished what is in flight. */
export function stopOnSignal(close: () => Promise<unknown>): void {
  let isStopping = false
  const stop = async () => {
    // Ctrl-C reaches npm too, which sends it on.
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), 10_000).unref()
    await close()
    console.log('stopped')
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
}

/** Closes a server: no new connections, and those that are open end once they are answered. */
export async function closeServer(server: Pick<Server, 'close' | 'closeIdleConnections'>): Promise<void> {
  const timer = setInterval(() => server.closeIdleConnections(), 50)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(timer)
}
