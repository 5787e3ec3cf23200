import { sha256 } from '../pipeline/sha256.ts'
import type { Mutation } from './guard.ts'
import type { Click } from './click.ts'

/** How long clicks of an integration may take and are remembered, in milliseconds. */
export interface ClickTimes {
  /** How long a lost process may keep the click. */
  readonly leaseMs: number
  /** How long a success of a click without a key is remembered; 0 when a repeat is a click of its own. */
  readonly windowMs: number
  /** The longest window of all endpoints. */
  readonly longestWindowMs: number
}

/** How long an `Idempotency-Key`, and an outcome that nobody knows, are remembered, in milliseconds (RETRY-5). */
const dayMs = 24 * 60 * 60_000
/** How long a success is remembered whose caller got no answer, in milliseconds. */
export const lateMs = 10 * 60_000

/**
 * Two calls are the same click when they ask the same thing of the same customer, or carry the same `Idempotency-Key`
 * (RETRY-1, RETRY-5).
 *
 * A promise only where the runtime hashes asynchronously: a wait costs a click time, too.
 */
export function clickOf(mutation: Mutation, key: string | undefined, times: ClickTimes): Click | Promise<Click> {
  const { name, input } = mutation
  const { windowMs, leaseMs, longestWindowMs } = times
  const arrivedAt = performance.now()
  const scope = scopeOf(mutation)
  const email = 'email' in input && typeof input.email === 'string' ? input.email.toLowerCase() : ''
  const click = (fingerprint: string, customer: string, id: string): Click => ({
    id,
    customer,
    fingerprint,
    named: key !== undefined,
    idempotencyKey: crypto.randomUUID(),
    arrivedAt,
    leaseMs,
    doneMs: key === undefined ? windowMs : dayMs,
    unknownMs: dayMs,
    keptMs: Math.max(longestWindowMs, lateMs),
  })
  const fingerprint = sha256(JSON.stringify([scope, name, { ...input, email }]))
  const customer = sha256(JSON.stringify([scope, email]))
  // Without a window every call is a click of its own, which still comes between two others.
  const ownId = windowMs === 0 ? crypto.randomUUID() : fingerprint
  const id = key === undefined ? ownId : idOfNamed(mutation, key)
  if (typeof fingerprint === 'string' && typeof customer === 'string' && typeof id === 'string')
    return click(fingerprint, customer, id)
  return Promise.all([fingerprint, customer, id]).then((digests) => click(...digests))
}

/** The digest of an `Idempotency-Key`, which counts for one API key and one endpoint. */
export function idOfNamed(mutation: Mutation, key: string): string | Promise<string> {
  return sha256(JSON.stringify([scopeOf(mutation), mutation.name, mutation.apiKey, key]))
}

function scopeOf({ testMode }: Mutation): 'test' | 'live' {
  return testMode ? 'test' : 'live'
}
