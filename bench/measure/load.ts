import { once } from 'node:events'
import { connect } from 'node:net'
import { type RawRequest, wireText } from './requests.ts'

/** A keep-alive connection with at most one in-flight request. */
interface Line {
  /** Sends a request and returns the raw response; rejects if the connection closes. */
  exchange(text: string): Promise<string>
  close(): void
}

async function openLine(port: number): Promise<Line> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
  await once(socket, 'connect')
  let received = ''
  let resolve = (_response: string) => {}
  let reject = (_error: Error) => {}
  socket.on('error', (error) => reject(error))
  socket.on('close', () => reject(new Error('the server closed a connection')))
  socket.on('data', (chunk: string) => {
    received += chunk
    const end = received.indexOf('\r\n\r\n')
    if (end === -1) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1])
    if (received.length < end + 4 + length) return
    const response = received
    received = ''
    resolve(response)
  })
  return {
    exchange: (text) =>
      new Promise((onResponse, onEnd) => {
        resolve = onResponse
        reject = onEnd
        if (socket.destroyed) reject(new Error('the server closed a connection'))
        else socket.write(text, 'latin1')
      }),
    close: () => socket.destroy(),
  }
}

function isOk(response: string): boolean {
  return response.startsWith('HTTP/1.1 200 ')
}

/** A closed-loop load generator with 16 connections to one server. */
export type Load = Awaited<ReturnType<typeof openLoad>>

/** Opens 16 connections for a closed loop: each connection sends its next request only after the previous response. */
export async function openLoad(port: number) {
  const lines = await Promise.all(Array.from({ length: 16 }, () => openLine(port)))
  let turn = 0
  return {
    /** Sends `count` requests and resolves after the last response; rejects if a status is not 200. */
    send: async (count: number, request: (turn: number) => RawRequest) => {
      const end = turn + count
      const exchangeAll = async (line: Line) => {
        while (turn < end) {
          const response = await line.exchange(wireText(request(turn++)))
          if (!isOk(response)) throw new Error(`unexpected response: ${response}`)
        }
      }
      await Promise.all(lines.map(exchangeAll))
    },
    close: () => lines.forEach((line) => line.close()),
  }
}
