import { sha256 } from '../pipeline/sha256.ts'
import type { Mutation } from './guard.ts'
import { localNames } from './local-names.ts'
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
 * A local ledger is given cheaper names. A promise only where the runtime hashes asynchronously: a wait costs a click
 * time, too.
 */
export function clickOf(
  mutation: Mutation,
  key: string | undefined,
  { windowMs, leaseMs, longestWindowMs }: ClickTimes,
  isLocal: boolean,
): Click | Promise<Click> {
  const arrivedAt = performance.now()
  const { customer, fingerprint } = isLocal ? namesInProcess(mutation) : sharedNames(mutation)
  // Without a window every call is a click of its own, which still comes between two others.
  const ownId = windowMs === 0 ? crypto.randomUUID() : fingerprint
  const id = key === undefined ? ownId : idOfNamed(mutation, key)
  const click = (idName: string, customerName: string, fingerprintName: string): Click => ({
    id: idName,
    customer: customerName,
    fingerprint: fingerprintName,
    named: key !== undefined,
    idempotencyKey: crypto.randomUUID(),
    arrivedAt,
    leaseMs,
    doneMs: key === undefined ? windowMs : dayMs,
    unknownMs: dayMs,
    keptMs: Math.max(longestWindowMs, lateMs),
  })
  if (typeof id === 'string' && typeof customer === 'string' && typeof fingerprint === 'string')
    return click(id, customer, fingerprint)
  return Promise.all([id, customer, fingerprint]).then((names) => click(...names))
}

/** The digest of an `Idempotency-Key`, which counts for one API key and one endpoint. */
export function idOfNamed(mutation: Mutation, key: string): string | Promise<string> {
  return sha256(JSON.stringify([scopeOf(mutation), mutation.name, mutation.apiKey, key]))
}

/** What names a customer, and what the customer asked for. */
interface Names {
  readonly customer: string | Promise<string>
  readonly fingerprint: string | Promise<string>
}

/** Digests: of what others may read nothing is to be learnt. */
function sharedNames(mutation: Mutation): Names {
  const scope = scopeOf(mutation)
  const email = emailOf(mutation)
  return {
    customer: sha256(JSON.stringify([scope, email])),
    fingerprint: sha256(JSON.stringify([scope, mutation.name, { ...mutation.input, email }])),
  }
}

/** What nobody outside this process can read anything from, either. */
function namesInProcess(mutation: Mutation): Names {
  return localNames(scopeOf(mutation), emailOf(mutation), mutation.name, mutation.input)
}

function emailOf({ input }: Mutation): string {
  return 'email' in input && typeof input.email === 'string' ? input.email.toLowerCase() : ''
}

function scopeOf({ testMode }: Mutation): 'test' | 'live' {
  return testMode ? 'test' : 'live'
}
