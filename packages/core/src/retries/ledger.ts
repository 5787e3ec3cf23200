import type { StoreError } from '../contract/errors.ts'

/** Identity of a click: requests with the same identity are the same click (decision 1). */
export interface ClickNames {
  /** Digest of the endpoint and the input. In a ledger with `isLocal`, JSON instead of a digest. */
  readonly fingerprint: string
  /** Key of the named document, for a click with an `Idempotency-Key`. */
  readonly name?: string | undefined
  /** The `context.idempotencyKey` of a named click, which stays the same if the ledger loses its data (decision 4). */
  readonly derivedKey?: string | undefined
  /** How long a success is stored after its first response, in milliseconds. */
  readonly windowMs: number
}

/** A customer's click and the keys of its documents. */
export interface ClickKeys extends ClickNames {
  readonly customer: string
}

/** A request to claim a click. */
export interface ClaimRequest {
  readonly click: ClickNames
  /** Id of the attempt. A claim that is repeated after a lost response returns the same result (decision 25). */
  readonly attempt: string
  /** Time after which a running attempt is considered lost, in milliseconds. */
  readonly leaseMs: number
  /** How long ended instances are stored for waiting requests, in milliseconds (decision 21). */
  readonly retainMs: number
  /** Time since the request arrived, in milliseconds. */
  readonly waitedMs: number
  /**
   * Last sequence number when the request first read the document. A success with a higher number is replayed to the
   * request (decision 21).
   */
  readonly seen?: number | undefined
  /** Attempts of the same click for which the request waited in this process. Their success is replayed (decision 21). */
  readonly awaited?: readonly string[] | undefined
  /** Whether the store has `reconcile`. */
  readonly canReconcile: boolean
  /** Time in which a retry can run with the same key after an unknown outcome, in milliseconds from the first attempt. */
  readonly repeatableMs: number
  /** Whether the ledger may have lost clicks (decision 28). */
  readonly isYoung: boolean
  /** Maximum number of clicks in the document; default 100. */
  readonly maxClicks?: number | undefined
}

/** A successful claim of an attempt. */
export interface Held extends Pick<ClaimRequest, 'click' | 'attempt' | 'leaseMs' | 'retainMs'> {
  /** The `context.idempotencyKey`, the same for all attempts of the instance. */
  readonly key: string
  /** Sequence number of the attempt; 0 while `reconcile` runs. */
  readonly began: number
}

/** Result of a claim. `ran` means that the attempt is already committed and its transaction runs again. */
export type Claim =
  | { readonly state: 'claimed'; readonly held: Held }
  /** `reconcile` must run first. `firstMsAgo` and `lastMsAgo` are absent if the ledger contains no attempt. */
  | { readonly state: 'reconcile'; readonly held: Held; readonly firstMsAgo?: number; readonly lastMsAgo?: number }
  | { readonly state: 'replayed' }
  | { readonly state: 'ran' }
  | { readonly state: 'running'; readonly seen: number }
  | Stopped

export interface Stopped {
  readonly state: 'stopped'
  readonly error: StoreError
}

/**
 * Outcome of an attempt. `unreported` is a success whose caller received no response. `released` means that the method
 * never ran.
 */
export type Outcome = 'succeeded' | 'unreported' | 'rejected' | 'unknown' | 'released'
