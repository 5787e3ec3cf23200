import type { OutgoingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'

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

/** Options for reading a body. */
export interface BodyOptions {
  /** Parsed body, if the framework does not store it in `req.body`. */
  readonly body?: unknown
  /** Called before the body is read from the connection. Not called if the body is already parsed. */
  readonly beforeBody?: (() => void) | undefined
}
