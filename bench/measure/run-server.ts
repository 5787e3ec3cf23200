import { type Server } from 'node:http'

/** Listens on a free port, tells it to the parent process, and then the CPU time of this process whenever it is asked. */
export function runServer(server: Pick<Server, 'listen' | 'address' | 'keepAliveTimeout'>): void {
  // Longer than any process waits for its turn: making new connections is not what is measured.
  server.keepAliveTimeout = 65_000
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address !== null) reportPort(address.port)
  })
}

/** As runServer, for a framework that listens by itself. */
export function reportPort(port: number): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicroseconds: user + system })
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ port })
}
