import type { Socket } from 'node:net'
import { openSocket } from './open-socket.ts'
import { quantile } from './statistics.ts'

/** What is sent, where to, and how fast. */
export interface BurstPlan {
  /** The ports of the servers, over which the connections are spread. */
  readonly ports: readonly number[]
  /** Requests that are due in a second. */
  readonly perSecond: number
  /** For how long. */
  readonly seconds: number
  /** The text of the request of a turn, as it goes over the wire. */
  readonly text: (turn: number) => string
}

/** What an open-loop burst came to. */
export interface BurstResult {
  /** Time from when each request was due to its answer, in milliseconds. */
  readonly latencies: readonly number[]
  /** Whether the end was not waited for, since the requests of a whole second had no connection to go over. */
  readonly isGivenUp: boolean
  /** Answers that were not 200. */
  readonly failures: number
  /** Time between when a request was due and when it was written, at the 99th percentile, in milliseconds: the generator's own share. */
  readonly lateness: number
}

/** A connection with at most one request in flight. */
interface Line {
  readonly socket: Socket
  received: string
  due: number
}

/**
 * Connections that are kept, as a proxy keeps them; requests that find none free wait, and their wait counts. They are
 * opened beforehand: Node takes one new connection in a turn of its loop, so that those who come when it is busy wait
 * for a turn each.
 */
export const lineCount = 64

/**
 * Sends requests at a fixed rate, whatever the server does, and counts from when each was due: an answer that is late
 * does not hold the next request back (no coordinated omission).
 */
export async function burst({ ports, perSecond, seconds, text }: BurstPlan): Promise<BurstResult> {
  const lines = await Promise.all(Array.from({ length: lineCount }, (_, index) => openLine(ports, index)))
  const total = Math.round(perSecond * seconds)
  const latencies: number[] = []
  const lateness: number[] = []
  const free = [...lines]
  const waiting: number[] = []
  let sent = 0
  let turn = 0
  let failures = 0
  let isGivenUp = false
  const start = performance.now() + 50

  return new Promise((resolve, reject) => {
    const send = (line: Line, due: number) => {
      line.due = due
      lateness.push(performance.now() - due)
      line.socket.write(text(turn++), 'latin1')
    }
    const release = (line: Line) => {
      const due = waiting.shift()
      if (due !== undefined) return send(line, due)
      free.push(line)
      if (latencies.length === total || (isGivenUp && free.length === lineCount)) finish()
    }
    const arrive = (due: number) => {
      // The one that has waited longest: a server closes a connection on which nothing happens.
      const line = free.shift()
      if (line === undefined) waiting.push(due)
      else send(line, due)
    }
    const take = (line: Line, chunk: string) => {
      line.received += chunk
      const end = line.received.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(line.received)?.[1])
      if (line.received.length < end + 4 + length) return
      if (!line.received.startsWith('HTTP/1.1 200 ')) failures += 1
      line.received = ''
      latencies.push(performance.now() - line.due)
      release(line)
    }
    /** Whoever cannot keep up would have to work off all that was due, for minutes. */
    const giveUp = () => {
      isGivenUp = true
      clearInterval(timer)
      waiting.length = 0
    }
    const finish = () => {
      clearInterval(timer)
      for (const { socket } of lines) socket.destroy()
      resolve({
        latencies,
        isGivenUp,
        failures,
        lateness: quantile(lateness, 0.99),
      })
    }
    for (const line of lines) {
      line.socket.on('data', (chunk) => take(line, String(chunk)))
      line.socket.once('error', reject)
      line.socket.once('close', () => reject(new Error('the server has closed a connection')))
    }
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * perSecond))
      for (; sent < due; sent += 1) arrive(start + (sent / perSecond) * 1000)
      if (waiting.length > perSecond) giveUp()
    }, 1)
  })
}

async function openLine(ports: readonly number[], index: number): Promise<Line> {
  const socket = await openSocket(ports[index % ports.length] ?? 0)
  socket.setEncoding('latin1')
  return { socket, received: '', due: 0 }
}
