import type { Ledger, StoredClicks } from '../contract/ledger.ts'

/** A click that a store method stores in the same transaction as its change. */
export interface Click {
  /** Key of the customer's document. The transaction locks it first. */
  readonly customer: string
  /** Key of the named document, for a click with an `Idempotency-Key`. The transaction locks it second. */
  readonly named: string | undefined
  /** Latest time to start a commit, in milliseconds of `performance.now()`. A later commit may end after the response. */
  readonly commitBy: number
  /** The `context.idempotencyKey`, which all attempts in the ledger share. */
  readonly idempotencyKey: string
  /** Ledger to which the transaction writes the click. */
  ledger: Ledger | undefined
  /** Outcome that is stored for the claim outside the transaction if the transaction is not committed. */
  failsAs: 'released' | 'rejected' | 'unknown'
  /**
   * Claims the click in a ledger that commits separately. Returns `undefined` for a replay. Throws the same errors as
   * `plan`.
   */
  claimOutside(ledger: Ledger): Promise<object | undefined>
  /**
   * Checks the click in the locked documents and records its success, so that the change and the success are committed together
   * (decision 35). Throws StoreError `store_unavailable`, `request_in_progress` or `idempotency_key_reused`.
   */
  plan(documents: ClickDocuments, now: number): ClickPlan
  /** Returns the documents of the last `plan` with a later time of the success, for a change that takes long. */
  writesAt(now: number): readonly DocumentWrite[]
}

/** The documents of a click: the customer's document and the named document. */
export interface ClickDocuments {
  readonly customer?: StoredClicks | undefined
  readonly named?: StoredClicks | undefined
}

/** A document to store in the transaction of the change. */
export interface DocumentWrite {
  readonly key: string
  readonly document: StoredClicks
  /** How long the document must be stored, in milliseconds. */
  readonly ttlMs: number
}

/**
 * Instructions for a transaction. For `run`, the transaction makes the change and stores the documents. For `ran` and
 * `replayed`, the transaction makes no change.
 */
export interface ClickPlan {
  readonly state: 'run' | 'ran' | 'replayed'
  readonly writes: readonly DocumentWrite[]
}
