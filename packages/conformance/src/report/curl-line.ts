import { bytesOf, type PlainRequest } from '../http/plain-http.ts'

/** Environment variable for the API key, used in printed commands and read by the CLI. */
export const keyVariable = 'STOREPORT_API_KEY'

/** Maximum length of an argument of a printed command, in characters. */
const maxArgument = 1500

/**
 * Formats a request as a shell command on one line. The API keys must already be replaced by placeholders.
 *
 * The command is `curl`, or `printf` and `nc` for a request that curl would change, such as a malformed chunk.
 */
export function curlLine(baseUrl: string, request: PlainRequest): string {
  if (isChangedByCurl(request)) return rawLine(baseUrl, request.sent ?? bytesOf(request))
  if (Array.isArray(request.body)) return rawLine(baseUrl, bytesOf(withChunks(baseUrl, request, request.body)))
  const { method, target, body, version } = request
  const words = ['curl -i']
  if (version === '1.0') words.push('--http1.0')
  if (/\/\.{1,2}(?:[/?]|$)/.test(target)) words.push('--path-as-is')
  if (/[[\]{}]/.test(target)) words.push('--globoff')
  if (method === 'HEAD') words.push('--head')
  else if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`-X ${method}`)
  // The target of a raw request contains the path of the base URL.
  const base = version === undefined ? baseUrl.replace(/\/$/, '') : new URL(baseUrl).origin
  const notes: string[] = []
  const quoted = (text: string, what: string) => shorten(text, what, notes, 'utf8')
  // In a header, each character is one byte.
  const quotedBytes = (text: string, what: string) => shorten(text, what, notes, 'latin1')
  // The target of a CONNECT request or of a request to a proxy is not a path.
  if (target.startsWith('/')) words.push(quoted(base + target, 'the URL'))
  else words.push(`--request-target ${quote(target)}`, quote(base))
  for (const [name, value] of headersOf(baseUrl, request)) words.push(`-H ${headerArgument(name, value, quotedBytes)}`)
  let input = ''
  if (body instanceof Uint8Array) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
    const isText = !text.includes('\0') && Buffer.from(text).equals(body)
    if (!isText) input = `printf ${shortenBytes(body, notes)} | `
    words.push(isText ? `--data-raw ${quoted(text, 'the body')}` : '--data-binary @-')
  } else if (body !== undefined) {
    // The content of an iterable is unknown.
    words.push("-H 'Transfer-Encoding: chunked' --data-binary @-  # chunked body")
  }
  return input + words.join(' ') + notes.map((note) => `  # truncated: ${note}`).join('')
}

/** Returns the headers that curl must send or omit in addition to the headers that it sends by default. */
function headersOf(baseUrl: string, { headers, body, version }: PlainRequest): PlainRequest['headers'] {
  const has = (wanted: string) => headers.filter(([name]) => name.toLowerCase() === wanted).length
  const length = body instanceof Uint8Array && has('content-length') === 1 ? String(body.byteLength) : ''
  const usual = new Map([
    ['host', new URL(baseUrl).host],
    ['content-length', length],
  ])
  return [
    ...headers.filter(([name, value]) => usual.get(name.toLowerCase()) !== value),
    ...(version !== undefined && has('host') === 0 ? [['Host', removed] as const] : []),
    // By default, curl adds a content type that declares the body as a form.
    ...(body !== undefined && has('content-type') === 0 ? [['Content-Type', removed] as const] : []),
  ]
}

/** Value of a header that curl must omit. */
const removed = '\0'

function headerArgument(name: string, value: string, quoted: (text: string, what: string) => string): string {
  if (value === removed) return `'${name}:'`
  const variable = variables[value]
  if (variable !== undefined) return `"${name}: $${variable}"`
  // curl requires a semicolon after a header without a value, and omits a header that has only white space.
  return quoted(/^[ \t]*$/.test(value) ? `${name};` : `${name}: ${value}`, name)
}

/** Returns whether curl would change a raw request, or whether the request is only a part of the bytes that were sent. */
function isChangedByCurl({ version, headers, body, sent }: PlainRequest): boolean {
  const names = headers.map(([name]) => name.toLowerCase())
  return (
    version !== undefined &&
    (sent !== undefined ||
      names.includes('transfer-encoding') ||
      names.includes('') ||
      names.filter((name) => name === 'host').length > 1 ||
      (body !== undefined) !== names.includes('content-length') ||
      headers.some(([, value]) => value.includes('\0')))
  )
}

