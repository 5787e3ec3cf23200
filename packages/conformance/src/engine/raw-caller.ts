import type { Reply } from '../http/reply.ts'

/** A request that is written byte by byte; `Host` and the API key are sent with it unless `headers` names them. */
export interface RawMessage {
  /** HTTP method; default GET. */
  readonly method?: string
  /** Path and query below the base path. */
  readonly path: string
  /** What stands in the request line in place of that path. */
  readonly target?: (path: string, host: string) => string
  /** Header lines, as they are; `Host` and the key come first. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** The body, as it is: no length is sent with it. */
  readonly body?: string | Uint8Array
  /** Whether `Host` is left out. */
  readonly withoutHost?: boolean
}

/** A connection of a check, on which it writes what no HTTP client would. */
export interface RawCaller {
  /** Writes a request, whole or in part. */
  request(message: RawMessage): void
  /** Writes more of a body, or anything. */
  write(bytes: string | Uint8Array): void
  /** Says that nothing more will come. */
  end(): void
  /** Breaks the connection off. */
  destroy(): void
  /** The next answer; `undefined` when the connection was closed without one. */
  reply(): Promise<Reply | undefined>
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>
}
