import { isStoreError, StoreError } from '../contract/errors.ts'
import type { Decide, Ledger } from '../contract/ledger.ts'
import type { ClaimRequest, Claim, ClickKeys, Held, Outcome } from './ledger.ts'
import { claimClick, dayMs, enterOrder, renewLease, settleClick, startReconciled } from './protocol.ts'
import { type Runtime, within } from './runtime.ts'

/** Time limit of one ledger call, in milliseconds (decision 19). */
const ledgerMs = 2000
/** Delays between attempts to store an outcome, in milliseconds. */
const settleAgainMs = [100, 500, 2000, 5000, 10_000, 20_000]
/** Delay of the first renewal of a lease after the time limit, in milliseconds. The lease ends 5 s after the time limit. */
const firstRenewalMs = 1000
/** Maximum number of outcomes that are queued for storage in the background. */
const maxWaiting = 1000

/** The claims that an attempt holds. */
export interface HeldClick {
  /** Claim in the named document, or in the customer's document for an unnamed click. */
  readonly gate: Held
  /** Claim in the customer's document; `undefined` until the attempt of a named click has begun. */
  readonly order: Held | undefined
}

export interface AttemptOptions extends Omit<ClaimRequest, 'click' | 'seen' | 'waitedMs' | 'isYoung'> {
  readonly runtime: Runtime
  readonly timeoutMs: number
  /** Arrival time of the request, in milliseconds of `runtime.now()`. */
  readonly arrivedAt: number
  readonly backlog: { waiting: number }
}

/**
 * One attempt of a click in a ledger. Each method updates one or two documents. `claim` and `start` throw StoreError
 * `store_unavailable` if the ledger fails. `claim` and `settle` return a promise only if the ledger does. For a named
 * click, `claim` updates the named document first, and `settle` updates the customer's document first.
 */
export class Attempt {
  /** The claims of this attempt; `undefined` until a claim succeeds. */
  held: HeldClick | undefined
  /** Whether the ledger may have lost earlier attempts. */
  isYoung = false
  readonly #gateKey: string

  constructor(
    readonly click: ClickKeys,
    readonly ledger: Ledger,
    readonly options: AttemptOptions,
  ) {
    this.#gateKey = click.name ?? click.customer
  }

  /** The `context.idempotencyKey` of the click. */
  get key(): string {
    return this.held?.gate.key ?? this.click.derivedKey ?? this.options.attempt
  }

  /** Claims the click, or returns why the click cannot run. `seen` is the number that an earlier claim returned. */
  claim(seen?: number): Claim | Promise<Claim> {
    const { runtime } = this.options
    const endsAt = runtime.now() + ledgerMs
    try {
      const claim = this.#update(this.#gateKey, (stored, now, isYoung) => {
        // The request has already been rejected. Its release in the background may have ended (decision 25).
        if (runtime.now() > endsAt) throw unavailable(undefined)
        this.isYoung = isYoung
        return claimClick(stored, this.#createRequest(seen, isYoung), now)
      })
      const taken = chain(claim, (found) => this.#take(found))
      return taken instanceof Promise ? taken.catch((error: unknown) => this.#releaseAfter(error)) : taken
    } catch (error) {
      return this.#releaseAfter(error)
    }
  }

  /** Begins the attempt after `reconcile` has returned `not_applied`. Returns `false` if another attempt has taken over. */
  async start(): Promise<boolean> {
    const { held } = this
    if (held === undefined) return false
    try {
      const gate = await this.#update(this.#gateKey, (stored, now, isYoung) => {
        this.isYoung = isYoung
        return startReconciled(stored, held.gate, now)
      })
      if (gate === 'lost') return false
      this.held = { gate, order: gate }
      this.held = { gate, order: await this.#enterOrder(gate, true) }
    } catch (error) {
      await this.settle('released')
      throw error
    }
    return true
  }

  /** Stores the outcome. If the ledger fails, calls `onError` and stores the outcome in the background. */
  settle(outcome: Outcome, onError?: (error: unknown) => void): undefined | Promise<undefined> {
    const { held } = this
    const again = (error: unknown): undefined => {
      this.#settleLater(held, outcome)
      onError?.(error)
    }
    try {
      return this.#settleOnce(held, outcome)?.catch(again)
    } catch (error) {
      return again(error)
    }
  }

