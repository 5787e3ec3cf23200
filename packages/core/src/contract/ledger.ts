/**
 * Storage of clicks, with one operation: an atomic read-modify-write of a small JSON document for each customer. All
 * processes that serve the same customers must share the ledger. A ledger that loses its data forgets its clicks.
 */
export interface Ledger {
  /**
   * Reads the document of a key, calls `decide`, stores the document that `decide` returns, and returns the `result`.
   * Gives every stored document a new version, also an equal document. Rejects if the storage is unreachable or the
   * document is unreadable.
   */
  update<Result>(key: string, decide: Decide<Result>): Result | Promise<Result>
  /** Whether all documents stay in this process or in the shop's own database. If so, keys and documents are not hashed. */
  readonly isLocal?: boolean | undefined
  /** Whether the option `scope` is required, because several shops may share the storage. */
  readonly requiresScope?: boolean | undefined
}

/**
 * Returns the change to a document. A ledger may call this function several times. `now` is the time of the storage's
 * clock, in milliseconds.
 */
export type Decide<Result> = (stored: ClickDocument | undefined, now: number) => Decision<Result>

/** A stored document. Only the click protocol reads fields other than `v`. */
export interface ClickDocument {
  /** Version of the document format. */
  readonly v: number
}

/** The result for the caller of `update`, and the document to store. Without a document, nothing is written. */
export interface Decision<Result> {
  readonly result: Result
  readonly document?: ClickDocument | undefined
  /** Time until which the document must be stored, in milliseconds of the storage's clock. */
  readonly until?: number | undefined
}
