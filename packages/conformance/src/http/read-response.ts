import { mostBytes } from './join-pieces.ts'
import type { PlainResponse } from './plain-http.ts'

/** Takes bytes off a connection as they come. */
export interface ByteSource {
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
export async function readResponse(source: ByteSource, method: string): Promise<PlainResponse | undefined> {
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
