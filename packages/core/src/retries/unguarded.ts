import { idOfNamed } from './click-of.ts'
import type { Guard } from './guard.ts'
import { readIdempotencyKey } from './read-idempotency-key.ts'

/** The guard of `retries: false`: every call runs, and the store still learns which calls the caller says are the same. */
export const unguarded: Guard = async (mutation) => {
  const key = readIdempotencyKey(mutation.call)
  const id = key === undefined ? crypto.randomUUID() : idOfNamed(mutation, key)
  await mutation.run(typeof id === 'string' ? id : await id)
  return { replayed: false, named: false }
}
