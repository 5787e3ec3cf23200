import { isStoreError, StoreError } from '../errors.ts'
import type { Asked, Change, Claim, Click, Held, Ledger, Outcome, StoredClicks } from './ledger.ts'
import { claimClick, dayMs, enterOrder, renewLease, settleClick, startReconciled } from './protocol.ts'
import { type Runtime, within } from './runtime.ts'

/** How long one call of a ledger may take, in milliseconds (decision 19). */
const ledgerMs = 2000
/** After how long an outcome that could not be stored is stored again, in milliseconds. */
const settleAgainMs = [100, 500, 2000, 5000, 10_000, 20_000]
/** Maximum outcomes that wait to be stored again. */
const maxWaiting = 1000

/** An attempt that holds its click in a ledger. */
export interface HeldClick {
  /** What is held in the document of the name or, without one, of the customer. */
  readonly gate: Held
  /** What a named click holds in the customer's document, once its attempt has begun. */
  readonly order: Held | undefined
}

/** What a ledger says to a request. */
export type LedgerClaim =
  | { readonly state: 'claimed'; readonly held: HeldClick; readonly isYoung: boolean }
  | (Omit<Extract<Claim, { state: 'reconcile' }>, 'held'> & { readonly held: HeldClick; readonly isYoung: boolean })
  | Exclude<Claim, { state: 'claimed' | 'reconcile' }>

/** The clicks of one ledger: every function is one or two atomic changes, and throws StoreError `store_unavailable`. */
export type Attempts = ReturnType<typeof createAttempts>

