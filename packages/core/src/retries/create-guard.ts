import type { Call } from '../pipeline/call.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { endpoints } from '../endpoints/index.ts'
import { errorRow, isStoreError, StoreError } from '../errors.ts'
import { readIdempotencyKey } from './read-idempotency-key.ts'
import { checkedNumber } from '../pipeline/check-options.ts'
import { memoryLedger } from './memory-ledger.ts'
import type { Click, Ledger, Outcome } from './ledger.ts'
import { sha256 } from '../pipeline/sha256.ts'
import type { EndpointName, StorePort } from '../store-port.ts'

/** How an integration makes a click count once. */
export interface RetryOptions {
  /** Where clicks are remembered; default: in memory, for one process. */
  readonly ledger?: Ledger | undefined
  /** For how long a repeat of a success is answered without running it, in milliseconds by endpoint; default 10,000, sendNow 600,000; 0 turns it off. */
  readonly windows?: Partial<Readonly<Record<EndpointName, number>>> | undefined
}

/** A mutating call, before it runs. */
export interface Mutation {
  readonly call: Call
  readonly name: EndpointName
  readonly input: object
  readonly testMode: boolean
  /** The API key that was sent: the scope of an `Idempotency-Key`. */
  readonly apiKey: string
  readonly store: StorePort
}

/** Runs a store method once, under an idempotency key. */
export type Attempt = (idempotencyKey: string) => Promise<unknown>

/** How a guarded mutation succeeded. */
export interface Guarded {
  /** Whether it is the echo of another call, so that the store did not see it. */
  readonly replayed: boolean
  /** Whether the caller named it by an `Idempotency-Key`. */
  readonly named: boolean
}

/** Runs a mutation unless it ran already; throws what the attempt throws, or StoreError when it may not run now. */
export type Guard = (mutation: Mutation, attempt: Attempt, onLedgerError: OnLedgerError) => Promise<Guarded>

/** Told when the ledger could not keep an outcome: the click itself has run, so its answer stands. */
type OnLedgerError = (error: unknown) => void

/** How long an `Idempotency-Key` is remembered, in milliseconds. */
const namedMs = 24 * 60 * 60_000
/** How long an unknown outcome is remembered for a store that can be asked again, in milliseconds. */
const unknownMs = 10 * 60_000
/** How long a lost process may keep a click beyond the time of a call, in milliseconds. */
const leaseMarginMs = 5000

