import type { Call } from '../pipeline/call.ts'
import type { EndpointName, Reconciled, StorePort } from '../store-port.ts'
import type { CalledClick } from '../pipeline/call-store.ts'
import type { CheckedInput } from '../pipeline/read-input.ts'

/** A mutating call, before it runs. */
export interface Mutation {
  readonly call: Call
  readonly name: EndpointName
  readonly input: CheckedInput
  readonly testMode: boolean
  /** The API key that was sent: the scope of an `Idempotency-Key`. */
  readonly apiKey: string
  readonly store: StorePort
  /** The store's method that makes the change. */
  readonly method: object
  /**
   * Calls the store method once, under an idempotency key, and with the click, which is `pending` when the method keeps its clicks itself.
   * Throws what the method throws, and StoreTimeout.
   */
  run(idempotencyKey: string, click?: CalledClick): Promise<unknown>
  /** Asks the store how the try under an idempotency key ended, for at most some milliseconds; throws what the store throws. */
  reconcile(idempotencyKey: string, timeoutMs: number): Promise<Reconciled>
  /** Called when the ledger could not keep an outcome: the click itself has run, so its answer is sent. */
  onLedgerError(error: unknown): void
}

/** How a guarded mutation succeeded. */
export interface Guarded {
  /** Whether it is the replay of another call, so that the store did not see it. */
  readonly replayed: boolean
  /** Whether the caller named it by an `Idempotency-Key`. */
  readonly named: boolean
}

/** Runs a mutation unless it ran already; throws what the store throws, or StoreError when it may not run now. */
export type Guard = (mutation: Mutation) => Promise<Guarded>
