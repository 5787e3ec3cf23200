import type { StoreError } from '../contract/errors.ts'

/**
 * Storage of the click protocol: one atomic read-modify-write of a small JSON document. Shared by all processes that serve the
 * same customers.
 */
export interface Ledger {
  /**
   * Reads the document of a key, stores what `decide` returns, and returns its result. Rejects if the storage is unreachable or the document cannot be read.
   */
  update<Result>(key: string, decide: Decide<Result>): Result | Promise<Result>
  /** Whether documents never leave this process: then names in them are not hashed. */
  readonly isLocal?: boolean | undefined
  /** Whether several shops may share the storage, so that the option `scope` is required. */
  readonly requiresScope?: boolean | undefined
}

/**
 * Decides what becomes of a document; a ledger may call it several times. `now` is the storage's clock, in milliseconds. `isYoung`
 * is whether the storage may have forgotten clicks of the last 24 hours.
 */
export type Decide<Result> = (stored: StoredClicks | undefined, now: number, isYoung: boolean) => Change<Result>

/** The clicks of one customer, or of one name, as a ledger stores them: JSON that only the protocol reads. */
export interface StoredClicks {
  /** Version of the document (decision 2). */
  readonly v: number
}

/** What makes two requests the same click (decision 1). */
export interface ClickNames {
  /** Digest of endpoint and input, or their text where the ledger never leaves the process. */
  readonly fingerprint: string
  /** The key of the named document, for a click with an `Idempotency-Key`. */
  readonly name?: string | undefined
  /** The platform key of a named click, which survives the loss of the ledger (decision 4). */
  readonly derivedKey?: string | undefined
  /** How long a success is remembered after it was reported, in milliseconds. */
  readonly windowMs: number
}

/** One click of one customer, with the keys of its documents. */
export interface Click extends ClickNames {
  /** The key of the customer's document. */
  readonly customer: string
}

/** A request that asks whether its click may run. */
export interface Asked {
  readonly click: ClickNames
  /** Names the attempt; a claim that is repeated after a lost answer gets the same result (decision 25). */
  readonly attempt: string
  /** How long the attempt may run before it counts as lost, in milliseconds. */
  readonly leaseMs: number
  /** How long ended instances stay for the requests that wait for them, in milliseconds (decision 21). */
  readonly retainMs: number
  /** How long ago the request arrived, in milliseconds. */
  readonly waitedMs: number
  /** The last number when the request first looked: a later success is its response (decision 21). */
  readonly seen?: number | undefined
  /** Whether the store can say how an earlier attempt ended. */
  readonly canReconcile: boolean
  /** How long after the first attempt of unknown outcome another one may run under the same key, in milliseconds. */
  readonly repeatableMs: number
  /** Whether the ledger may have forgotten clicks (decision 28). */
  readonly isYoung: boolean
  /** Maximum clicks in the document; default 100. */
  readonly maxClicks?: number | undefined
}

/** An attempt that was let in. */
export interface Held extends Pick<Asked, 'click' | 'attempt' | 'leaseMs' | 'retainMs'> {
  /** The platform key, the same for all attempts of the instance. */
  readonly key: string
  /** The number at which the attempt began; 0 while it reconciles. */
  readonly began: number
}

/** What a request may do; `ran` is a transaction that runs again after it has succeeded. */
export type Claim =
  | { readonly state: 'claimed'; readonly held: Held }
  /** The store is asked first; the ages are `undefined` where the ledger has no attempt. */
  | { readonly state: 'reconcile'; readonly held: Held; readonly firstMsAgo?: number; readonly lastMsAgo?: number }
  | { readonly state: 'replayed' }
  | { readonly state: 'ran' }
  | { readonly state: 'running'; readonly seen: number }
  | Stopped

export interface Stopped {
  readonly state: 'stopped'
  readonly error: StoreError
}

/** How an attempt ended; `released` never reached the store. */
export type Outcome = 'succeeded' | 'unreported' | 'rejected' | 'unknown' | 'released'

/** What becomes of a document. */
export interface Change<Result> {
  readonly result: Result
  /** The document to store; `undefined` writes nothing. */
  readonly document?: StoredClicks | undefined
  /** How long it must be stored, in milliseconds. */
  readonly keepMs?: number | undefined
  /** Whether the document was missing and should not have been: the ledger has forgotten clicks (decision 28). */
  readonly hasForgotten?: boolean | undefined
}
