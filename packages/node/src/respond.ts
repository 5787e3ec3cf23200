import { Buffer } from 'node:buffer'
import { type Answer, type Call, errorAnswer, type Integration } from '@storeport/core'
import { lingerMs } from './connection.ts'
import { type BodyOptions, type NodeRequest, type NodeResponse, readText, splitTarget } from './message.ts'

/** A body that nobody read is skipped up to this length, in bytes, so that the connection can be used again. */
const skippedBytes = 65_536

/** Writes an answer, unless somebody has answered or the caller has left. */
export function writeAnswer(req: NodeRequest, res: NodeResponse, { status, headers, body }: Answer): void {
  if (res.headersSent || res.destroyed) return
  const length = Buffer.byteLength(body)
  const sent = req.method === 'HEAD' ? '' : body
  const bytesAhead = req.complete || req.readableEnded ? 0 : contentLength(req)
  const refusesRest = bytesAhead > skippedBytes || (status === 413 && !req.readableEnded)

  if (res.stream !== undefined) {
    res.writeHead(status, { 'Content-Length': length, ...headers })
    res.end(sent)
    if (refusesRest) res.stream.close()
    return
  }
  // Content-Length first: V8 makes a slow object of a copy to which a field is added.
  if (refusesRest) {
    // What is sent behind it is not run, either.
    res.shouldKeepAlive = false
    res.writeHead(status, { 'Content-Length': length, Connection: 'close', ...headers })
  } else res.writeHead(status, { 'Content-Length': length, ...headers })
  if (bytesAhead > 0 && (refusesRest || res.shouldKeepAlive === false)) endOnceCallerStops(req, res, sent)
  else res.end(sent)
}

/** Ending closes the connection, and closing it while bytes arrive resets it, which can cost the caller the answer. */
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

/** Bytes of body that the caller announced: 0 without a body, Infinity for a body that does not say its length. */
function contentLength({ headers }: NodeRequest): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity
  const length = Number(headers['content-length'])
  return Number.isNaN(length) ? 0 : length
}

/** What a framework knows better than its request object. */
export interface RespondOptions extends BodyOptions {
  /** Path and query below the mount point, where the framework does not leave them in `req.url`. */
  readonly url?: string | undefined
}

/** Answers one request of node:http or node:http2; rejects only when `integration.answer` does or no answer can be written. */
export function respond(
  integration: Pick<Integration, 'answer'>,
  req: NodeRequest,
  res: NodeResponse,
  options: RespondOptions = noOptions,
): Promise<void> {
  return integration.answer(toCall(req, res, options)).then((answer) => writeAnswer(req, res, answer))
}

const noOptions: RespondOptions = {}

/** Makes a call of a request, as the pipeline reads it. */
export function toCall(req: NodeRequest, res: NodeResponse, options: RespondOptions = noOptions): Call {
  const { path, query } = splitTarget(options.url ?? req.url ?? '')
  return {
    method: req.method ?? '',
    path,
    query,
    // Not a getter: V8 keeps one that is made per call, and all that it reaches, until the next full garbage collection.
    clientAddress: req.socket?.remoteAddress,
    header: (name) => joinValues(req.headers[name]),
    text: (maxBytes) => readText(req, maxBytes, options),
    hasLeft: () => hasLeft(res),
    onAbort: (listener) => onLeave(res, listener),
  }
}

function joinValues(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value
}

/** A response also closes after it was sent; before that, it does so only because the caller has left. */
function hasLeft(res: NodeResponse): boolean {
  return res.destroyed && !res.headersSent
}

function onLeave(res: NodeResponse, listener: () => void): () => void {
  const left = () => {
    if (!res.headersSent) listener()
  }
  if (res.destroyed) left()
  else res.once('close', left)
  return () => res.off('close', left)
}

/** A request listener of node:http, node:http2 and everything that takes `(req, res, next)`. */
export type NodeListener = (req: NodeRequest, res: NodeResponse, next?: (error?: unknown) => void) => void

/** Serves an integration: `createServer(toNodeListener(integration))`; paths that are not its own go to `next` if there is one. */
export function toNodeListener(integration: Pick<Integration, 'answer' | 'owns'>): NodeListener {
  return (req, res, next) => {
    if (next !== undefined && !integration.owns(splitTarget(req.url ?? '').path)) return next()
    respond(integration, req, res).catch(next ?? (() => writeAnswer(req, res, errorAnswer('internal_error'))))
  }
}
