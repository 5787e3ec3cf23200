import type { Evidence } from './create-evidence.ts'
import type { RawCaller } from './raw-caller.ts'
import type { PlainRequest, RawConnection, Send } from '../http/plain-http.ts'
import { readReply } from '../http/reply.ts'
import type { RequirementId } from './requirement.ts'
import { TimeUp, withinTime } from '../http/within-time.ts'

/** What connections of a check need. */
export interface RawSurroundings {
  /** The way to the server. */
  readonly send: Send
  /** Where answers are kept. */
  readonly evidence: Evidence
  /** What does not hold when no answer comes. */
  readonly requirement: RequirementId
  /** Comes before every path. */
  readonly basePath: string
  /** Header line of the API key. */
  readonly keyLine: readonly [name: string, value: string]
  /** Longest wait for an answer, in milliseconds. */
  readonly timeoutMs: number
  /** Fires when the check is over: every connection is then closed. */
  readonly signal: AbortSignal
}

/** Opens a connection for a check; rejects with TypeError where the way to the server has none. */
export async function connectRaw(surroundings: RawSurroundings): Promise<RawCaller> {
  const { send, evidence, requirement, basePath, keyLine, timeoutMs, signal } = surroundings
  if (send.connect === undefined) throw new TypeError('send: opens no connections')
  const connection: RawConnection = await withinTime(timeoutMs, signal, send.connect)
  signal.addEventListener('abort', () => connection.destroy())
  let last: PlainRequest = { method: 'GET', target: '/', headers: [] }

  return {
    request({ method = 'GET', path, target = (one) => one, headers = [], body, withoutHost = false }) {
      const own = target(connection.prefix + basePath + path, connection.host)
      const names = new Set(headers.map(([name]) => name.toLowerCase()))
      const usual = [...(withoutHost ? [] : [['Host', connection.host] as const]), keyLine]
      const lines = [...usual.filter(([name]) => !names.has(name.toLowerCase())), ...headers]
      last = { method, target: own, headers: lines, body: typeof body === 'string' ? Buffer.from(body) : body }
      connection.write(
        `${method} ${own} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      )
      if (body !== undefined) connection.write(body)
    },
    write: (bytes) => connection.write(bytes),
    end: () => connection.end(),
    destroy: () => connection.destroy(),
    async reply() {
      const request = last
      const response = await withinTime(timeoutMs, signal, () => connection.read(request.method)).catch((error) => {
        if (!(error instanceof TimeUp)) throw error
        const nothing = readReply(undefined, request, { status: 0, headers: [], body: '' })
        const { message: noAnswer } = error
        throw evidence.failure({
          requirement,
          expected: 'an answer',
          received: `none ${noAnswer}`,
          reply: nothing,
          noAnswer,
        })
      })
      if (response === undefined) return undefined
      const reply = readReply(undefined, request, response)
      evidence.keep(reply)
      return reply
    },
    closed: () => withinTime(timeoutMs, signal, () => connection.closed()),
  }
}
