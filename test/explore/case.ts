import type { StoreKind } from './shop.ts'
import type { Fault } from './world.ts'

const secondMs = 1000
export const hourMs = 60 * 60 * secondMs
export const dayMs = 24 * hourMs
export const timeoutMs = 100
export const leaseMs = timeoutMs + 5 * secondMs
export const windowsMs = {
  addProduct: 10 * secondMs,
  undoAddProduct: 10 * secondMs,
  delaySubscription: 10 * secondMs,
  sendNow: 600 * secondMs,
} as const

/** A request of a case. */
export interface Plan {
  readonly name: string
  readonly endpoint: keyof typeof windowsMs
  readonly product?: string
  readonly customer?: string
  readonly key?: string
  /** Where it arrives; a process that has crashed is replaced. */
  readonly process?: string
  /** Requests that have got their responses, or were lost, before it arrives. */
  readonly after?: readonly string[]
}

/** A small case, of which every schedule is explored. */
export interface Case {
  readonly name: string
  readonly store: StoreKind
  readonly requests: readonly Plan[]
  readonly faults: readonly Fault[]
  /** Maximum faults of one schedule; default 1. */
  readonly most?: 1 | 2
  /** Maximum rejections of the store. */
  readonly rejections?: number
  /** Which ends of a time a request may arrive around; default the lease and the window. */
  readonly times?: readonly ('lease' | 'window' | 'late' | 'day')[]
  readonly windowMs?: number
  /** Whether the ledger may have forgotten clicks from the start. */
  readonly isYoung?: boolean
}
