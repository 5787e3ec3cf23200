/** A request, as plain as the pipeline needs it: an adapter makes one from whatever its framework has. */
export interface Call {
  /** HTTP method, upper case. */
  readonly method: string
  /** Path as it was sent, without the query, below the adapter's mount point. */
  readonly path: string
  /** Query as it was sent, without the question mark. */
  readonly query: string
  /** A header by its lower-case name; several of one name are joined by `, `. */
  header(name: string): string | null | undefined
  /** The body as text; throws StoreError `payload_too_large` as soon as it is longer than `maxBytes`. */
  text(maxBytes: number): Promise<string>
  /** Network address of the client, where the adapter knows it. */
  readonly clientAddress?: string | undefined
  /** Whether the caller has left without an answer; asked of a change that has succeeded, in place of `onAbort`, which takes longer. */
  readonly hasLeft?: (() => boolean) | undefined
  /** Calls `listener` once when the caller leaves before the answer, at once when it has left; returns how to stop listening. */
  readonly onAbort?: ((listener: () => void) => () => void) | undefined
}

/** A response, as plain as an adapter needs it. */
export interface Answer {
  /** HTTP status. */
  readonly status: number
  /** Header names as they should be written, with their values. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; an adapter leaves it out in answers to HEAD. */
  readonly body: string
}
