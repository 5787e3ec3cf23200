/**
 * Storage of the click protocol, with one operation: an atomic read-modify-write of a small JSON document.
 * All processes that serve the same customers must share the ledger.
 */
export interface Ledger {
  /**
   * Reads the document of a key, calls `decide`, stores the document that `decide` returns, and returns the `result`.
   * Rejects if the storage is unreachable or the document is unreadable.
   */
  update<Result>(key: string, decide: Decide<Result>): Result | Promise<Result>
  /** Whether all documents stay in this process. If so, names in the documents are not hashed. */
  readonly isLocal?: boolean | undefined
  /** Whether the option `scope` is required, because several shops may share the storage. */
  readonly requiresScope?: boolean | undefined
}

/**
 * Returns the change to a document. A ledger may call this function several times. `now` is the time of the storage's
 * clock, in milliseconds. `isYoung` is true if the storage may have lost clicks from the last 24 hours.
 */
export type Decide<Result> = (stored: StoredClicks | undefined, now: number, isYoung: boolean) => Change<Result>

/**
 * A stored document, which contains the clicks of one customer or one named click. Only the protocol reads fields other
 * than `v`.
 */
export interface StoredClicks {
  /** Version of the document format (decision 2). */
  readonly v: number
}

/** Change to a document: the document to store, and the result for the caller of `update`. */
export interface Change<Result> {
  readonly result: Result
  /** Document to store; `undefined` writes nothing. */
  readonly document?: StoredClicks | undefined
  /** How long the document must be stored, in milliseconds. */
  readonly ttlMs?: number | undefined
  /** Whether an expected document is missing, which means that the ledger has lost clicks (decision 28). */
  readonly hasLostData?: boolean | undefined
}
