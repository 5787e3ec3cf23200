import type { Click, ClickDocuments, ClickPlan, DocumentWrite } from '../contract/click.ts'
import { StoreError } from '../contract/errors.ts'
import type { HeldClick } from './attempt.ts'
import type { Change, Ledger, StoredClicks } from '../contract/ledger.ts'
import type { ClaimRequest, ClickKeys, Held, Outcome } from './ledger.ts'
import { claimClick, enterOrder, settleClick } from './protocol.ts'

/** A claim that was committed in a ledger before the transaction. */
interface ClaimedOutside extends HeldClick {
  settle(outcome: Outcome): void | Promise<void>
}

/** Options of a `PendingClick`. */
export interface PendingClickOptions {
  readonly click: ClickKeys
  readonly request: ClaimRequest
  readonly commitBy: number
  /** Returns the time since the request arrived, in milliseconds. */
  waitedMs(): number
  /** Claims the click in a ledger that commits separately. */
  claim?(ledger: Ledger): Promise<ClaimedOutside | undefined>
}

/** The click of a request that is being answered. */
export class PendingClick implements Click {
  readonly customer: string
  readonly named: string | undefined
  readonly commitBy: number
  /** Whether the method made no change because the click had already succeeded. */
  isReplayed = false
  /** Claims of the transaction; `undefined` until `plan` or `claimOutside` has run. */
  held: HeldClick | undefined
  /** Claim outside the transaction; `undefined` until `claimOutside` has run. */
  outside: ClaimedOutside | undefined
  ledger: Ledger | undefined
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

  get idempotencyKey(): string {
    const { click, request } = this.#options
    return this.held?.gate.key ?? click.derivedKey ?? request.attempt
  }

  async claimOutside(ledger: Ledger): Promise<ClaimedOutside | undefined> {
    const { claim } = this.#options
    if (claim === undefined) throw new TypeError('outside: requires a click from createIntegration.')
    // A transaction that runs again reuses the first claim.
    this.held = this.outside ??= await claim(ledger)
    this.isReplayed = this.outside === undefined
    this.onKeyChange?.(this.idempotencyKey)
    return this.outside
  }

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
