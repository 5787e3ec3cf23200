import type { Click } from '../contract/click.ts'
import { StoreError } from '../contract/errors.ts'
import type { ClickDocument, Decision, Ledger } from '../contract/ledger.ts'
import type { Call } from '../http/call.ts'
import type { Attempt, Claim, ClickNames } from './attempt.ts'
import { claim, settle } from './protocol.ts'

/** Identity of a click in the documents of a ledger. */
export interface ClickKeys extends ClickNames {
  /** Key of the customer's document. */
  readonly customer: string
  /** The `context.idempotencyKey` of a named click. It survives the loss of a ledger. Empty for an unnamed click. */
  readonly derivedKey: string
  readonly windowMs: number
}

/** Times of a guard, in milliseconds. */
export interface AttemptTimes extends Pick<Attempt, 'leaseMs' | 'retainMs'> {
  /** Time from the arrival until the last start of a commit. */
  readonly commitMs: number
  now(): number
  newId(): string
}

/** What a store promises about the attempts of a method. */
export interface AttemptPromises extends Pick<Attempt, 'canReconcile' | 'repeatableMs'> {
  /** Whether the method claims the click in its transaction, instead of the guard. */
  readonly isMarked: boolean
}

/** One attempt of a click, which the guard or a transaction claims and settles. */
export class PendingClick implements Click, Attempt {
  readonly customer: string
  readonly name: string
  readonly body: string
  readonly windowMs: number
  readonly canReconcile: boolean
  readonly repeatableMs: number
  readonly isMarked: boolean
  readonly arrivedAt: number
  id: string
  key: string
  /** Whether the guard has claimed the click, so that a transaction continues that claim. */
  isClaimed = false
  ledger: Ledger | undefined
  /** Whether the transaction made no change because the click had already succeeded. */
  isReplayed = false
  /** Why the transaction could not claim the click. */
  refused: Claim['state'] | undefined
  /** Whether the transaction has stored the success. */
  isStored = false
  /** Whether the time limit of the request is over. */
  isLate = false
  /** Called with the `idempotencyKey` after a claim in a transaction. */
  onKeyChange: ((idempotencyKey: string) => void) | undefined
  #stored: ClickDocument | undefined

  constructor(
    readonly keys: ClickKeys,
    { canReconcile, repeatableMs, isMarked }: AttemptPromises = unguarded,
    readonly times: AttemptTimes = unguarded,
    readonly call?: Call,
  ) {
    this.customer = keys.customer
    this.name = keys.name
    this.body = keys.body
    this.windowMs = keys.windowMs
    this.canReconcile = canReconcile
    this.repeatableMs = repeatableMs
    this.isMarked = isMarked
    this.arrivedAt = times.now()
    this.id = times.newId()
    this.key = keys.derivedKey
  }

  get idempotencyKey(): string {
    return this.key || this.id
  }
  get waitedMs(): number {
    return this.times.now() - this.arrivedAt
  }
  get leaseMs(): number {
    return this.times.leaseMs
  }
  get retainMs(): number {
    return this.times.retainMs
  }
  get commitBy(): number {
    return this.arrivedAt + this.times.commitMs
  }
  /** Whether the caller can no longer receive a response. */
  get isUnheard(): boolean {
    return this.isLate || (this.call !== undefined && hasDisconnected(this.call))
  }

  /** Begins a new attempt, because another attempt has taken over the claim. */
  restart(): void {
    this.id = this.times.newId()
    this.key = this.keys.derivedKey
    this.isClaimed = false
  }

  claim(stored: ClickDocument | undefined, now: number): Decision<'run' | 'ran' | 'replayed'> {
    const { result: found, document, until } = claim(stored, this, now)
    this.isReplayed = found.state === 'replayed'
    this.refused = undefined
    this.isStored = found.state === 'ran'
    if (found.state === 'ran' || found.state === 'replayed') return { result: found.state, document, until }
    if (found.state !== 'claimed' && found.state !== 'reconcile') {
      this.refused = found.state
      throw refusalOf(found.state, this)
    }
    this.key = found.key
    this.onKeyChange?.(found.key)
    this.#stored = document ?? stored
    return { result: 'run' }
  }

  succeed(now: number): Decision<undefined> {
    this.isStored = true
    return settle(this.#stored, this, this.isUnheard ? 'unreported' : 'succeeded', now)
  }
}

/** For a call that no guard has admitted. */
const unguarded: AttemptTimes & AttemptPromises = {
  canReconcile: false,
  repeatableMs: Infinity,
  isMarked: true,
  leaseMs: 0,
  retainMs: 0,
  commitMs: Infinity,
  now: () => 0,
  newId: () => crypto.randomUUID(),
}

/**
 * Whether the caller has disconnected. If the adapter has no `hasDisconnected`, uses `onAbort`, which calls its
 * listener immediately after a disconnect.
 */
function hasDisconnected(call: Call): boolean {
  if (call.hasDisconnected !== undefined) return call.hasDisconnected()
  let left = false
  const stopListening = call.onAbort?.(() => {
    left = true
  })
  stopListening?.()
  return left
}

const messages = {
  running: 'The same request is still running. Retry after the time in Retry-After.',
  busy: 'Another change by this customer is not complete. Retry after the time in Retry-After.',
  undecided: 'The outcome of another change by this customer is unknown. Retry after the time in Retry-After.',
  unknown: 'The outcome of an earlier attempt is unknown. Retry after the time in Retry-After.',
  full: 'Too many changes by this customer are stored. Retry after the time in Retry-After.',
  lost: 'The ledger no longer contains the claim of this attempt. The guard and `once` must use the same table.',
} as const

/** Creates the error for an attempt that cannot run. The outcome is unknown if an earlier attempt may take effect. */
export function refusalOf(
  state: Exclude<Claim['state'], 'claimed' | 'reconcile' | 'ran' | 'replayed'>,
  { name }: ClickNames,
): StoreError {
  if (state === 'reused') return new StoreError('idempotency_key_reused')
  if (state === 'running' && name !== '') return new StoreError('request_in_progress', undefined, { retryAfter: 5 })
  const isShort = state === 'running' || state === 'busy'
  const outcome = state === 'full' || state === 'busy' ? 'refused' : 'unknown'
  return new StoreError('store_unavailable', messages[state], { retryAfter: isShort ? 5 : 30, outcome })
}
