import { Buffer } from 'node:buffer'
import { type Answer, type Call, errorAnswer, type Integration, StoreError } from '@storeport/core'
import { lingerMs } from './connection.ts'
import type { BodyOptions, NodeRequest, NodeResponse } from './message.ts'

/** Maximum length of an unread body that the server skips so that the connection can be reused, in bytes. */
const maxSkippedBytes = 65_536

/** Writes a response, unless a response has started or the caller has disconnected. */
export function writeAnswer(req: NodeRequest, res: NodeResponse, { status, headers, body }: Answer): void {
  if (res.headersSent || res.destroyed) return
  const length = Buffer.byteLength(body)
  const sent = req.method === 'HEAD' ? '' : body
  const bytesAhead = req.complete || req.readableEnded ? 0 : contentLength(req)
  const rejectsRest = bytesAhead > maxSkippedBytes || (status === 413 && !req.readableEnded)

  if (res.stream !== undefined) {
    res.writeHead(status, { 'Content-Length': length, ...headers })
    res.end(sent)
    if (rejectsRest) res.stream.close()
    return
  }
  // Content-Length is first, because V8 creates a slow object if a property follows a spread.
  if (rejectsRest) {
    // Prevents pipelined requests after this request from running.
    res.shouldKeepAlive = false
    res.writeHead(status, { 'Content-Length': length, Connection: 'close', ...headers })
  } else res.writeHead(status, { 'Content-Length': length, ...headers })
  if (bytesAhead > 0 && (rejectsRest || res.shouldKeepAlive === false)) endOnceCallerStops(req, res, sent)
  else res.end(sent)
}

/** Ends the response when the caller stops sending. An earlier end could reset the connection and lose the response. */
function endOnceCallerStops(req: NodeRequest, res: NodeResponse, sent: string): void {
  if (sent === '') res.flushHeaders?.()
  else res.write(sent)
  const end = () => {
    clearTimeout(timer)
    if (!res.destroyed) res.end()
  }
  const timer = setTimeout(end, lingerMs)
  req.once('end', end)
  res.once('close', end)
  req.resume()
}

/** Returns the declared length of the body: 0 without a body, Infinity for a chunked body. */
function contentLength({ headers }: NodeRequest): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity
  const length = Number(headers['content-length'])
  return Number.isNaN(length) ? 0 : length
}

/** Options for a framework that changes the request object. */
export interface RespondOptions extends BodyOptions {
  /** Path and query below the mount path, if the framework does not store them in `req.url`. */
  readonly url?: string | undefined
}

/** Responds to a request. Rejects only if `integration.answer` rejects or the response cannot be written. */
export function respond(
  integration: Pick<Integration, 'answer'>,
  req: NodeRequest,
  res: NodeResponse,
  options: RespondOptions = noOptions,
): Promise<void> {
  return integration.answer(toCall(req, res, options)).then((answer) => writeAnswer(req, res, answer))
}

const noOptions: RespondOptions = {}

/** Converts a request to the `Call` that `integration.answer` accepts. */
export function toCall(req: NodeRequest, res: NodeResponse, options: RespondOptions = noOptions): Call {
  const { path, query } = splitTarget(options.url ?? req.url ?? '')
  return {
    method: req.method ?? '',
    path,
    query,
    scheme: req.socket?.encrypted === true ? 'https' : 'http',
    // Not a getter, because V8 would retain the getter and its references until a full garbage collection.
    clientAddress: req.socket?.remoteAddress,
    header: (name) => joinValues(req.headers[name]),
    text: (maxBytes) => readText(req, maxBytes, options),
    hasDisconnected: () => hasDisconnected(res),
    onAbort: (listener) => onDisconnect(res, listener),
  }
}

function joinValues(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value
}

/** Whether the caller disconnected before the response. A response that has been sent is also destroyed. */
function hasDisconnected(res: NodeResponse): boolean {
  return res.destroyed && !res.headersSent
}

function onDisconnect(res: NodeResponse, listener: () => void): () => void {
  const notify = () => {
    if (!res.headersSent) listener()
  }
  if (res.destroyed) notify()
  else res.once('close', notify)
  return () => res.off('close', notify)
}

/** Request listener for `node:http`, `node:http2` and frameworks that call middleware with `(req, res, next)`. */
export type NodeListener = (req: NodeRequest, res: NodeResponse, next?: (error?: unknown) => void) => void

/** Parts of an integration that a listener uses. Without `answerOutside`, no path is corrected. */
export type Listened = Pick<Integration, 'answer' | 'owns'> & Partial<Pick<Integration, 'answerOutside'>>

/** Creates a listener: `createServer(toNodeListener(integration))`. Calls `next`, if given, for other paths. */
export function toNodeListener(integration: Listened): NodeListener {
  return (req, res, next) => {
    if (next !== undefined && !integration.owns(splitTarget(req.url ?? '').path)) {
      // Only for the log, because other middleware responds to the request.
      void integration.answerOutside?.(toCall(req, res))
      return next()
    }
    respond(integration, req, res).catch(next ?? (() => writeAnswer(req, res, errorAnswer('internal_error'))))
  }
}

/** Splits a request target (RFC 9112 section 3.2) at the first question mark. Removes the origin `http://host`. */
export function splitTarget(target: string): Pick<Call, 'path' | 'query'> {
  if (!target.startsWith('/')) return splitAbsolute(target)
  const mark = target.indexOf('?')
  if (mark === -1) return { path: target, query: '' }
  return { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

function splitAbsolute(target: string): Pick<Call, 'path' | 'query'> {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? ''
  if (origin === '') return { path: target, query: '' }
  const rest = target.slice(origin.length)
  return splitTarget(rest.startsWith('/') ? rest : `/${rest}`)
}

/**
 * Returns the body of a request as a string, even after a body parser has read it.
 *
 * Rejects with StoreError `payload_too_large` if the body is longer than `maxBytes`. Rejects with TypeError if other
 * code has read the body without storing it in `req.body`.
 */
function readText(req: NodeRequest, maxBytes: number, options: BodyOptions): Promise<string> {
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
