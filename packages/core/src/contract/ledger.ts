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

/**
 * Result of a method that stores its click, and of `once`. `replayed` means that no change was made. `done` is also the
 * result of a transaction that runs again after its commit.
 */
export type ClickResult = 'done' | 'replayed'

/** A click that a store method stores in the transaction of its change: see `once` of `createSqlLedger`. */
export interface Click {
  /** Key of the customer's document. The transaction locks it first. */
  readonly customer: string
  /** Latest time to start a commit, in milliseconds of `performance.now()`. A later commit may end after the response. */
  readonly commitBy: number
  /** The `context.idempotencyKey`. `claim` can replace it with the key of an earlier attempt. */
  readonly idempotencyKey: string
  /** Ledger of the transaction. The guard stores an unknown outcome there. */
  ledger: Ledger | undefined
  /**
   * Claims the click in the locked document. For `run`, the transaction makes the change and then calls `succeed`. For
   * `done` and `replayed`, it only stores the document, if any. `readAt` is the time of `performance.now()` before the
   * statement that read the document and `now`, without the wait for a lock. Throws StoreError `store_unavailable`,
   * `request_in_progress` or `idempotency_key_reused`.
   */
  claim(stored: ClickDocument | undefined, now: number, readAt: number): Decision<'run' | ClickResult>
  /** Returns the document with the success of the last `claim`, to store it in the transaction of the change. */
  succeed(now: number): Decision<undefined>
}
