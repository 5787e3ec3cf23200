import { Buffer } from 'node:buffer'
import { type Answer, type Call, errorAnswer, type Integration } from '@storeport/core'
import { lingerMs } from './connection.ts'
import { type BodyOptions, type NodeRequest, type NodeResponse, readText, splitTarget } from './message.ts'

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
