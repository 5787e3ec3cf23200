import { StoreError } from '../contract/errors.ts'
import type { HeldClick } from './attempt.ts'
import type { Asked, Change, Click, Held, Ledger, Outcome, StoredClicks } from './ledger.ts'
import { claimClick, enterOrder, settleClick } from './protocol.ts'

/** The documents of a click: the customer's, and that of its name. */
export interface ClickDocuments {
  readonly customer?: StoredClicks | undefined
  readonly named?: StoredClicks | undefined
}

/** A document to store in the transaction of the change. */
export interface DocumentWrite {
  readonly key: string
  readonly document: StoredClicks
  /** How long it must be stored, in milliseconds. */
  readonly keepMs: number
}

/** What a transaction does: `run` makes the change and stores the documents; `ran` and `replayed` make no change. */
export interface KeptClick {
  readonly state: 'run' | 'ran' | 'replayed'
  readonly writes: readonly DocumentWrite[]
}

/** An attempt that was claimed in a ledger before the transaction. */
interface ClaimedOutside extends HeldClick {
  settle(outcome: Outcome): void | Promise<void>
}

/** What the guard adds to a click that a method keeps. */
export interface PendingClickOptions {
  readonly click: Click
  readonly asked: Asked
  readonly commitBy: number
  /** How long ago the request arrived, in milliseconds. */
  waitedMs(): number
  /** Claims the click in a ledger of its own commits, as for a method that keeps no clicks. */
  claim?(ledger: Ledger): Promise<ClaimedOutside | undefined>
}

/** A click that a method of the store keeps itself, together with its change. */
export class PendingClick {
  /** The key of the customer's document: the transaction locks it first. */
  readonly customer: string
  /** The key of the document of the click's name, if it has one: locked second. */
  readonly named: string | undefined
  /** Until when a commit may begin, in milliseconds on the clock of `performance.now()`: a later one may end after the response. */
  readonly commitBy: number
  /** Whether the method made no change, since the click had succeeded before. */
  isReplayed = false
  /** What the transaction holds; `undefined` until it has judged the click. */
  held: HeldClick | undefined
  /** The attempt, if it was claimed outside the transaction. */
  outside: ClaimedOutside | undefined
  /** The ledger whose rows the transaction wrote, where it is one. */
  ledger: Ledger | undefined
  /** How an attempt that was claimed outside ends if the transaction is not committed. */
  failsAs: 'released' | 'rejected' | 'unknown' = 'released'
  readonly #options: PendingClickOptions

  constructor(options: PendingClickOptions) {
    this.#options = options
    this.customer = options.click.customer
    this.named = options.click.name
    this.commitBy = options.commitBy
  }

  /** The platform key, the same for all attempts that are remembered. */
  get idempotencyKey(): string {
    const { click, asked } = this.#options
    return this.held?.gate.key ?? click.derivedKey ?? asked.attempt
  }

  /** Claims the click in a ledger whose commits are its own; returns `undefined` for a replay. Throws what `keep` throws. */
  async claimOutside(ledger: Ledger): Promise<ClaimedOutside | undefined> {
    const { claim } = this.#options
    if (claim === undefined) throw new TypeError('outside: requires a click from createIntegration.')
    // A transaction that runs again has its attempt.
    this.held = this.outside ??= await claim(ledger)
    this.isReplayed = this.outside === undefined
    return this.outside
  }

  /**
   * Judges the click by the documents that the transaction has locked and records its success, so that both are committed or
   * neither (decision 35). Throws StoreError `store_unavailable`, `request_in_progress` or `idempotency_key_reused`.
   */
  keep({ customer, named }: ClickDocuments, now: number): KeptClick {
    const { outside } = this
    const { asked, waitedMs } = this.#options
    const gateKey = this.named ?? this.customer
    const stored = this.named === undefined ? customer : named
    const attempt = outside?.gate.attempt ?? asked.attempt
    const claimed = claimClick(stored, { ...asked, attempt, waitedMs: waitedMs() }, now)
    const { result: claim } = claimed
    if (claim.state === 'ran' || claim.state === 'replayed') {
      this.isReplayed = claim.state === 'replayed'
      return { state: claim.state, writes: writeOf(gateKey, claimed) }
    }
    // Another attempt has taken the click over. A ledger that was emptied meanwhile knows no attempt.
    const isOwn = claim.state === 'claimed' && claim.held.began === outside?.gate.began
    if (outside !== undefined && stored !== undefined && !isOwn) throw new StoreError('store_unavailable')
    if (claim.state === 'stopped') throw claim.error
    const running = this.named === undefined ? 'store_unavailable' : 'request_in_progress'
    if (claim.state !== 'claimed') throw new StoreError(running, undefined, { retryAfter: 5 })
    const held = outside ?? { gate: claim.held, order: undefined }
    const settled = settleClick((outside ? undefined : claimed.document) ?? stored, held.gate, 'succeeded', now)
    const writes = [...this.#enterOrder(customer, held, now), ...writeOf(gateKey, settled)]
    this.isReplayed = false
    this.held = held
    return { state: 'run', writes }
  }

  /** Gives a named click its place among the customer's changes (decision 24). */
  #enterOrder(customer: StoredClicks | undefined, { gate, order }: HeldClick, now: number): readonly DocumentWrite[] {
    if (this.named === undefined) return []
    const entered: Change<Held | StoreError> = order ? { result: order } : enterOrder(customer, gate, false, now)
    if (entered.result instanceof StoreError) throw entered.result
    return writeOf(this.customer, settleClick(entered.document ?? customer, entered.result, 'succeeded', now, true))
  }
}

function writeOf(key: string, { document, keepMs = 0 }: Change<unknown>): readonly DocumentWrite[] {
  return document === undefined ? [] : [{ key, document, keepMs }]
}
