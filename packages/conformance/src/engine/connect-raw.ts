import type { Evidence } from './create-evidence.ts'
import type { PlainRequest, Send } from '../http/plain-http.ts'
import type { RawConnection } from '../http/raw-connection.ts'
import { readReply, type Reply } from '../http/reply.ts'
import { withinTime } from '../http/within-time.ts'

/** A request that is written byte by byte; `Host` and the API key are sent with it unless `headers` names them. */
export interface RawMessage {
  /** HTTP method; default GET. */
  readonly method?: string
  /** Path and query below the base path. */
  readonly path: string
  /** What stands in the request line in place of that path. */
  readonly target?: (path: string, host: string) => string
  /** Header lines, as they are; `Host` and the key come first. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** The body, as it is: no length is sent with it. */
  readonly body?: string | Uint8Array
  /** Whether `Host` is left out. */
  readonly withoutHost?: boolean
}

/** A connection of a check, on which it writes what no HTTP client would. */
export interface RawCaller {
  /** Writes a request, whole or in part. */
  request(message: RawMessage): void
  /** Writes more of a body, or anything. */
  write(bytes: string | Uint8Array): void
  /** Says that nothing more will come. */
  end(): void
  /** Breaks the connection off. */
  destroy(): void
  /** The next answer; `undefined` when the connection was closed without one. */
  reply(): Promise<Reply | undefined>
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>
}

/** What connections of a check need. */
export interface RawSurroundings {
  /** The way to the server. */
  readonly send: Send
  /** Where answers are kept. */
  readonly evidence: Evidence
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
  const { send, evidence, basePath, keyLine, timeoutMs, signal } = surroundings
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
      const response = await withinTime(timeoutMs, signal, () => connection.read(request.method))
      if (response === undefined) return undefined
      const reply = readReply(undefined, request, response)
      evidence.keep(reply)
      return reply
    },
    closed: () => withinTime(timeoutMs, signal, () => connection.closed()),
  }
}
