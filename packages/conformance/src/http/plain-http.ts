import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A plain HTTP request. */
export interface PlainRequest {
  /** HTTP method, upper case. */
  readonly method: string
  /** Path and query, appended unchanged to the URL of the server. */
  readonly target: string
  /** Header lines, which are sent in this sequence. A name may occur more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body: bytes, or an array or iterable of chunks. A chunked body has no `Content-Length`. */
  readonly body?: Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | undefined
  /**
   * HTTP version of a request on a raw connection, whose headers include `Host` and whose body is sent unchanged.
   * `undefined` for a request that a client sends.
   */
  readonly version?: '1.0' | '1.1'
  /** All bytes that a check sent on the raw connection of the request, if the request is only a part of the bytes. */
  readonly sent?: Uint8Array | undefined
  /** Time at which a check sent the request, in milliseconds of a monotonic clock. */
  readonly sentAt?: number | undefined
  /** Aborts the request when the response is no longer needed. */
  readonly signal?: AbortSignal | undefined
}

/** Returns the bytes of a request on a raw connection. */
export function bytesOf({ method, target, headers, body, version }: PlainRequest): Uint8Array {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n`)
  return body instanceof Uint8Array ? Buffer.concat([head, body]) : head
}

/** Returns the bytes of a body, without the framing of its chunks. Returns no bytes for an iterable. */
export function contentOf({ body }: Pick<PlainRequest, 'body'>): Uint8Array {
  if (body instanceof Uint8Array) return body
  return body === undefined || Symbol.asyncIterator in body ? new Uint8Array() : Buffer.concat(body)
}

/** Encodes an input as a query string. */
export function queryOf(input: object): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
}

/** Appends an input as a query string to a path, unless the input is empty. */
export function withQuery(path: string, input: object): string {
  const query = queryOf(input)
  return query === '' ? path : `${path}?${query}`
}

/** A plain HTTP response. */
export interface PlainResponse {
  /** HTTP status. */
  readonly status: number
  /** Header lines. The names can be in any letter case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as a string. */
  readonly body: string
  /** Whether the server announces that it closes the raw connection after the response. */
  readonly isLast?: boolean
}

/** A raw connection to a server. */
export interface RawConnection {
  /** Value of the `Host` header. */
  readonly host: string
  /** Path of the server's URL. The path is prepended to every target. */
  readonly prefix: string
  /** Sends bytes unchanged. */
  write(bytes: string | Uint8Array): void
  /** Half-closes the connection. Responses can still be read. */
  end(): void
  /** Closes the connection immediately. */
  destroy(): void
  /** Reads the response to a request of the given method; `undefined` if the server closes the connection first. */
  read(method: string): Promise<PlainResponse | undefined>
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>
}

/**
 * A capability of the transport or of the server's environment.
 *
 * `raw-path`: paths are sent unchanged, including `.` and `..` segments. `http-parser`: requests reach the server's own
 * HTTP parser directly, not through a proxy or an in-process transport. `retries`: the retry guard is on, so repeated
 * clicks take effect once. `sockets`: the transport opens raw connections with `connect`.
 */
export type Capability = 'raw-path' | 'http-parser' | 'retries' | 'sockets'

/** Sends one request and returns the response. Rejects if no response arrives. */
export interface Send {
  (request: PlainRequest): Promise<PlainResponse>
  /** Unsupported capabilities. Checks that require them are skipped. */
  readonly unsupported?: readonly Capability[]
  /** Host and port, for messages and to detect a shop on this machine. */
  readonly host?: string
  /** Opens a raw connection to the host. */
  readonly connect?: () => Promise<RawConnection>
}

/** Creates a Send from a function, its unsupported capabilities and its host. */
export function toSend(
  unsupported: readonly Capability[],
  send: (request: PlainRequest) => Promise<PlainResponse>,
  host?: string,
): Send {
  return Object.assign(send, { unsupported, ...(host !== undefined && { host }) })
}

/** Maximum size of a response, in bytes. Responses of the API are much smaller. */
const maxBytes = 8 * 1024 * 1024

/** Joins chunks into a string. Rejects with RangeError above the maximum size, since a body may never end. */
export async function joinPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of pieces) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new RangeError(`the response is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Opens a raw connection to the server of an http(s) URL. Rejects if the server is unreachable. */
export async function openConnection(base: URL): Promise<RawConnection> {
  const host = base.hostname.replace(/^\[|\]$/g, '')
  const isSecure = base.protocol === 'https:'
  const port = Number(base.port || (isSecure ? 443 : 80))
  const socket: Socket = isSecure ? connectTls({ host, port, servername: host }) : connectTcp({ host, port })
  socket.setNoDelay(true)
  await once(socket, isSecure ? 'secureConnect' : 'connect')
  // Prevents an uncaught exception. The check detects a connection error as a missing or incomplete response.
  socket.on('error', () => {})
  const source = createSource(socket)
  return {
    host: base.host,
    prefix: base.pathname.replace(/\/$/, ''),
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    read: (method) => readResponse(source, method),
    closed: source.ended,
  }
}

/** Buffers incoming data. Without a reader, the socket would not emit an `end` event. */
function createSource(socket: Socket) {
  let buffered = Buffer.alloc(0)
  let isOver = false
  let wake = () => {}
  socket.on('data', (data: Buffer) => {
    buffered = Buffer.concat([buffered, data])
    wake()
  })
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      isOver = true
      wake()
    })

  function take(count: number): Buffer {
    const taken = buffered.subarray(0, count)
    buffered = buffered.subarray(count)
    return taken
  }

  /** Waits until enough data has arrived or the connection has ended. */
  async function waitUntil(isEnough: () => boolean): Promise<void> {
    if (isEnough() || isOver) return
    await new Promise<void>((resolve) => (wake = resolve))
    return waitUntil(isEnough)
  }

  return {
    /** Resolves when the connection has ended. */
    ended: () => waitUntil(() => false),
    /** Reads up to and including a marker; `undefined` if the connection ends first. */
    async readUntil(mark: string) {
      await waitUntil(() => buffered.includes(mark))
      const at = buffered.indexOf(mark)
      return at === -1 ? undefined : take(at + mark.length)
    },
    /** Reads a number of bytes, or fewer if the connection ends first. */
    async readBytes(count: number) {
      await waitUntil(() => buffered.length >= count)
      return take(count)
    },
  }
}

