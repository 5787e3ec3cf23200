import type { OutgoingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { Buffer } from 'node:buffer'
import { StoreError } from '@storeport/core'

/** What StorePort reads of a request: `IncomingMessage`, `Http2ServerRequest` and every framework's own request have it. */
export interface NodeRequest extends Readable {
  /** HTTP method, upper case. */
  readonly method?: string | undefined
  /** Request target, as it was sent or as a framework left it below its mount point. */
  readonly url?: string | undefined
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Whether the whole request has arrived. */
  readonly complete: boolean
  /** The connection, where there is one. */
  readonly socket?: { readonly remoteAddress?: string | undefined } | null
  /** What a body parser that ran before us made of the body. */
  readonly body?: unknown
}

/** What StorePort needs of a response: `ServerResponse`, `Http2ServerResponse` and every framework's own response have it. */
export interface NodeResponse extends Writable {
  /** Whether somebody has begun to answer. */
  readonly headersSent: boolean
  /** Whether the connection stays open after the answer; HTTP/1 only. */
  shouldKeepAlive?: boolean
  /** The stream of the request and its answer; HTTP/2 only. */
  readonly stream?: { close(code?: number): void }
  /** Begins the answer. */
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown
  /** Sends what writeHead prepared; HTTP/1 only. */
  flushHeaders?(): void
}

/** The two parts of a request target. */
interface Target {
  /** Path as it was sent. */
  readonly path: string
  /** Query as it was sent, without the question mark. */
  readonly query: string
}

/** Splits a request target (RFC 9112 section 3.2) at the first question mark; of `http://host/path` only the path counts. */
export function splitTarget(target: string): Target {
  if (!target.startsWith('/')) return splitAbsolute(target)
  const mark = target.indexOf('?')
  if (mark === -1) return { path: target, query: '' }
  return { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

function splitAbsolute(target: string): Target {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? ''
  if (origin === '') return { path: target, query: '' }
  const rest = target.slice(origin.length)
  return splitTarget(rest.startsWith('/') ? rest : `/${rest}`)
}

/** What a framework knows about the body of a request. */
export interface BodyOptions {
  /** The parsed body, where the framework does not keep it in `req.body`. */
  readonly body?: unknown
  /** Called before the body is read off the connection, and only then. */
  readonly beforeBody?: (() => void) | undefined
}

/**
 * The body of a request as text, also when a body parser has read it already.
 *
 * Rejects with StoreError `payload_too_large` as soon as it is known to be longer than `maxBytes`, and TypeError when the
 * body is gone.
 */
export function readText(req: NodeRequest, maxBytes: number, options: BodyOptions): Promise<string> {
  try {
    const text = findText(req, maxBytes, options)
    if (text !== undefined) return Promise.resolve(text)
    options.beforeBody?.()
    return readStream(req, maxBytes)
  } catch (error) {
    return Promise.reject(error)
  }
}

/** The body, when it need not be read off the connection. */
function findText(req: NodeRequest, maxBytes: number, options: BodyOptions): string | undefined {
  if (Number(req.headers['content-length']) > maxBytes) throw new StoreError('payload_too_large')
  const parsed = options.body ?? req.body
  if (parsed !== undefined && (req.readableEnded || !isPlaceholder(parsed))) {
    const text = writeText(parsed)
    if (Buffer.byteLength(text) > maxBytes) throw new StoreError('payload_too_large')
    return text
  }
  if (req.readableDidRead) {
    throw new TypeError('The body was read before, but is not in req.body: mount StorePort before whatever reads it.')
  }
  if (req.readableEnded) return ''
  if (req.destroyed) throw createEarlyEnd()
  return undefined
}

/** Express 4 puts `{}` into `req.body` for what its parsers did not read; other frameworks have `null` or nothing. */
function isPlaceholder(parsed: unknown): boolean {
  if (parsed instanceof Uint8Array) return parsed.length === 0
  return parsed === null || parsed === '' || (typeof parsed === 'object' && Object.keys(parsed).length === 0)
}

function writeText(parsed: unknown): string {
  if (typeof parsed === 'string') return parsed
  if (parsed instanceof Uint8Array) return Buffer.from(parsed.buffer, parsed.byteOffset, parsed.byteLength).toString()
  try {
    return JSON.stringify(parsed, keepEndless)
  } catch {
    return JSON.stringify(Array.isArray(parsed) ? [] : cutDepth(parsed))
  }
}

/** A number like 1e400 was parsed to infinity, which JSON writes as null: as a text it is refused, as it is where nobody parsed it. */
function keepEndless(_name: string, value: unknown): unknown {
  return value === Infinity || value === -Infinity ? String(value) : value
}

/** JSON.stringify overflows on what is nested deep enough; no field of the API holds an object, so nothing is lost. */
function cutDepth(parsed: unknown): unknown {
  if (typeof parsed !== 'object' || parsed === null) return parsed
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, isPlain(value) ? {} : value]))
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}

function readStream(req: NodeRequest, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer | string) => {
      const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      bytes += buffer.length
      chunks.push(buffer)
      if (bytes <= maxBytes) return
      req.off('data', take)
      reject(new StoreError('payload_too_large'))
    }
    req.on('data', take)
    req.on('end', () => resolve(joinChunks(chunks).toString()))
    req.on('error', () => reject(createEarlyEnd()))
    req.on('close', () => {
      if (!req.readableEnded) reject(createEarlyEnd())
    })
  })
}

/** Nearly every body comes in one piece, which need not be copied. */
function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
}

function createEarlyEnd(): StoreError {
  return new StoreError('invalid_request', 'body: ended before it was complete')
}
