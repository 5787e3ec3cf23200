/** One click of one customer, as the ledger knows it: no email, no field of the input in clear. */
export interface Click {
  /** Digest of what makes two calls the same click. */
  readonly id: string
  /** Digest of whose click it is. */
  readonly customer: string
  /** Digest of endpoint and input. */
  readonly fingerprint: string
  /** Whether the caller named the click by an `Idempotency-Key`: then it is remembered whatever else the customer does. */
  readonly named: boolean
  /** What the store is given as `context.idempotencyKey` when this is the click's first try. */
  readonly idempotencyKey: string
  /** How long a try may run before it counts as lost, in milliseconds. */
  readonly leaseMs: number
  /** How long a success is remembered, in milliseconds. */
  readonly doneMs: number
  /** How long an unknown outcome is remembered, in milliseconds. */
  readonly unknownMs: number
}

/** What the ledger says to a click. */
export type Claim =
  /** The caller that claimed it runs it under this key, and no other caller runs it until it settles. */
  | { readonly state: 'claimed'; readonly idempotencyKey: string }
  /** It succeeded and, unless it is named, no other mutation of the customer has succeeded since. */
  | { readonly state: 'done'; readonly fingerprint: string }
  /** Somebody runs it. */
  | { readonly state: 'running'; readonly fingerprint: string }
  /** It ran and nobody knows how it ended. */
  | { readonly state: 'unknown'; readonly fingerprint: string; readonly forgottenInMs: number }

/** How a try ended: a refused one is forgotten, so that the click can be tried again. */
export type Outcome = 'done' | 'refused' | 'unknown'

/** Remembers clicks so that each counts once; shared by all processes that serve the same customers. */
export interface Ledger {
  /**
   * Claims a click of which nothing is known, else tells what is; one step even among processes.
   *
   * With `retryUnknown` a click of unknown outcome and the same fingerprint is claimed again, under the key of its first try.
   */
  claim(click: Click, retryUnknown: boolean): Promise<Claim>
  /** Keeps how a claimed click ended. */
  settle(click: Click, outcome: Outcome): Promise<void>
}
