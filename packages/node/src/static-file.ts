import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A file that is made once: all of its answers share its bytes. */
export interface StaticFile {
  /** What it holds. */
  readonly bytes: Buffer
  /** What is sent with it. */
  readonly headers: Readonly<Record<string, string | number>>
  /** What is sent when the client has it already. */
  readonly unchangedHeaders: Readonly<Record<string, string>>
  /** Names what it holds: an entity tag of RFC 9110, with its quotes. */
  readonly etag: string
}

/** Makes a file to be sent from memory; `headers` hold its `Content-Type` and `Cache-Control`. */
export function createStaticFile(content: string | Uint8Array, headers: Readonly<Record<string, string>>): StaticFile {
  const bytes = Buffer.from(content)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const { 'Content-Type': _type, ...kept } = headers
  return {
    bytes,
    headers: { 'Content-Length': bytes.length, ...headers, ETag: etag },
    unchangedHeaders: { ...kept, ETag: etag },
    etag,
  }
}

/** Answers a GET or HEAD with a file, or with 304 when the client has it, unless somebody has answered or the client has left. */
export function writeStaticFile(req: IncomingMessage, res: ServerResponse, file: StaticFile): void {
  if (res.headersSent || res.destroyed) return
  if (hasIt(req.headers['if-none-match'], file.etag)) res.writeHead(304, file.unchangedHeaders).end()
  else res.writeHead(200, file.headers).end(req.method === 'HEAD' ? undefined : file.bytes)
}

/** A proxy that compresses makes a tag weak; RFC 9110 section 13.1.2 compares it all the same. */
function hasIt(tags: string | undefined, etag: string): boolean {
  return (
    tags !== undefined && tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
  )
}