/** Returns the raw request for a request that a client sends in chunks. curl would send the body in one chunk. */
function withChunks(baseUrl: string, request: PlainRequest, chunks: readonly Uint8Array[]): PlainRequest {
  const { host, pathname } = new URL(baseUrl)
  const lines = [['Host', host], ...request.headers, ['Connection', 'close'], ['Transfer-Encoding', 'chunked']] as const
  const framed = chunks.flatMap((chunk) => [`${chunk.byteLength.toString(16)}\r\n`, chunk, '\r\n'])
  const body = Buffer.concat([...framed, '0\r\n\r\n'].map((part) => Buffer.from(part)))
  return { ...request, target: pathname.replace(/\/$/, '') + request.target, headers: lines, body, version: '1.1' }
}

/** Formats the bytes of a raw request as a command. */
function rawLine(baseUrl: string, bytes: Uint8Array): string {
  const { protocol, hostname, port } = new URL(baseUrl)
  const notes: string[] = []
  const isSecure = protocol === 'https:'
  const client = isSecure
    ? `openssl s_client -quiet -connect ${hostname}:${port || 443}`
    : `nc ${hostname} ${port || 80}`
  return `printf ${shortenBytes(bytes, notes)} | ${client}${notes.map((note) => `  # truncated: ${note}`).join('')}`
}

/** Variables of the placeholders of the API keys. */
const variables: Readonly<Record<string, string | undefined>> = {
  '<key>': keyVariable,
  '<second key>': 'STOREPORT_SECOND_API_KEY',
}

/** Matches a placeholder of an API key, or a unit that is repeated at least 100 times. */
const special = /<(?:second )?key>|(?<unit>.{1,10}?)\k<unit>{99,}/gsu

/** Encoding of the characters of a word. */
type Encoding = 'utf8' | 'latin1'

/** Quotes a word for a POSIX shell. A command in the word generates a long repetition. */
function quote(text: string, encoding: Encoding = 'utf8'): string {
  let word = ''
  let end = 0
  for (const { 0: found, index, groups } of text.matchAll(special)) {
    const unit = groups?.['unit']
    word += quoteLiteral(text.slice(end, index), encoding)
    if (unit === undefined) word += `"$${variables[found]}"`
    else word += `"$(printf '%.0s${formatBytes(Buffer.from(unit, encoding))}' $(seq ${found.length / unit.length}))"`
    end = index + found.length
  }
  const rest = text.slice(end)
  return rest === '' && word !== '' ? word : word + quoteLiteral(rest, encoding, word === '')
}

/** Quotes a word. If the word is long and not repetitive, truncates it and adds a note. */
function shorten(text: string, what: string, notes: string[], encoding: Encoding): string {
  const word = quote(text, encoding)
  if (word.length <= 2 * maxArgument) return word
  notes.push(`${what} has ${Buffer.byteLength(text, encoding)} bytes`)
  return quote(text.slice(0, maxArgument), encoding)
}

/** Characters that may be invisible, or that a terminal or an editor may encode as other bytes. */
const unsafe = /[^ -~]/u

/** Quotes a word without repetitions. A word with unsafe characters is quoted as `$'…'`, which requires bash or zsh. */
function quoteLiteral(text: string, encoding: Encoding, isWhole = false): string {
  if (text === '' && !isWhole) return ''
  if (!unsafe.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = Array.from(text, (letter) => {
    if (letter === '\\' || letter === "'") return `\\${letter}`
    return unsafe.test(letter)
      ? [...Buffer.from(letter, encoding)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
      : letter
  })
  return `$'${escaped.join('')}'`
}

/** Formats bytes as the arguments of `printf`. If the bytes are many and not repetitive, truncates them and adds a note. */
function shortenBytes(bytes: Uint8Array, notes: string[]): string {
  const words = printfWords(Buffer.from(bytes).toString('latin1'))
  if (words.length <= 2 * maxArgument) return words
  notes.push(`the request has ${bytes.byteLength} bytes`)
  return printfWords(Buffer.from(bytes.subarray(0, maxArgument)).toString('latin1'))
}

/** Returns a format and the words of its keys and long repetitions. Each character of the text is one byte. */
function printfWords(text: string): string {
  const format = (part: string) => formatBytes(Buffer.from(part, 'latin1'))
  const parts: string[] = []
  const words: string[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(special)) {
    // The shell cannot store a NUL, and removes line ends at the end of a command's output.
    if (/[\0\n]/.test(found)) continue
    parts.push(format(text.slice(end, index)), '%s')
    words.push(` ${quote(found, 'latin1')}`)
    end = index + found.length
  }
  return `'${parts.join('')}${format(text.slice(end))}'${words.join('')}`
}

const escapes: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\\': '\\\\', '%': '%%', "'": `'\\''` }

/** Formats bytes as a part of a format of `printf` in single quotes. */
function formatBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^ -~]|[\\%']/g, (byte) => escapes[byte] ?? `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
