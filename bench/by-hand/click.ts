import { hash } from 'node:crypto'
import type { AddInput } from './read-input.ts'

/** How long a repeat of a success counts as the same click, how long it is known, and how long a call may take, in milliseconds. */
export const clickTimes = { windowMs: 10_000, keptMs: 600_000, leaseMs: 15_000 } as const

/** A click without an `Idempotency-Key`. */
export interface ClickByHand {
  /** Digest of endpoint and input. */
  readonly id: string
  /** Digest of the customer. */
  readonly customer: string
  /** Names this try. */
  readonly tryKey: string
  /** When the call came, on the clock of `performance.now()`. */
  readonly arrivedAt: number
}

/** The click of an add: the same digests as StorePort's, so that the tables can be compared. */
export function clickOfAdd(input: AddInput): ClickByHand {
  const arrivedAt = performance.now()
  const email = input.email.toLowerCase()
  return {
    id: hash('sha256', JSON.stringify(['live', 'addProduct', { ...input, email }])),
    customer: hash('sha256', JSON.stringify(['live', email])),
    tryKey: crypto.randomUUID(),
    arrivedAt,
  }
}
