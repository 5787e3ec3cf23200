import type { Socket } from 'node:net'
import { openSocket } from './open-socket.ts'
import { type RawRequest, wireText } from './requests.ts'

/** Connections that are open to a server at the same time. */
const connectionCount = 16

/** Connections to one server, with one request at a time on each. */
export interface Load {
  /** Sends a number of requests and resolves when all are answered; rejects on an answer that is not 200. */
  send(count: number, request: (turn: number) => RawRequest): Promise<void>
  /** Ends the connections. */
  close(): void
}

/** Opens the connections of a load. */
export async function openLoad(port: number, firstTurn = 0): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connectionCount }, () => openSocket(port)))
  let turn = firstTurn
  return {
    send: async (count, request) => {
      let left = count
      // One text for all that are in flight would be cheaper still, but every POST is to be another click.
      const next = () => (left-- > 0 ? wireText(request(turn++)) : undefined)
      await Promise.all(sockets.map((socket) => exchange(socket, next)))
    },
    close: () => sockets.forEach((socket) => socket.destroy()),
  }
}

function exchange(socket: Socket, next: () => string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) return reject(new Error('the server has closed a connection'))
    let received = ''
    const done = (error?: Error) => {
      socket.off('data', take)
      socket.off('close', closed)
      if (error === undefined) resolve()
      else reject(error)
    }
    const closed = () => done(new Error('the server closed a connection'))
    const proceed = () => {
      const text = next()
      if (text === undefined) done()
      else socket.write(text, 'latin1')
    }
    const take = (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1 || received.length < headEnd + 4 + lengthIn(received)) return
      if (!received.startsWith('HTTP/1.1 200 ')) return done(new Error(`unexpected answer: ${received}`))
      received = ''
      proceed()
    }
    socket.on('data', take)
    socket.on('close', closed)
    proceed()
  })
}

function lengthIn(head: string): number {
  return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
}