  /** Renews the lease until a promise settles, for at most 24 hours (decision 20). */
  renewUntil(ended: Promise<unknown>): void {
    const { held } = this
    const { runtime, leaseMs } = this.options
    if (held === undefined) return
    const endsAt = runtime.now() + dayMs
    let isOver = false
    let cancel = () => {}
    const renew = async ({ gate, order }: HeldClick) => {
      await this.#update(this.#gateKey, (stored, now) => renewLease(stored, gate, now))
      if (order) await this.#update(this.click.customer, (stored, now) => renewLease(stored, order, now))
    }
    // Renews only after the previous renewal has ended, because a renewal may wait for a lock that the attempt holds.
    const renewIn = (ms: number) => {
      if (isOver || runtime.now() >= endsAt) return
      const again = () => renewIn(leaseMs / 3)
      cancel = runtime.after(ms, () => void renew(held).then(again, again), true)
    }
    renewIn(firstRenewalMs)
    const end = () => {
      isOver = true
      cancel()
    }
    ended.then(end, end)
  }

  /** Creates the request for a claim. Lists every field, because an object spread would take as long as the claim itself. */
  #createRequest(seen: number | undefined, isYoung: boolean): ClaimRequest {
    const { attempt, leaseMs, retainMs, canReconcile, repeatableMs, runtime, arrivedAt, awaited } = this.options
    const waitedMs = runtime.now() - arrivedAt
    const { click } = this
    return { click, attempt, leaseMs, retainMs, waitedMs, seen, awaited, canReconcile, repeatableMs, isYoung }
  }

  #take(claim: Claim): Claim | Promise<Claim> {
    if (claim.state !== 'claimed' && claim.state !== 'reconcile') return claim
    const { held: gate } = claim
    this.held = { gate, order: undefined }
    if (claim.state === 'reconcile' || this.click.name === undefined) return claim
    return chain(this.#enterOrder(gate, false), (order) => {
      this.held = { gate, order }
      return claim
    })
  }

  /** Adds a named click to the sequence of the customer's changes. */
  #enterOrder(gate: Held, isReconciled: boolean): Held | undefined | Promise<Held | undefined> {
    if (this.click.name === undefined) return undefined
    const entering = this.#update(this.click.customer, (stored, now, isYoung) => {
      // The ledger lost its data between the two updates, so another attempt may hold the claim in the named document.
      if (isYoung && !this.isYoung) return { result: unavailable(undefined) }
      return enterOrder(stored, gate, isReconciled, now)
    })
    return chain(entering, (entered) => {
      if (entered instanceof Error) throw entered
      return entered
    })
  }

  /** Releases a claim in the background because the ledger's response was lost (decision 25). Rethrows the error. */
  #releaseAfter(error: unknown): never {
    const { click, key } = this
    const { attempt, leaseMs, retainMs } = this.options
    const gate = { click, attempt, leaseMs, retainMs, began: 0, key }
    this.#settleLater({ gate, order: click.name === undefined ? undefined : gate }, 'released')
    throw error
  }

  #settleOnce(held: HeldClick | undefined, outcome: Outcome): undefined | Promise<undefined> {
    if (held === undefined) return undefined
    const { gate, order } = held
    const settleGate = () => this.#update(this.#gateKey, (stored, now) => settleClick(stored, gate, outcome, now))
    if (order === undefined) return settleGate()
    return chain(
      this.#update(this.click.customer, (stored, now) => settleClick(stored, order, outcome, now, true)),
      settleGate,
    )
  }

  /** Stores an outcome in the background, with retries for about 38 seconds. */
  #settleLater(held: HeldClick | undefined, outcome: Outcome, failures = 0): void {
    const { runtime, backlog } = this.options
    const pauseMs = settleAgainMs[failures]
    if (pauseMs === undefined || backlog.waiting >= maxWaiting) return
    backlog.waiting += 1
    const store = async () => {
      backlog.waiting -= 1
      await this.#settleOnce(held, outcome)
    }
    runtime.after(pauseMs, () => void store().catch(() => this.#settleLater(held, outcome, failures + 1)))
  }

  #update<Result>(key: string, decide: Decide<Result>): Result | Promise<Result> {
    const { runtime, timeoutMs } = this.options
    try {
      const result = this.ledger.update(key, decide)
      if (!(result instanceof Promise)) return result
      return within(runtime, result, Math.min(ledgerMs, timeoutMs)).catch((error: unknown) => {
        throw unavailable(error)
      })
    } catch (error) {
      throw unavailable(error)
    }
  }
}

function unavailable(error: unknown): StoreError {
  if (isStoreError(error) && error.code === 'store_unavailable') return error
  return new StoreError('store_unavailable', undefined, { cause: error })
}

/** Applies a function to a value, synchronously if the value is not a promise. */
function chain<Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(use) : use(value)
}
