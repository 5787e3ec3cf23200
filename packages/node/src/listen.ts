import type { Server } from 'node:http'

/** Starts to listen and resolves with the port; rejects with a message that says what to change. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError('port must be a whole number from 0 (any free port) to 65535')
  }
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => reject(new Error(explainError(error, host, port), { cause: error }))
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve()
    })
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

function explainError(error: Error, host: string, port: number): string {
  switch ('code' in error && error.code) {
    case 'EADDRINUSE':
      return `port ${port} is in use: choose another, or 0 for any free one`
    case 'EACCES':
      return `port ${port} needs more rights than this process has: choose one above 1023`
    case 'EADDRNOTAVAIL':
      return `host ${host} is not an address of this machine: choose 127.0.0.1, or 0.0.0.0 for every address`
    case 'ENOTFOUND':
      return `host ${host} is unknown: choose 127.0.0.1, or 0.0.0.0 for every address`
    default:
      return `cannot listen on ${host}, port ${port}: ${error.message}`
  }
}
