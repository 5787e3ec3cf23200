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

/** A connection to a server on which anything can be written. */
export interface RawConnection {
  /** What `Host` names. */
  readonly host: string
  /** Path of the server's address, which comes before every target. */
  readonly prefix: string
  /** Sends bytes as they are. */
  write(bytes: string | Uint8Array): void
  /** Says that nothing more will come; answers can still be read. */
  end(): void
  /** Breaks the connection off. */
  destroy(): void
  /** The next answer, to a request of the given method; `undefined` when the server closes the connection without one. */
  read(method: string): Promise<PlainResponse | undefined>
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>
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

/** Longest answer that is read, in bytes: far more than any answer of the API. */
export const mostBytes = 8 * 1024 * 1024

/** Puts pieces together; throws RangeError as soon as they are longer than `mostBytes`, since a body may never end. */
export async function joinPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of pieces) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw new RangeError(`the answer does not end within ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
