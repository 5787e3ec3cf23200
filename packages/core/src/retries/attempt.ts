/** Identity of a click: equal `name`, or equal `body` of two requests without a name (rules 1 to 3). */
export interface ClickNames {
  /** Digest of the endpoint and the `Idempotency-Key`; empty without a key. */
  readonly name: string
  /** Digest of the endpoint and the input. */
  readonly body: string
}

/** One run of a store's method. Times are durations in milliseconds. */
export interface Attempt extends ClickNames {
  readonly id: string
  /** The `context.idempotencyKey`. Empty before the claim of an unnamed click. */
  readonly key: string
  /** Time after a success in which an equal request is a repeat; a day for a named click. */
  readonly windowMs: number
  /** Time after which a running attempt is considered lost. */
  readonly leaseMs: number
  /** Minimum time for which a success is stored for waiting requests. */
  readonly retainMs: number
  /** Time between the arrival of the request and the read of the document. */
  readonly waitedMs: number
  /** Time since the caller received the success, if the ledger could not store it then. */
  readonly toldMsAgo?: number
  readonly canReconcile: boolean
  /** Time after the first attempt in which a repeat with an equal key is safe; `Infinity` if no success means no change. */
  readonly repeatableMs: number
  /** Whether the claim of this attempt is already stored, so that a missing claim is lost (rule 22). */
  readonly isClaimed: boolean
}

/**
 * Whether an attempt can run. `claimed` runs, and `reconcile` runs after `reconcile` has returned `not_applied`. `done` has
 * already succeeded. `running` means the click itself, and `busy` another click of the customer.
 */
export type Claim =
  | {
      readonly state: 'claimed' | 'reconcile'
      readonly key: string
      /** Time since the first and the last attempt that may have taken effect, in milliseconds. */
      readonly firstMsAgo: number
      readonly lastMsAgo: number
      /** True if the claim deleted the oldest named success of a full document. */
      readonly hasDropped: boolean
    }
  | { readonly state: 'done' | 'replayed' | 'running' | 'busy' | 'reused' | 'unknown' | 'undecided' | 'full' | 'lost' }

/**
 * Outcome of an attempt. `unreported` is a success whose caller received no response. `released` means that the method
 * never ran.
 */
export type Outcome = 'succeeded' | 'unreported' | 'rejected' | 'unknown' | 'released'
