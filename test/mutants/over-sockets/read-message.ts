import type { Flaw } from './flaw.ts'
import type { Incoming } from './incoming.ts'

/** Request line and headers of a request. */
export interface Head {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** An error in the HTTP syntax of a request. */
export class HttpSyntaxError extends Error {
  /** Error code of the response. */
  readonly code: 'invalid_request' | 'headers_too_large'

  constructor(message: string, code: HttpSyntaxError['code'] = 'invalid_request') {
    super(message)
    this.code = code
  }
}

const maxHeadBytes = 16_384

/** Reads the head of the next request. Returns `undefined` if the connection ends earlier. Throws HttpSyntaxError. */
export async function readHead(incoming: Incoming, flaw: Flaw | undefined): Promise<Head | undefined> {
  const text = await incoming.readUntil('\r\n\r\n')
  if (text === undefined) return undefined
  if (text.length > maxHeadBytes) throw new HttpSyntaxError('request head too long', 'headers_too_large')
  const [line = '', ...lines] = text.trimEnd().split('\r\n')
  const form = flaw === 'takes any request line' ? /^(\S+) +(\S+)().*$/ : /^([A-Z]+) (\S+) HTTP\/(1\.[01])$/
  const [, method, target = '', version = ''] = form.exec(line) ?? []
  if (method === undefined) throw new HttpSyntaxError(line)
  if (version === '1.0' && flaw === 'knows HTTP/1.1 alone') throw new HttpSyntaxError(line)
  return { method, target, version, headers: lines.map((one) => readHeader(one, flaw)) }
}

function readHeader(line: string, flaw: Flaw | undefined): readonly [name: string, value: string] {
  const trimmed = flaw === 'trims the names of headers' ? line.replace(/ +:/, ':') : line
  const anyByte = flaw === 'takes any byte in a header'
  const form = anyByte ? /^([\w!#$%&'*+.^`|~-]+):(.*)$/s : /^([\w!#$%&'*+.^`|~-]+):([^\0\r\n]*)$/
  const [, name, value = ''] = form.exec(trimmed) ?? []
  if (name !== undefined) return [name, value.replaceAll(/^[ \t]+|[ \t]+$/g, '')]
  if (flaw === 'takes any line for a header') return ['X-Line', line.replaceAll('\0', '')]
  throw new HttpSyntaxError(line)
}

/** Reads the body of a request. Throws HttpSyntaxError if the length is ambiguous or the body is incomplete. */
export async function readBody(incoming: Incoming, { headers }: Head, flaw: Flaw | undefined): Promise<string> {
  const all = (name: string) => headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
  const [lengths, codings] = [all('content-length'), all('transfer-encoding')]
  const isChunked = codings.join() === 'chunked'
  if (codings.length > 0 && !isChunked && flaw !== 'takes any transfer coding for none')
    throw new HttpSyntaxError('unsupported transfer coding')
  const byLength = flaw === 'reads by the length where there are chunks too'
  const byChunks = flaw === 'reads by the chunks where there is a length too'
  if (isChunked && lengths.length > 0 && !byLength && !byChunks) throw new HttpSyntaxError('both length and chunks')
  if (isChunked && !(byLength && lengths.length > 0)) return readChunks(incoming, flaw)
  return readLength(incoming, lengths, flaw)
}

async function readLength(incoming: Incoming, lengths: readonly string[], flaw: Flaw | undefined): Promise<string> {
  const isLenient = flaw === 'takes the first of two lengths' || flaw === 'takes the last of two lengths'
  if (lengths.length > 1 && !isLenient) throw new HttpSyntaxError('two lengths')
  const length = (flaw === 'takes the last of two lengths' ? lengths.at(-1) : lengths[0]) ?? '0'
  const isNumber = /^\d+$/.test(length) || flaw === 'takes a length for a number as far as it is one'
  if (!isNumber) throw new HttpSyntaxError('invalid length')
  const count = Math.max(0, Math.abs(parseInt(length, 10)))
  const body = await incoming.readBytes(count)
  if (Buffer.byteLength(body) < count && flaw !== 'takes what is there for the body when the connection ends')
    throw new HttpSyntaxError('incomplete body')
  return body
}

async function readChunks(incoming: Incoming, flaw: Flaw | undefined): Promise<string> {
  const endsAnywhere = flaw === 'ends chunks where the connection ends'
  for (let body = ''; ;) {
    const line = await incoming.readUntil('\r\n')
    if (line === undefined && endsAnywhere) return body
    const size = sizeOf((line ?? '').slice(0, -2), flaw)
    if (size === 0) {
      await readTrailers(incoming, flaw)
      return body
    }
    body += await incoming.readBytes(size)
    const isFree = flaw === 'looks for no line end behind a chunk'
    const end = isFree ? await incoming.skip('\r\n') : await incoming.readBytes(2)
    if (end !== '\r\n' && !isFree && !(endsAnywhere && end === ''))
      throw new HttpSyntaxError('missing line end after a chunk')
  }
}

function sizeOf(line: string, flaw: Flaw | undefined): number {
  const extensions = flaw === 'knows no extensions of chunks' ? '' : '(?:;.*)?'
  const digits = flaw === 'knows sizes of chunks in lower case alone' ? '[\\da-f]+' : '[\\da-fA-F]+'
  const isLenient = flaw === 'takes the size of a chunk for a number as far as it is one'
  if (!isLenient && !new RegExp(`^${digits}${extensions}$`).test(line)) throw new HttpSyntaxError('invalid chunk size')
  return Math.max(0, parseInt(line, 16) || 0)
}

async function readTrailers(incoming: Incoming, flaw: Flaw | undefined): Promise<void> {
  if (flaw === 'takes trailers for the next request') return void (await incoming.skip('\r\n'))
  for (;;) {
    const line = await incoming.readUntil('\r\n')
    if (line === undefined && flaw !== 'ends chunks where the connection ends')
      throw new HttpSyntaxError('incomplete trailers')
    if (line === undefined || line === '\r\n') return
  }
}