/** Makes, renews and settles attempts in a ledger. A named click has two documents: claimed named first, settled customer first. */
export function createAttempts(ledger: Ledger, runtime: Runtime, timeoutMs: number) {
  let waiting = 0

  /** A promise only where the ledger returns one: a wait costs a click as much as its judgement. */
  function update<Result>(
    key: string,
    change: (stored: StoredClicks | undefined, now: number, isYoung: boolean) => Change<Result>,
  ): Result | Promise<Result> {
    try {
      const result = ledger.update(key, change)
      if (!(result instanceof Promise)) return result
      return within(runtime, result, Math.min(ledgerMs, timeoutMs)).catch((error: unknown) => {
        throw unavailable(error)
      })
    } catch (error) {
      throw unavailable(error)
    }
  }

  /** The key of the document that decides. */
  const gateKeyOf = ({ name, customer }: Click) => name ?? customer

  function settleOnce(click: Click, { gate, order }: HeldClick, outcome: Outcome): undefined | Promise<undefined> {
    const settleGate = () => update(gateKeyOf(click), (stored, now) => settleClick(stored, gate, outcome, now))
    if (order === undefined) return settleGate()
    return chain(
      update(click.customer, (stored, now) => settleClick(stored, order, outcome, now, true)),
      settleGate,
    )
  }

  /** Stores an outcome in the background, again and again for half a minute. */
  function settleLater(store: () => unknown, failures = 0): void {
    const pauseMs = settleAgainMs[failures]
    if (pauseMs === undefined || waiting >= maxWaiting) return
    waiting += 1
    runtime.after(pauseMs, () => {
      waiting -= 1
      Promise.resolve()
        .then(store)
        .catch(() => settleLater(store, failures + 1))
    })
  }

  /** Records how an attempt ended; what cannot be stored now is stored in the background, and `onError` is called. */
  function settle(
    click: Click,
    held: HeldClick,
    outcome: Outcome,
    onError?: (error: unknown) => void,
  ): undefined | Promise<undefined> {
    const again = (error: unknown): undefined => {
      settleLater(() => settleOnce(click, held, outcome))
      onError?.(error)
    }
    try {
      const settling = settleOnce(click, held, outcome)
      return settling?.catch(again)
    } catch (error) {
      return again(error)
    }
  }

  return {
    settle,

    /** Claims a click, or says what is known of it. A claim whose answer was lost is released in the background (decision 25). */
    claim: (click: Click, asked: Asked, arrivedAt: number): LedgerClaim | Promise<LedgerClaim> => {
      let wasYoung = false
      let gate: Held | undefined
      const release = (error: unknown): never => {
        const { attempt, leaseMs, retainMs } = asked
        const released = { click, attempt, leaseMs, retainMs, began: 0, key: gate?.key ?? click.derivedKey ?? attempt }
        const order = click.name === undefined ? undefined : released
        settleLater(() => settleOnce(click, { gate: released, order }, 'released'))
        throw error
      }
      const take = (claim: Claim): LedgerClaim | Promise<LedgerClaim> => {
        if (claim.state !== 'claimed' && claim.state !== 'reconcile') return claim
        const { held } = claim
        gate = held
        if (claim.state === 'reconcile')
          return { ...claim, held: { gate, order: undefined }, isYoung: wasYoung && claim.firstMsAgo === undefined }
        const enterGate = (order: Held | undefined): LedgerClaim => {
          return { state: 'claimed', held: { gate: held, order }, isYoung: wasYoung }
        }
        return click.name === undefined ? enterGate(undefined) : chain(enter(click, held, false, wasYoung), enterGate)
      }
      try {
        const claim = update(gateKeyOf(click), (stored, now, isYoung) => {
          wasYoung = isYoung
          const { attempt, leaseMs, retainMs, seen, canReconcile, repeatableMs } = asked
          const waitedMs = runtime.now() - arrivedAt
          const own = { click, attempt, leaseMs, retainMs, waitedMs, seen, canReconcile, repeatableMs, isYoung }
          return claimClick(stored, own, now)
        })
        const taken = chain(claim, take)
        return taken instanceof Promise ? taken.catch(release) : taken
      } catch (error) {
        return release(error)
      }
    },

    /** Starts an attempt after the store has answered that no earlier one is applied; `lost` if another attempt took over. */
    start: async (click: Click, { gate }: HeldClick): Promise<HeldClick | 'lost'> => {
      let wasYoung = false
      const started = await update(gateKeyOf(click), (stored, now, isYoung) => {
        wasYoung = isYoung
        return startReconciled(stored, gate, now)
      })
      if (started === 'lost') return 'lost'
      try {
        return { gate: started, order: await enter(click, started, true, wasYoung) }
      } catch (error) {
        await settle(click, { gate: started, order: started }, 'released')
        throw error
      }
    },

    /** Renews the lease of an attempt until a promise ends, at most for a day (decision 20). */
    renewUntil: (click: Click, { gate, order }: HeldClick, ended: Promise<unknown>): void => {
      const endsAt = runtime.now() + dayMs
      let isOver = false
      let cancel = () => {}
      const renew = async () => {
        await update(gateKeyOf(click), (stored, now) => renewLease(stored, gate, now))
        if (order) await update(click.customer, (stored, now) => renewLease(stored, order, now))
      }
      // One after the other: a renewal may wait for a lock of the attempt that it renews.
      const renewLater = () => {
        if (isOver || runtime.now() >= endsAt) return
        cancel = runtime.after(gate.leaseMs / 3, () => void renew().then(renewLater, renewLater), true)
      }
      renewLater()
      const end = () => {
        isOver = true
        cancel()
      }
      ended.then(end, end)
    },
  }

  /** Gives a named click its place among the customer's changes. */
  function enter(
    click: Click,
    gate: Held,
    isReconciled: boolean,
    wasYoung: boolean,
  ): Held | undefined | Promise<Held | undefined> {
    if (click.name === undefined) return undefined
    const entering = update(click.customer, (stored, now, isYoung) => {
      // Emptied between the two documents: another attempt may hold the gate by now.
      if (isYoung && !wasYoung) return { result: unavailable(undefined) }
      return enterOrder(stored, gate, isReconciled, now)
    })
    return chain(entering, (entered) => {
      if (entered instanceof Error) throw entered
      return entered
    })
  }
}

function unavailable(error: unknown): StoreError {
  if (isStoreError(error) && error.code === 'store_unavailable') return error
  return new StoreError('store_unavailable', undefined, { cause: error })
}

/** Goes on with a value, without a wait where it is there. */
export function chain<Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(use) : use(value)
}
