import type { RawConnection } from './raw-connection.ts'

/** A request, as plain as a check needs it. */
export interface PlainRequest {
  /** HTTP method, upper case. */
  readonly method: string
  /** Path and query, exactly as they go on the wire, below the address of the server. */
  readonly target: string
  /** Header lines in order; a name may stand twice. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body in one piece or in pieces that come over time; a body in pieces has no length announced. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
}

/** A response, as plain as a check needs it. */
export interface PlainResponse {
  /** HTTP status. */
  readonly status: number
  /** Header lines; names in any letter case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as text. */
  readonly body: string
}

/**
 * What a check may need of the way to the server, or of the server's surroundings.
 *
 * `raw-path`: a path arrives as it was sent, dots included. `http-parser`: the server's own HTTP parser answers, no proxy and no
 * in-process call. `retries`: repeated clicks count once (the retry guard is on). `sockets`: connections can be opened on which
 * anything is written; a way without `connect` has none.
 */
export type Capability = 'raw-path' | 'http-parser' | 'retries' | 'sockets'

/** Sends one request and answers with what came back; rejects when nothing did. */
export interface Send {
  (request: PlainRequest): Promise<PlainResponse>
  /** What this way of sending cannot do; checks that need it are skipped. */
  readonly cannot?: readonly Capability[]
  /** The host that it sends to, for messages. */
  readonly host?: string
  /** Opens a connection of its own to that host. */
  readonly connect?: () => Promise<RawConnection>
}

/** Makes a Send out of a function, what it cannot do and the host that it sends to. */
export function sendThat(
  cannot: readonly Capability[],
  send: (request: PlainRequest) => Promise<PlainResponse>,
  host?: string,
): Send {
  return Object.assign(send, { cannot, ...(host !== undefined && { host }) })
}
