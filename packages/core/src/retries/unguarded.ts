import { idOfNamed } from './click-of.ts'
import type { Guard, Guarded } from './guard.ts'
import { readIdempotencyKey } from './read-idempotency-key.ts'

/** The guard of `retries: false`: every call runs, and the store still learns which calls the caller says are the same. */
export const unguarded: Guard = (mutation) => {
  const key = readIdempotencyKey(mutation.call)
  const id = key === undefined ? crypto.randomUUID() : idOfNamed(mutation, key)
  return (typeof id === 'string' ? mutation.run(id) : id.then(mutation.run)).then(() => ran)
}

const ran: Guarded = { replayed: false, named: false }
