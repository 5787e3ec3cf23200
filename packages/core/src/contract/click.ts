import type { ClickDocument, Decision, Ledger } from './ledger.ts'

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
