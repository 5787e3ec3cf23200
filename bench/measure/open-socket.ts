import { connect, type Socket } from 'node:net'

/** Opens a connection to a server on this machine; rejects when there is none. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.setNoDelay(true)
    socket.once('error', reject)
  })
}
