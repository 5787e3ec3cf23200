import { isStoreError, StoreError } from '../contract/errors.ts'
import type { Asked, Claim, Click, Decide, Held, Ledger, Outcome } from './ledger.ts'
import { claimClick, dayMs, enterOrder, renewLease, settleClick, startReconciled } from './protocol.ts'
import { type Runtime, within } from './runtime.ts'

/** How long one call of a ledger may take, in milliseconds (decision 19). */
const ledgerMs = 2000
/** After how long an outcome that could not be stored is stored again, in milliseconds. */
const settleAgainMs = [100, 500, 2000, 5000, 10_000, 20_000]
/** Maximum outcomes that wait to be stored again. */
const maxWaiting = 1000

/** What an attempt holds of its click. */
export interface HeldClick {
  /** In the document of the name or, without one, of the customer. */
  readonly gate: Held
  /** In the customer's document, for a named click whose attempt has begun. */
  readonly order: Held | undefined
}

/** How an attempt is made: what is asked for it, by a request that has arrived. */
export interface AttemptOptions extends Omit<Asked, 'click' | 'seen' | 'waitedMs' | 'isYoung'> {
  readonly runtime: Runtime
  readonly timeoutMs: number
  /** On the clock of `runtime.now()`. */
  readonly arrivedAt: number
  /** How many outcomes wait to be stored again. */
  readonly backlog: { waiting: number }
}

/**
 * One attempt of a click in a ledger. Each method is one or two atomic changes and throws StoreError `store_unavailable`; it
 * returns a promise only where the ledger does. A named click has two documents: claimed named first, settled customer first.
 */
export class Attempt {
  /** Set by a claim that lets the attempt in. */
  held: HeldClick | undefined
  /** Whether the ledger may have forgotten earlier attempts. */
  isYoung = false
  readonly #gateKey: string

  constructor(
    readonly click: Click,
    readonly ledger: Ledger,
    readonly options: AttemptOptions,
  ) {
    this.#gateKey = click.name ?? click.customer
  }

  /** The platform key of the click. */
  get key(): string {
    return this.held?.gate.key ?? this.click.derivedKey ?? this.options.attempt
  }

  /** Claims the click, or says what is known of it; `seen` is what an earlier claim returned. */
  claim(seen?: number): Claim | Promise<Claim> {
    try {
      const claim = this.#update(this.#gateKey, (stored, now, isYoung) => {
        this.isYoung = isYoung
        return claimClick(stored, this.#ask(seen, isYoung), now)
      })
      const taken = chain(claim, (found) => this.#take(found))
      return taken instanceof Promise ? taken.catch((error: unknown) => this.#giveUp(error)) : taken
    } catch (error) {
      return this.#giveUp(error)
    }
  }

  /** Begins after the store has answered that no earlier attempt is applied; returns `false` if another attempt took over. */
  async start(): Promise<boolean> {
    const { held } = this
    if (held === undefined) return false
    const gate = await this.#update(this.#gateKey, (stored, now, isYoung) => {
      this.isYoung = isYoung
      return startReconciled(stored, held.gate, now)
    })
    if (gate === 'lost') return false
    this.held = { gate, order: gate }
    try {
      this.held = { gate, order: await this.#enterOrder(gate, true) }
    } catch (error) {
      await this.settle('released')
      throw error
    }
    return true
  }

  /** Records how the attempt ended; what cannot be stored now is stored in the background, and `onError` is called. */
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

  /** Renews the lease until a promise ends, at most for a day (decision 20). */
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
    // One after the other: a renewal may wait for a lock of the attempt that it renews.
    const renewLater = () => {
      if (isOver || runtime.now() >= endsAt) return
      cancel = runtime.after(leaseMs / 3, () => void renew(held).then(renewLater, renewLater), true)
    }
    renewLater()
    const end = () => {
      isOver = true
      cancel()
    }
    ended.then(end, end)
  }

  /** Every field is written out: copying them takes as long as the judgement. */
  #ask(seen: number | undefined, isYoung: boolean): Asked {
    const { attempt, leaseMs, retainMs, canReconcile, repeatableMs, runtime, arrivedAt } = this.options
    const waitedMs = runtime.now() - arrivedAt
    return { click: this.click, attempt, leaseMs, retainMs, waitedMs, seen, canReconcile, repeatableMs, isYoung }
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

  /** Gives a named click its place among the customer's changes. */
  #enterOrder(gate: Held, isReconciled: boolean): Held | undefined | Promise<Held | undefined> {
    if (this.click.name === undefined) return undefined
    const entering = this.#update(this.click.customer, (stored, now, isYoung) => {
      // Emptied between the two documents: another attempt may hold the gate by now.
      if (isYoung && !this.isYoung) return { result: unavailable(undefined) }
      return enterOrder(stored, gate, isReconciled, now)
    })
    return chain(entering, (entered) => {
      if (entered instanceof Error) throw entered
      return entered
    })
  }

  /** Releases a claim whose result was lost, in the background (decision 25). */
  #giveUp(error: unknown): never {
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

  /** Stores an outcome in the background, again and again for half a minute. */
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

/** Goes on with a value, without a wait where it is there. */
function chain<Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(use) : use(value)
}
