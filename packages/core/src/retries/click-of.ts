import { sha256 } from '../pipeline/sha256.ts'
import type { Mutation } from './guard.ts'
import type { Click } from './ledger.ts'

/** For how long a click is remembered and may run, in milliseconds. */
export interface ClickTimes {
  /** How long a lost process may keep the click. */
  readonly leaseMs: number
  /** How long a success of a click without a key is remembered. */
  readonly windowMs: number
}

/** How long an `Idempotency-Key` is remembered, in milliseconds (RETRY-5). */
const namedMs = 24 * 60 * 60_000
/** How long an unknown outcome is remembered for a store that can be asked again, in milliseconds. */
const unknownMs = 10 * 60_000

/**
 * Two calls are the same click when they ask the same thing of the same customer, or carry the same `Idempotency-Key`
 * (RETRY-1, RETRY-5).
 *
 * A promise only where the runtime hashes asynchronously: a wait costs a click time, too.
 */
export function clickOf(
  mutation: Mutation,
  key: string | undefined,
  { leaseMs, windowMs }: ClickTimes,
): Click | Promise<Click> {
  const { name, input, store } = mutation
  const scope = scopeOf(mutation)
  const email = 'email' in input && typeof input.email === 'string' ? input.email.toLowerCase() : ''
  const click = (fingerprint: string, customer: string, id: string): Click => ({
    id,
    customer,
    fingerprint,
    named: key !== undefined,
    idempotencyKey: crypto.randomUUID(),
    leaseMs,
    doneMs: key === undefined ? windowMs : namedMs,
    unknownMs: store.honoursIdempotencyKey === true ? unknownKeptMs(key, windowMs) : windowMs,
  })
  const fingerprint = sha256(JSON.stringify([scope, name, { ...input, email }]))
  const customer = sha256(JSON.stringify([scope, email]))
  const id = key === undefined ? fingerprint : idOfNamed(mutation, key)
  if (typeof fingerprint === 'string' && typeof customer === 'string' && typeof id === 'string')
    return click(fingerprint, customer, id)
  return Promise.all([fingerprint, customer, id]).then((digests) => click(...digests))
}

/** The digest of an `Idempotency-Key`, which counts for one API key and one endpoint. */
export function idOfNamed(mutation: Mutation, key: string): string | Promise<string> {
  return sha256(JSON.stringify([scopeOf(mutation), mutation.name, mutation.apiKey, key]))
}

function unknownKeptMs(key: string | undefined, windowMs: number): number {
  return key === undefined ? Math.max(windowMs, unknownMs) : namedMs
}

function scopeOf({ testMode }: Mutation): 'test' | 'live' {
  return testMode ? 'test' : 'live'
}
