/** One click of one customer, as it is remembered: no email, no field of the input in clear. Its names are digests; in a local ledger they mean nothing outside the process. */
export interface Click {
  /** Names what makes two calls the same click. */
  readonly id: string
  /** Names whose click it is. */
  readonly customer: string
  /** Names endpoint and input. */
  readonly fingerprint: string
  /** Whether the caller named the click by an `Idempotency-Key`: then it is remembered whatever else the customer does. */
  readonly named: boolean
  /** Names this try of the click, and is what the store is given as `context.idempotencyKey` when it is the first one. */
  readonly idempotencyKey: string
  /** When the call arrived, in milliseconds on the clock of `performance.now()`. */
  readonly arrivedAt: number
  /** How long a try may run before it counts as lost, in milliseconds. */
  readonly leaseMs: number
  /** How long a success is remembered, in milliseconds. */
  readonly doneMs: number
  /** How long an outcome that nobody knows is remembered, in milliseconds from the first try. */
  readonly unknownMs: number
  /** How long it is known that the click succeeded, so that a repeat of an earlier one is not taken for the last, in milliseconds. */
  readonly keptMs: number
}

/** What makes a repeat the same click. */
export type ClickIdentity = Pick<Click, 'id' | 'fingerprint' | 'named' | 'doneMs'>

/** A click that a method of the store keeps itself, together with its change. */
export interface PendingClick extends Click {
  /** Until when a commit may begin, in milliseconds on the clock of `performance.now()`: one that begins later may end after the answer. */
  readonly commitBy: number
  /** Returns for how long a success is remembered as things are now, in milliseconds: longer when its caller got no answer. */
  remembersMs(): number
}
