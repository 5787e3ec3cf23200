import type { Server } from 'node:http'
import type { Answer } from '@storeport/core'

/** Sends `hello` to the parent process. Then replies to each message of the parent with the result of `follow`. */
export function followOrders<Order>(hello: number, follow: (order: Order) => number | Promise<number>): void {
  process.on('message', (order: Order) => void Promise.resolve(follow(order)).then((reply) => process.send?.(reply)))
  process.on('disconnect', () => process.exit())
  process.send?.(hello)
}

/** Sends a port to the parent process. Replies to each message with the CPU time of this process, in microseconds. */
export function reportPort(port: number): void {
  followOrders(port, () => {
    const { user, system } = process.cpuUsage()
    return user + system
  })
}

/** Listens on a free port and sends the port number to the parent process. */
export function runServer(server: Server): void {
  // Longer than the pause between two batches. Connections stay open, so the cost of new connections is not measured.
  server.keepAliveTimeout = 65_000
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address !== null) reportPort(address.port)
  })
}

/** Runs the clicks in each message sequentially. Replies with their total CPU time, in microseconds; throws unless each succeeds. */
export function runClicks(click: (body: string) => Promise<Answer>): void {
  followOrders(0, async (bodies: readonly string[]) => {
    const before = process.cpuUsage()
    for (const body of bodies) {
      const response = await click(body)
      if (response.status !== 200) throw new Error(`unexpected response: ${response.body}`)
      // Waits for the next iteration of the event loop, in which libsql frees the memory of a statement.
      await new Promise(setImmediate)
    }
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
}
