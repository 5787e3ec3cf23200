import type { OutgoingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { Buffer } from 'node:buffer'
import { StoreError } from '@storeport/core'

/** Request that StorePort reads. `IncomingMessage`, `Http2ServerRequest` and framework requests match this type. */
export interface NodeRequest extends Readable {
  /** HTTP method in upper case. */
  readonly method?: string | undefined
  /** Request target as sent. Frameworks can remove their mount path from the target. */
  readonly url?: string | undefined
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Whether the whole request has arrived. */
  readonly complete: boolean
  /** Connection that the request arrived on, if any. */
  readonly socket?: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean | undefined } | null
  /** Body as parsed by an earlier body parser. */
  readonly body?: unknown
}

/** Response that StorePort writes. `ServerResponse`, `Http2ServerResponse` and framework responses match this type. */
export interface NodeResponse extends Writable {
  /** Whether the response has started. */
  readonly headersSent: boolean
  /** Whether the connection stays open after the response; HTTP/1 only. */
  shouldKeepAlive?: boolean
  /** Stream of the request and the response; HTTP/2 only. */
  readonly stream?: { close(code?: number): void }
  /** Starts the response with a status and headers. */
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown
  /** Sends the headers immediately; HTTP/1 only. */
  flushHeaders?(): void
}

interface Target {
  /** Path as sent. */
  readonly path: string
  /** Query as sent, without the question mark. */
  readonly query: string
}

/** Splits a request target (RFC 9112 section 3.2) at the first question mark. Removes the origin `http://host`. */
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

/** Options for reading a body. */
export interface BodyOptions {
  /** Parsed body, if the framework does not store it in `req.body`. */
  readonly body?: unknown
  /** Called before the body is read from the connection. Not called if the body is already parsed. */
  readonly beforeBody?: (() => void) | undefined
}

/**
 * Returns the body of a request as a string, even after a body parser has read it.
 *
 * Rejects with StoreError `payload_too_large` if the body is longer than `maxBytes`. Rejects with TypeError if other
 * code has read the body without storing it in `req.body`.
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

/** Returns the body if it has already been read from the connection, otherwise `undefined`. */
function findText(req: NodeRequest, maxBytes: number, options: BodyOptions): string | undefined {
  if (Number(req.headers['content-length']) > maxBytes) throw new StoreError('payload_too_large')
  const parsed = options.body ?? req.body
  if (parsed !== undefined && (req.readableEnded || !isPlaceholder(parsed))) {
    const text = toText(parsed)
    if (Buffer.byteLength(text) > maxBytes) throw new StoreError('payload_too_large')
    return text
  }
  if (req.readableDidRead) {
    throw new TypeError(
      'The body was already read and is not in req.body. Mount StorePort before the middleware that reads it.',
    )
  }
  if (req.readableEnded) return ''
  if (req.destroyed) throw createEarlyEnd()
  return undefined
}

/**
 * Whether the value may mean that the body was not parsed. Express 4 then sets `req.body` to `{}`, and other frameworks
 * set it to `null`.
 */
function isPlaceholder(parsed: unknown): boolean {
  if (parsed instanceof Uint8Array) return parsed.length === 0
  return parsed === null || parsed === '' || (typeof parsed === 'object' && Object.keys(parsed).length === 0)
}

function toText(parsed: unknown): string {
  if (typeof parsed === 'string') return parsed
  if (parsed instanceof Uint8Array) return Buffer.from(parsed.buffer, parsed.byteOffset, parsed.byteLength).toString()
  try {
    return JSON.stringify(parsed, infinityToString)
  } catch {
    return JSON.stringify(Array.isArray(parsed) ? [] : cutDepth(parsed))
  }
}

/**
 * Converts infinities (from 1e400) to strings, which validation rejects. `JSON.stringify` would convert infinities to
 * null.
 */
function infinityToString(_name: string, value: unknown): unknown {
  return value === Infinity || value === -Infinity ? String(value) : value
}

/** Replaces nested values with `{}`, because deep nesting overflows `JSON.stringify`. No API field is an object. */
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

/** Joins chunks. Does not copy a single chunk, because nearly every body arrives in a single chunk. */
function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
}

function createEarlyEnd(): StoreError {
  return new StoreError('invalid_request', 'body: ended before it was complete')
}
