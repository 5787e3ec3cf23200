import type { OutgoingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'

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
