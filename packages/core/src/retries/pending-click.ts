import { StoreError } from '../contract/errors.ts'
import type { HeldClick } from './attempt.ts'
import type { ClaimRequest, Change, Click, Held, Ledger, Outcome, StoredClicks } from './ledger.ts'
import { claimClick, enterOrder, settleClick } from './protocol.ts'

/** The documents of a click: the customer's document and the named document. */
export interface ClickDocuments {
  readonly customer?: StoredClicks | undefined
  readonly named?: StoredClicks | undefined
}

/** A document to store in the transaction of the change. */
export interface DocumentWrite {
  readonly key: string
  readonly document: StoredClicks
  /** How long the document must be stored, in milliseconds. */
  readonly ttlMs: number
}

/**
 * Instructions for a transaction. For `run`, the transaction makes the change and stores the documents. For `ran` and
 * `replayed`, the transaction makes no change.
 */
export interface ClickPlan {
  readonly state: 'run' | 'ran' | 'replayed'
  readonly writes: readonly DocumentWrite[]
}

/** A claim that was committed in a ledger before the transaction. */
interface ClaimedOutside extends HeldClick {
  settle(outcome: Outcome): void | Promise<void>
}

/** Options of a `PendingClick`. */
export interface PendingClickOptions {
  readonly click: Click
  readonly request: ClaimRequest
  readonly commitBy: number
  /** Returns the time since the request arrived, in milliseconds. */
  waitedMs(): number
  /** Claims the click in a ledger that commits separately. */
  claim?(ledger: Ledger): Promise<ClaimedOutside | undefined>
}

/** A click that a store method stores in the same transaction as its change. */
export class PendingClick {
  /** Key of the customer's document. The transaction locks it first. */
  readonly customer: string
  /** Key of the named document, for a click with an `Idempotency-Key`. The transaction locks it second. */
  readonly named: string | undefined
  /** Latest time to start a commit, in milliseconds of `performance.now()`. A later commit may end after the response. */
  readonly commitBy: number
  /** Whether the method made no change because the click had already succeeded. */
  isReplayed = false
  /** Claims of the transaction; `undefined` until `plan` or `claimOutside` has run. */
  held: HeldClick | undefined
  /** Claim outside the transaction; `undefined` until `claimOutside` has run. */
  outside: ClaimedOutside | undefined
  /** Ledger to which the transaction writes the click. */
  ledger: Ledger | undefined
  /** Outcome that is stored for the claim outside the transaction if the transaction is not committed. */
  failsAs: 'released' | 'rejected' | 'unknown' = 'released'
  /** Called with the `idempotencyKey` of the click after each claim. */
  onKeyChange: ((idempotencyKey: string) => void) | undefined
  readonly #options: PendingClickOptions
  #writesAt: (now: number) => readonly DocumentWrite[] = () => []

  constructor(options: PendingClickOptions) {
    this.#options = options
    this.customer = options.click.customer
    this.named = options.click.name
    this.commitBy = options.commitBy
  }

  /** The `context.idempotencyKey`, which all attempts in the ledger share. */
  get idempotencyKey(): string {
    const { click, request } = this.#options
    return this.held?.gate.key ?? click.derivedKey ?? request.attempt
  }

  /**
   * Claims the click in a ledger that commits separately. Returns `undefined` for a replay. Throws the same errors as
   * `plan`.
   */
  async claimOutside(ledger: Ledger): Promise<ClaimedOutside | undefined> {
    const { claim } = this.#options
    if (claim === undefined) throw new TypeError('outside: requires a click from createIntegration.')
    // A transaction that runs again reuses the first claim.
    this.held = this.outside ??= await claim(ledger)
    this.isReplayed = this.outside === undefined
    this.onKeyChange?.(this.idempotencyKey)
    return this.outside
  }

  /**
   * Checks the click in the locked documents and records its success, so that the change and the success are committed together
   * (decision 35). Throws StoreError `store_unavailable`, `request_in_progress` or `idempotency_key_reused`.
   */
  plan({ customer, named }: ClickDocuments, now: number): ClickPlan {
    const { outside } = this
    const { request, waitedMs } = this.#options
    const gateKey = this.named ?? this.customer
    const stored = this.named === undefined ? customer : named
    const attempt = outside?.gate.attempt ?? request.attempt
    const claimed = claimClick(stored, { ...request, attempt, waitedMs: waitedMs() }, now)
    const { result: claim } = claimed
    if (claim.state === 'ran' || claim.state === 'replayed') {
      this.isReplayed = claim.state === 'replayed'
      return { state: claim.state, writes: writeOf(gateKey, claimed) }
    }
    // Rejects the click if another attempt has taken over.
    // Runs the click if the ledger has lost its data, in which case `stored` is undefined.
    const isOwn = claim.state === 'claimed' && claim.held.began === outside?.gate.began
    if (outside !== undefined && stored !== undefined && !isOwn) throw new StoreError('store_unavailable')
    if (claim.state === 'stopped') throw claim.error
    const running = this.named === undefined ? 'store_unavailable' : 'request_in_progress'
    if (claim.state !== 'claimed') throw new StoreError(running, undefined, { retryAfter: 5, outcome: 'unknown' })
    const held = outside ?? { gate: claim.held, order: undefined }
    this.#writesAt = (at) => {
      const settled = settleClick((outside ? undefined : claimed.document) ?? stored, held.gate, 'succeeded', at)
      return [...this.#enterOrder(customer, held, at), ...writeOf(gateKey, settled)]
    }
    const writes = this.#writesAt(now)
    this.isReplayed = false
    this.held = held
    this.onKeyChange?.(this.idempotencyKey)
    return { state: 'run', writes }
  }

  /** Returns the documents of the last `plan` with a later time of the success, for a change that takes long. */
  writesAt(now: number): readonly DocumentWrite[] {
    return this.#writesAt(now)
  }

  /** Adds a named click to the sequence of the customer's changes (decision 24). */
  #enterOrder(customer: StoredClicks | undefined, { gate, order }: HeldClick, now: number): readonly DocumentWrite[] {
    if (this.named === undefined) return []
    const entered: Change<Held | StoreError> = order ? { result: order } : enterOrder(customer, gate, false, now)
    if (entered.result instanceof StoreError) throw entered.result
    return writeOf(this.customer, settleClick(entered.document ?? customer, entered.result, 'succeeded', now, true))
  }
}

function writeOf(key: string, { document, ttlMs = 0 }: Change<unknown>): readonly DocumentWrite[] {
  return document === undefined ? [] : [{ key, document, ttlMs }]
}
