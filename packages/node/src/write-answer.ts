import { Buffer } from 'node:buffer'
import type { Answer } from '@storeport/core'
import { lingerMs } from './linger.ts'
import type { NodeRequest, NodeResponse } from './node-message.ts'

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