/** Makes the guard that lets a click count once, over retries, double clicks and several processes. */
export function createGuard(options: RetryOptions, timeoutMs: number): Guard {
  const { ledger = memoryLedger(), windows = {} } = options
  for (const [name, window] of Object.entries(windows))
    checkedNumber(`retries.windows.${name}`, window, 24 * 60 * 60_000, 0)
  const inFlight = new Map<string, Promise<Guarded>>()
  const leaseMs = timeoutMs + leaseMarginMs

  return async (mutation, attempt, onLedgerError) => {
    const key = readIdempotencyKey(mutation.call)
    const window = windows[mutation.name] ?? (mutation.name === 'sendNow' ? 600_000 : 10_000)
    if (key === undefined && window === 0) {
      await attempt(crypto.randomUUID())
      return { replayed: false, named: false }
    }
    const made = clickOf(mutation, key, window, leaseMs)
    const click = made instanceof Promise ? await made : made
    const first = click.named ? undefined : inFlight.get(click.id)
    if (first !== undefined) return { ...(await first), replayed: true }
    const own = runOnce(click, retriesUnknown(mutation), attempt, onLedgerError)
    if (!click.named) inFlight.set(click.id, own)
    return own
  }

  async function runOnce(
    click: Click,
    retryUnknown: boolean,
    attempt: Attempt,
    onLedgerError: OnLedgerError,
  ): Promise<Guarded> {
    const settle = (outcome: Outcome) => ledger.settle(click, outcome).catch(onLedgerError)
    try {
      const idempotencyKey = await claimed(click, retryUnknown)
      if (idempotencyKey === undefined) return { replayed: true, named: click.named }
      try {
        await attempt(idempotencyKey)
      } catch (error) {
        await settle(isRefusal(error, idempotencyKey === click.idempotencyKey) ? 'refused' : 'unknown')
        throw error
      }
      await settle('done')
      return { replayed: false, named: click.named }
    } finally {
      inFlight.delete(click.id)
    }
  }

  /** The idempotency key to run a click under, or `undefined` when it is done; throws StoreError when it may not run now. */
  async function claimed(click: Click, retryUnknown: boolean): Promise<string | undefined> {
    for (let waited = 0, pause = 10; ; waited += pause, pause = Math.min(pause * 2, 500)) {
      const claim = await ledger.claim(click, retryUnknown)
      if (claim.state === 'claimed') return claim.idempotencyKey
      if (claim.fingerprint !== click.fingerprint) throw new StoreError('idempotency_key_reused')
      if (claim.state === 'done') return undefined
      if (claim.state === 'unknown') {
        const message = 'How the last try of this call ended is not known: repeat it later.'
        throw new StoreError('store_unavailable', message, { retryAfter: claim.forgottenInMs / 1000 })
      }
      // Another process runs it: a repeat waits for that one's outcome, as it would in one process.
      if (click.named || waited > leaseMs) throw new StoreError('request_in_progress')
      await new Promise((resume) => setTimeout(resume, pause))
    }
  }
}

/** The key of a call that nothing guards: its store still learns which calls the caller says are the same. */
export function unguardedKey(mutation: Mutation): string | Promise<string> {
  const key = readIdempotencyKey(mutation.call)
  return key === undefined ? crypto.randomUUID() : idOfNamed(mutation, key)
}

/**
 * Two calls are the same click when they ask the same thing of the same customer, or carry the same `Idempotency-Key`.
 *
 * A promise only where the runtime hashes asynchronously: a wait costs a click time, too.
 */
function clickOf(mutation: Mutation, key: string | undefined, window: number, leaseMs: number): Click | Promise<Click> {
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
    doneMs: key === undefined ? window : namedMs,
    unknownMs: store.honoursIdempotencyKey === true ? unknownKeptMs(key, window) : window,
  })
  const fingerprint = sha256(JSON.stringify([scope, name, { ...input, email }]))
  const customer = sha256(JSON.stringify([scope, email]))
  const id = key === undefined ? fingerprint : idOfNamed(mutation, key)
  if (typeof fingerprint === 'string' && typeof customer === 'string' && typeof id === 'string')
    return click(fingerprint, customer, id)
  return Promise.all([fingerprint, customer, id]).then((digests) => click(...digests))
}

function unknownKeptMs(key: string | undefined, window: number): number {
  return key === undefined ? Math.max(window, unknownMs) : namedMs
}

/** An `Idempotency-Key` counts for one API key and one endpoint. */
function idOfNamed(mutation: Mutation, key: string): string | Promise<string> {
  return sha256(JSON.stringify([scopeOf(mutation), mutation.name, mutation.apiKey, key]))
}

function scopeOf({ testMode }: Mutation): 'test' | 'live' {
  return testMode ? 'test' : 'live'
}

function retriesUnknown({ name, store }: Mutation): boolean {
  const row: Endpoint = endpoints[name]
  return store.honoursIdempotencyKey === true || row.onceOnly !== true
}

/**
 * Whether a store said no, so that nothing has changed; 502, 504 and the like leave open what happened behind it.
 *
 * That it cannot answer, or that somebody else is still at it, says nothing about an earlier try.
 */
function isRefusal(error: unknown, isFirstTry: boolean): boolean {
  if (!isStoreError(error) || error.code === 'request_in_progress') return false
  return error.code === 'store_unavailable' ? isFirstTry : errorRow(error.code).status < 500
}
