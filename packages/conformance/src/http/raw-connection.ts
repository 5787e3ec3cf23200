import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { mostBytes, type PlainResponse, type RawConnection } from './plain-http.ts'

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