type ByteSource = ReturnType<typeof createSource>

/**
 * Reads an HTTP/1 response, which may be `100 Continue`; `undefined` if the connection ends first.
 *
 * Rejects with RangeError if the body is too large. Returns status 0 if the response is not HTTP.
 */
async function readResponse(source: ByteSource, method: string): Promise<PlainResponse | undefined> {
  const head = await source.readUntil('\r\n\r\n')
  if (head === undefined) return undefined
  const [line = '', ...rest] = head.toString('latin1').trimEnd().split('\r\n')
  const [, minor, code] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(line) ?? []
  const status = Number(code ?? 0)
  const headers = rest.map((text) => {
    const colon = text.indexOf(':')
    return [text.slice(0, colon), text.slice(colon + 1).trim()] as const
  })
  const hasBody = method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304
  const options = headers.filter(([name]) => name.toLowerCase() === 'connection').map(([, value]) => value)
  const isLast = minor === '0' ? !/\bkeep-alive\b/i.test(options.join()) : /\bclose\b/i.test(options.join())
  return { status, headers, body: hasBody ? (await readBody(source, headers)).toString('utf8') : '', isLast }
}

async function readBody(source: ByteSource, headers: PlainResponse['headers']): Promise<Buffer> {
  const valueOf = (name: string) => headers.find(([other]) => other.toLowerCase() === name)?.[1]
  if (valueOf('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(source)
  const length = Number(valueOf('content-length') ?? maxBytes)
  if (length > maxBytes) throw new RangeError(`the response is larger than ${maxBytes} bytes`)
  return source.readBytes(length)
}

async function readChunks(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let bytes = 0; ;) {
    const size = parseInt((await source.readUntil('\r\n'))?.toString('latin1') ?? '0', 16)
    bytes += size
    if (bytes > maxBytes) throw new RangeError(`the response is larger than ${maxBytes} bytes`)
    if (!(size > 0)) break
    chunks.push(await source.readBytes(size))
    await source.readUntil('\r\n')
  }
  await source.readUntil('\r\n')
  return Buffer.concat(chunks)
}
