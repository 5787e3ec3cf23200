import type { Server } from 'node:http'

/** Sends the parent process a number, such as a port, and then the reply to each of its orders. */
export function followOrders<Order>(hello: number, follow: (order: Order) => number | Promise<number>): void {
  process.on('message', (order: Order) => void Promise.resolve(follow(order)).then((reply) => process.send?.(reply)))
  process.on('disconnect', () => process.exit())
  process.send?.(hello)
}

/** Reports a port, and the CPU time of this process in microseconds at each order. */
export function reportPort(port: number): void {
  followOrders(port, () => {
    const { user, system } = process.cpuUsage()
    return user + system
  })
}

/** Listens on a free port and reports it. */
export function runServer(server: Server): void {
  // Longer than a process waits for its turn: new connections are not measured.
  server.keepAliveTimeout = 65_000
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address !== null) reportPort(address.port)
  })
}

/** Performs the clicks of each order one after the other, and reports their CPU time in microseconds. */
export function runClicks(click: (body: string) => Promise<void>): void {
  followOrders(0, async (bodies: readonly string[]) => {
    const before = process.cpuUsage()
    for (const body of bodies) {
      await click(body)
      // libsql frees the memory of a statement when the event loop turns.
      await new Promise(setImmediate)
    }
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
}
