import { StoreError } from '../errors.ts'
import type { Asked, Change, Claim, Click, Held, Ledger, Outcome, StoredClicks } from './ledger.ts'
import { claimClick, enterOrder, settleClick } from './protocol.ts'

/** The documents of a click: the customer's, and that of its name. */
export interface ClickDocuments<Content = StoredClicks | undefined> {
  readonly customer?: Content | undefined
  readonly named?: Content | undefined
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

/** What the guard adds to a click that a method keeps. */
export interface PendingClickOptions {
  readonly click: Click
  readonly asked: Asked
  /** Until when a commit may begin, in milliseconds on the clock of `performance.now()`. */
  readonly commitBy: number
  /** How long ago the request arrived, in milliseconds. */
  waitedMs(): number
  /** Claims the click in a ledger of its own commits, as for a method that keeps no clicks. */
  claim?(ledger: Ledger): Promise<ClaimedOutside | undefined>
}

/** An attempt that was claimed in a ledger before the transaction. */
export interface ClaimedOutside {
  /** What is held in the document of the name or, without one, of the customer. */
  readonly gate: Held
  /** What a named click holds in the customer's document. */
  readonly order: Held | undefined
  settle(outcome: Outcome): void | Promise<void>
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
  held: Omit<ClaimedOutside, 'settle'> | undefined
  /** The attempt, if it was claimed outside the transaction. */
  outside: ClaimedOutside | undefined
  /** The ledger whose rows the transaction wrote, where it is one. */
  ledger: Ledger | undefined
  /** How an attempt that was claimed outside ends if the transaction is not committed. */
  failsAs: 'released' | 'rejected' | 'unknown' = 'released'
  readonly #options: PendingClickOptions

  constructor(options: PendingClickOptions) {
    this.#options = options
    const { click, commitBy } = options
    this.customer = click.customer
    this.named = click.name
    this.commitBy = commitBy
  }

  /** The platform key, the same for all attempts that are remembered. */
  get idempotencyKey(): string {
    const { click, asked } = this.#options
    return this.held?.gate.key ?? click.derivedKey ?? asked.attempt
  }

  /**
   * Judges the click by the documents that the transaction has locked, at a time of the storage's clock in milliseconds. Throws
   * StoreError `store_unavailable`, `request_in_progress` or `idempotency_key_reused` if it may not run now.
   */
  keep(documents: ClickDocuments, now: number): KeptClick {
    const { asked, waitedMs } = this.#options
    const { claim, changes } = keepClick(documents, { ...asked, waitedMs: waitedMs() }, now)
    const writes = this.#writes(changes)
    if (claim.state === 'claimed') {
      this.isReplayed = false
      this.held = { gate: claim.held, order: undefined }
      return { state: 'run', writes }
    }
    if (claim.state === 'stopped') throw claim.error
    if (claim.state === 'running' && this.named !== undefined)
      throw new StoreError('request_in_progress', undefined, { retryAfter: 5 })
    if (claim.state === 'running' || claim.state === 'reconcile')
      throw new StoreError('store_unavailable', undefined, { retryAfter: 5 })
    this.isReplayed = claim.state === 'replayed'
    return { state: claim.state, writes }
  }

  /** Claims the click in a ledger whose commits are its own; returns `undefined` for a replay. Throws what `keep` throws. */
  async claimOutside(ledger: Ledger): Promise<ClaimedOutside | undefined> {
    const { claim } = this.#options
    if (claim === undefined) throw new TypeError('outside: needs a click of createIntegration.')
    // A transaction that runs again has its attempt.
    this.outside ??= await claim(ledger)
    this.isReplayed = this.outside === undefined
    this.held = this.outside
    return this.outside
  }

  /** As `keep`, for an attempt that was claimed outside: rejects it if another one has taken the click over. */
  keepOutside({ gate, order }: ClaimedOutside, documents: ClickDocuments, now: number): KeptClick {
    const { customer, named } = documents
    const { asked, waitedMs } = this.#options
    const stored = this.named === undefined ? customer : named
    const claim = claimClick(stored, { ...asked, attempt: gate.attempt, waitedMs: waitedMs() }, now)
    const { result: own } = claim
    if (own.state === 'ran' || own.state === 'replayed') {
      this.isReplayed = own.state === 'replayed'
      return {
        state: own.state,
        writes: this.#writes(this.named === undefined ? { customer: claim } : { named: claim }),
      }
    }
    // A ledger that was emptied meanwhile knows no attempt.
    if (stored !== undefined && (own.state !== 'claimed' || own.held.began !== gate.began))
      throw new StoreError('store_unavailable')
    const settled = settleClick(stored, gate, 'succeeded', now)
    const ordered = order && settleClick(customer, order, 'succeeded', now, true)
    return {
      state: 'run',
      writes: this.#writes(ordered ? { customer: ordered, named: settled } : { customer: settled }),
    }
  }

  #writes({ customer, named }: ClickDocuments<Change<unknown>>): readonly DocumentWrite[] {
    const write = (key: string, change: Change<unknown> | undefined): readonly DocumentWrite[] =>
      change?.document === undefined ? [] : [{ key, document: change.document, keepMs: change.keepMs ?? 0 }]
    return [...write(this.customer, customer), ...(this.named === undefined ? [] : write(this.named, named))]
  }
}

/**
 * Judges a click and records its success, for a store that owns the transaction of the change: both are committed or neither
 * (decision 35). If the claim is `claimed`, the work runs and the documents are stored with it.
 */
function keepClick(
  documents: ClickDocuments,
  asked: Asked,
  now: number,
): { readonly claim: Claim; readonly changes: ClickDocuments<Change<unknown>> } {
  const isNamed = asked.click.name !== undefined
  const gate = isNamed ? documents.named : documents.customer
  const claimed = claimClick(gate, asked, now)
  const { result: claim } = claimed
  if (claim.state !== 'claimed') return { claim, changes: isNamed ? { named: claimed } : { customer: claimed } }
  const settled = settleClick(claimed.document ?? gate, claim.held, 'succeeded', now)
  if (!isNamed) return { claim, changes: { customer: settled } }
  const entered = enterOrder(documents.customer, claim.held, false, now)
  if (entered.result instanceof StoreError) return { claim: { state: 'stopped', error: entered.result }, changes: {} }
  return {
    claim,
    changes: {
      customer: settleClick(entered.document ?? documents.customer, entered.result, 'succeeded', now, true),
      named: settled,
    },
  }
}
