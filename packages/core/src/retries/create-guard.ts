import { endpointRow } from '../endpoints/index.ts'
import { errorRow, isStoreError, StoreError } from '../errors.ts'
import { checkedNumber } from '../pipeline/check-options.ts'
import type { EndpointName } from '../store-port.ts'
import { clickOf } from './click-of.ts'
import type { Attempt, Guard, Guarded, Mutation, OnLedgerError } from './guard.ts'
import type { Click, Ledger, Outcome } from './ledger.ts'
import { memoryLedger } from './memory-ledger.ts'
import { readIdempotencyKey } from './read-idempotency-key.ts'

/** How an integration makes a click count once. */
export interface RetryOptions {
  /** Where clicks are remembered; default: in memory, for one process. */
  readonly ledger?: Ledger | undefined
  /** For how long a repeat of a success is answered without running it, in milliseconds by endpoint; default the `retryWindowMs` of its row; 0 turns it off. */
  readonly windows?: Partial<Readonly<Record<EndpointName, number>>> | undefined
}

/** How long a lost process may keep a click beyond the time of a call, in milliseconds. */
const leaseMarginMs = 5000

/** Makes the guard that lets a click count once, over retries, double clicks and several processes (RETRY-1 to RETRY-11). */
export function createGuard(options: RetryOptions, timeoutMs: number): Guard {
  const { ledger = memoryLedger(), windows = {} } = options
  for (const [name, window] of Object.entries(windows))
    checkedNumber(`retries.windows.${name}`, window, 24 * 60 * 60_000, 0)
  const inFlight = new Map<string, Promise<Guarded>>()
  const leaseMs = timeoutMs + leaseMarginMs

  return async (mutation, attempt, onLedgerError) => {
    const key = readIdempotencyKey(mutation.call)
    const windowMs = windows[mutation.name] ?? endpointRow(mutation.name).retryWindowMs ?? 0
    if (key === undefined && windowMs === 0) {
      await attempt(crypto.randomUUID())
      return { replayed: false, named: false }
    }
    const made = clickOf(mutation, key, { leaseMs, windowMs })
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
      const idempotencyKey = await claim(click, retryUnknown)
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

  /** Returns the idempotency key to run a click under, or `undefined` when it is done; throws StoreError when it may not run now. */
  async function claim(click: Click, retryUnknown: boolean): Promise<string | undefined> {
    for (let waited = 0, pause = 10; ; waited += pause, pause = Math.min(pause * 2, 500)) {
      const answer = await ledger.claim(click, retryUnknown)
      if (answer.state === 'claimed') return answer.idempotencyKey
      if (answer.fingerprint !== click.fingerprint) throw new StoreError('idempotency_key_reused')
      if (answer.state === 'done') return undefined
      if (answer.state === 'unknown') {
        const message = 'How the last try of this call ended is not known: repeat it later.'
        throw new StoreError('store_unavailable', message, { retryAfter: answer.forgottenInMs / 1000 })
      }
      // Another process runs it: a repeat waits for that one's outcome, as it would in one process.
      if (click.named || waited > leaseMs) throw new StoreError('request_in_progress')
      await new Promise((resume) => setTimeout(resume, pause))
    }
  }
}

function retriesUnknown({ name, store }: Mutation): boolean {
  return store.honoursIdempotencyKey === true || endpointRow(name).onceOnly !== true
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
