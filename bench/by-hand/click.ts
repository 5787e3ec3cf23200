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

/** The table of clicks by hand, with the type of an instant: a row for each click. */
export function clickTable(instant: string): string {
  return `
    create table if not exists clicks_by_hand (
      id text not null primary key,
      customer text,
      fingerprint text not null,
      named integer not null,
      state text not null,
      idempotency_key text not null,
      try_key text not null,
      ordinal ${instant} not null,
      first_try_at ${instant} not null,
      since ${instant} not null,
      until ${instant} not null,
      expires_at ${instant} not null
    );
    create index if not exists clicks_by_hand_of_customer on clicks_by_hand (customer, ordinal) where customer is not null;
    create index if not exists clicks_by_hand_by_expiry on clicks_by_hand (expires_at)`
}

/** The click of an add, with digests like StorePort's. */
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
