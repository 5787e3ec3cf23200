import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A request, as plain as a check needs it. */
export interface PlainRequest {
  /** HTTP method, upper case. */
  readonly method: string
  /** Path and query, exactly as they go on the wire, below the address of the server. */
  readonly target: string
  /** Header lines in order; a name may stand twice. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body in one piece or in pieces that come over time; a body in pieces has no length announced. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
}

/** The query that holds an input, percent-encoded. */
export function queryOf(input: object): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
}

/** A path with the query that holds an input, if there is anything in it. */
export function withQuery(path: string, input: object): string {
  const query = queryOf(input)
  return query === '' ? path : `${path}?${query}`
}

/** A response, as plain as a check needs it. */
export interface PlainResponse {
  /** HTTP status. */
  readonly status: number
  /** Header lines; names in any letter case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as text. */
  readonly body: string
}

/** A connection to a server on which anything can be written. */
export interface RawConnection {
  /** What `Host` names. */
  readonly host: string
  /** Path of the server's address, which comes before every target. */
  readonly prefix: string
  /** Sends bytes as they are. */
  write(bytes: string | Uint8Array): void
  /** Says that nothing more will come; answers can still be read. */
  end(): void
  /** Breaks the connection off. */
  destroy(): void
  /** The next answer, to a request of the given method; `undefined` when the server closes the connection without one. */
  read(method: string): Promise<PlainResponse | undefined>
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>
}

/**
 * What a check may need of the way to the server, or of the server's surroundings.
 *
 * `raw-path`: a path arrives as it was sent, dots included. `http-parser`: the server's own HTTP parser answers, no proxy and no
 * in-process call. `retries`: repeated clicks count once (the retry guard is on). `sockets`: connections can be opened on which
 * anything is written; a way without `connect` has none.
 */
export type Capability = 'raw-path' | 'http-parser' | 'retries' | 'sockets'

/** Sends one request and answers with what came back; rejects when nothing did. */
export interface Send {
  (request: PlainRequest): Promise<PlainResponse>
  /** What this way of sending cannot do; checks that need it are skipped. */
  readonly cannot?: readonly Capability[]
  /** The host that it sends to, for messages. */
  readonly host?: string
  /** Opens a connection of its own to that host. */
  readonly connect?: () => Promise<RawConnection>
}

/** Makes a Send out of a function, what it cannot do and the host that it sends to. */
export function sendThat(
  cannot: readonly Capability[],
  send: (request: PlainRequest) => Promise<PlainResponse>,
  host?: string,
): Send {
  return Object.assign(send, { cannot, ...(host !== undefined && { host }) })
}

/** Longest answer that is read, in bytes: far more than any answer of the API. */
const mostBytes = 8 * 1024 * 1024

/** Puts pieces together; throws RangeError as soon as they are longer than `mostBytes`, since a body may never end. */
export async function joinPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of pieces) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw new RangeError(`the answer does not end within ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Opens a connection to the server of an http(s) address; rejects when there is none. */
export async function openConnection(base: URL): Promise<RawConnection> {
  const host = base.hostname.replace(/^\[|\]$/g, '')
  const isSecure = base.protocol === 'https:'
  const port = Number(base.port || (isSecure ? 443 : 80))
  const socket: Socket = isSecure ? connectTls({ host, port, servername: host }) : connectTcp({ host, port })
  socket.setNoDelay(true)
  await once(socket, isSecure ? 'secureConnect' : 'connect')
  // What is wrong with a connection shows in what can be read from it.
  socket.on('error', () => {})
  const source = createSource(socket)
  return {
    host: base.host,
    prefix: base.pathname.replace(/\/$/, ''),
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    read: (method) => readResponse(source, method),
    closed: () => source.ended,
  }
}

/** Collects what comes, since a socket that nobody reads says nothing of its end. */
function createSource(socket: Socket): ByteSource & { readonly ended: Promise<void> } {
  let held = Buffer.alloc(0)
  let isOver = false
  let wake = () => {}
  socket.on('data', (data: Buffer) => {
    held = Buffer.concat([held, data])
    wake()
  })
  const ended = new Promise<void>((resolve) => {
    const over = () => {
      isOver = true
      wake()
      resolve()
    }
    socket.on('end', over)
    socket.on('close', over)
  })

  function take(count: number): Buffer {
    const taken = held.subarray(0, count)
    held = held.subarray(count)
    return taken
  }

  /** Waits until enough is there, or nothing more comes. */
  async function waitUntil(isEnough: () => boolean): Promise<void> {
    if (isEnough() || isOver) return
    await new Promise<void>((resolve) => (wake = resolve))
    return waitUntil(isEnough)
  }

  return {
    ended,
    async readUntil(mark) {
      await waitUntil(() => held.includes(mark))
      const at = held.indexOf(mark)
      return at === -1 ? undefined : take(at + mark.length)
    },
    async readBytes(count) {
      await waitUntil(() => held.length >= count)
      return take(count)
    },
  }
}

/** Takes bytes off a connection as they come. */
interface ByteSource {
  /** Bytes up to and with a mark; `undefined` when the connection ends before. */
  readUntil(mark: string): Promise<Buffer | undefined>
  /** A number of bytes, or what there is when the connection ends before. */
  readBytes(count: number): Promise<Buffer>
}

/**
 * Reads one response of HTTP/1.1 off a connection, also `100 Continue`; `undefined` when it ends before there is one.
 *
 * Throws RangeError for a body that is too long; what is no HTTP is read as far as it goes, with status 0.
 */
async function readResponse(source: ByteSource, method: string): Promise<PlainResponse | undefined> {
  const head = await source.readUntil('\r\n\r\n')
  if (head === undefined) return undefined
  const [line = '', ...rest] = head.toString('latin1').trimEnd().split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(line)?.[1] ?? 0)
  const headers = rest.map((text) => {
    const colon = text.indexOf(':')
    return [text.slice(0, colon), text.slice(colon + 1).trim()] as const
  })
  const hasBody = method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304
  return { status, headers, body: hasBody ? (await readBody(source, headers)).toString('utf8') : '' }
}

async function readBody(source: ByteSource, headers: PlainResponse['headers']): Promise<Buffer> {
  const valueOf = (name: string) => headers.find(([other]) => other.toLowerCase() === name)?.[1]
  if (valueOf('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(source)
  const length = Number(valueOf('content-length') ?? mostBytes)
  if (length > mostBytes) throw new RangeError(`the answer does not end within ${mostBytes} bytes`)
  return source.readBytes(length)
}

async function readChunks(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let bytes = 0; ;) {
    const size = parseInt((await source.readUntil('\r\n'))?.toString('latin1') ?? '0', 16)
    bytes += size
    if (bytes > mostBytes) throw new RangeError(`the answer does not end within ${mostBytes} bytes`)
    if (!(size > 0)) break
    chunks.push(await source.readBytes(size))
    await source.readUntil('\r\n')
  }
  await source.readUntil('\r\n')
  return Buffer.concat(chunks)
}
