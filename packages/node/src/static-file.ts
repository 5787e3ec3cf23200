import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** File in memory. All responses share its bytes. */
export interface StaticFile {
  /** Content of the file. */
  readonly bytes: Buffer
  /** Headers of a 200 response. */
  readonly headers: Readonly<Record<string, string | number>>
  /** Headers of a 304 response. */
  readonly unchangedHeaders: Readonly<Record<string, string>>
  /** Entity tag of the content (RFC 9110), in quotes. */
  readonly etag: string
}

/** Creates a file that is sent from memory. `headers` contain its `Content-Type` and `Cache-Control`. */
export function createStaticFile(content: string | Uint8Array, headers: Readonly<Record<string, string>>): StaticFile {
  const bytes = Buffer.from(content)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const { 'Content-Type': _type, ...unchanged } = headers
  return {
    bytes,
    headers: { 'Content-Length': bytes.length, ...headers, ETag: etag },
    unchangedHeaders: { ...unchanged, ETag: etag },
    etag,
  }
}

/**
 * Sends a file, or 304 if the client already has the file. Sends nothing if a response has started or the client has
 * disconnected.
 */
export function writeStaticFile(req: IncomingMessage, res: ServerResponse, file: StaticFile): void {
  if (res.headersSent || res.destroyed) return
  if (matchesEtag(req.headers['if-none-match'], file.etag)) res.writeHead(304, file.unchangedHeaders).end()
  else res.writeHead(200, file.headers).end(req.method === 'HEAD' ? undefined : file.bytes)
}

/** Compares entity tags without the weak prefix, which compressing proxies add (RFC 9110 section 13.1.2). */
function matchesEtag(tags: string | undefined, etag: string): boolean {
  return (
    tags !== undefined && tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
  )
}
