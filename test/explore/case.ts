import type { Edit } from './core.ts'
import type { Fault } from './world.ts'

const secondMs = 1000
export const hourMs = 60 * 60 * secondMs
export const dayMs = 24 * hourMs
export const timeoutMs = 100
export const leaseMs = timeoutMs + 5 * secondMs
/** Time for which an `honors for a time` platform stores a key, in milliseconds. */
export const honoredMs = 600 * secondMs
export const windowsMs = {
  addProduct: 10 * secondMs,
  undoAddProduct: 10 * secondMs,
  delaySubscription: 10 * secondMs,
  sendNow: 600 * secondMs,
} as const

/** Guarantees that a store makes about repeated changes. */
export type StoreKind =
  /** Guarantees nothing. */
  | 'plain'
  /** Ignores a repeated platform key. */
  | 'honors'
  /** Ignores a repeated platform key for `honoredMs`. */
  | 'honors for a time'
  /** Has `reconcile`. After `reconcile` returns `not_applied`, the change can never be applied. */
  | 'fences'
  /** Has `reconcile`. A pending attempt can still be applied after `reconcile` returns `not_applied`. */
  | 'does not fence'
  /** Has `reconcile`, which always returns `unknown`. */
  | 'unsure'
  /** Stores clicks in the transaction of the change. */
  | 'transactional'
  /** Like `transactional`, but first commits the attempt, because the work calls a platform that ignores repeated keys. */
  | 'outside'

export interface Plan {
  readonly name: string
  readonly endpoint: keyof typeof windowsMs
  readonly product?: string
  readonly customer?: string
  readonly key?: string
  readonly apiKey?: string
  /** Process that receives the request. If this process has crashed, a new process replaces it. */
  readonly process?: string
  /** Requests that must have ended before this request arrives. */
  readonly after?: readonly string[]
}

/** A small set of requests and faults. The explorer runs every schedule of a case. */
export interface Case {
  readonly name: string
  readonly store: StoreKind
  readonly requests: readonly Plan[]
  readonly faults: readonly Fault[]
  /** Maximum faults in one schedule. Default: 1. */
  readonly maxFaults?: 1 | 2
  readonly rejections?: number
  /**
   * Periods of the case. Requests can arrive just before, at or just after the end of each period. Default: lease and
   * window.
   */
  readonly times?: readonly ('lease' | 'window' | 'late' | 'day')[]
  readonly windowMs?: number
  /** Whether the ledger is less than a day old at the start. Such a ledger may have lost clicks. */
  readonly isYoung?: boolean
  /** Changes to the core that make a limit small enough for the explorer. */
  readonly edits?: readonly Edit[]
}
