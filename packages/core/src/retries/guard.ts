import type { Call } from '../pipeline/call.ts'
import type { EndpointName, StorePort } from '../store-port.ts'

/** A mutating call, before it runs. */
export interface Mutation {
  readonly call: Call
  readonly name: EndpointName
  readonly input: object
  readonly testMode: boolean
  /** The API key that was sent: the scope of an `Idempotency-Key`. */
  readonly apiKey: string
  readonly store: StorePort
}

/** Runs a store method once, under an idempotency key. */
export type Attempt = (idempotencyKey: string) => Promise<unknown>

/** How a guarded mutation succeeded. */
export interface Guarded {
  /** Whether it is the replay of another call, so that the store did not see it. */
  readonly replayed: boolean
  /** Whether the caller named it by an `Idempotency-Key`. */
  readonly named: boolean
}

/** Runs a mutation unless it ran already; throws what the attempt throws, or StoreError when it may not run now. */
export type Guard = (mutation: Mutation, attempt: Attempt, onLedgerError: OnLedgerError) => Promise<Guarded>

/** Called when the ledger could not keep an outcome: the click itself has run, so its answer is sent. */
export type OnLedgerError = (error: unknown) => void
