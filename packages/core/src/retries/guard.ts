import { endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { isStoreError, outcomeOf, StoreError, StoreTimeout } from '../contract/errors.ts'
import type { Decide, Ledger } from '../contract/ledger.ts'
import { checkedNumber } from '../contract/names.ts'
import type { ClickIdentity, EndpointName, Reconciled, ReconcileContext, StorePort } from '../contract/store-port.ts'
import type { Call } from '../http/call.ts'
import type { Claim, Outcome } from './attempt.ts'
import { type CheckedInput, identifyClick, readIdempotencyKey, storesOwnClicks } from './click.ts'
import { memoryLedger } from './memory-ledger.ts'
import { type ClickKeys, PendingClick, refusalOf } from './pending-click.ts'
import { claim, dayMs, renew, settle } from './protocol.ts'
import type { RetryOptions } from './retry-options.ts'
import { type Runtime, systemRuntime, within } from './runtime.ts'

/** Facts about earlier attempts that are passed to `reconcile`. */
export type ReconcileFacts = Pick<
  ReconcileContext,
  'idempotencyKey' | 'clickIdentity' | 'firstAttemptAt' | 'lastAttemptAt'
>

export interface GuardSettings {
  readonly timeoutMs: number
  /** Separates the clicks of shops that share a ledger. */
  readonly scope: string
  /** Called with a line for the log. */
  readonly onNotice: (notice: string) => void
  /** Clock and timers. Default: `systemRuntime`. */
  readonly runtime?: Runtime | undefined
}

/** The data of a click that the context of a store method can contain. */
export interface CalledClick {
  readonly pending?: PendingClick | undefined
  /** The identity that all repeats share, for a store with `reconcile`. */
  readonly identity?: ClickIdentity | undefined
}

/** A request that makes a change. */
export interface Mutation {
  readonly call: Call
  readonly name: EndpointName
  readonly input: CheckedInput
  readonly testMode: boolean
  readonly store: StorePort
  readonly method: object
  /** Runs the store's method. Throws the errors of the method, and StoreTimeout. */
  run(idempotencyKey: string, click: CalledClick): Promise<unknown>
  /** Calls the store's `reconcile`, with a time limit. Throws the errors of `reconcile`, and StoreTimeout. */
  reconcile(facts: ReconcileFacts, timeoutMs: number): Promise<Reconciled>
  /** Called if the ledger cannot store an outcome. The response is sent anyway, because the click has run. */
  onLedgerError(error: unknown): void
}

/**
 * Runs a change unless it has already run. Returns whether the response is a replay, for which the store's method did
 * not run. Throws the errors of the store, or StoreError if the change cannot run now.
 */
export type Guard = (mutation: Mutation) => Promise<boolean>

/** Difference between the lease and the time limit of a request, in milliseconds. */
const leaseMarginMs = 5000
/** Maximum time limit of one ledger call, in milliseconds (rule 19). */
const maxLedgerMs = 2000
/** Time reserved for a commit, in milliseconds; at most half of the time limit. */
const commitMs = 2000
/** Maximum pause between reads of a ledger, in milliseconds. */
const maxPauseMs = 500
/** How long a lease is renewed after the time limit, in milliseconds (rule 15). */
const renewMs = 60_000
/** Delays between attempts to store an outcome in the background, in milliseconds; and the maximum number of such outcomes. */
const settleAgainMs = [100, 500, 2000, 5000, 10_000, 20_000]
const maxUnsettled = 1000

/**
 * Creates the guard, which runs a click only once despite retries, double clicks and several processes (RETRY-1 to
 * RETRY-11).
 */
export function createGuard(options: RetryOptions, guard: GuardSettings): Guard {
  const { timeoutMs, scope, onNotice, runtime = systemRuntime } = guard
  const { ledger: shared = memoryLedger({ onNotice }), windows = {} } = options
  for (const [name, window] of Object.entries(windows)) checkedNumber(`retries.windows.${name}`, window, dayMs, 0)
  const windowsMs = forEachEndpoint((name) => windows[name] ?? endpointRow(name).retryWindowMs ?? 0)
  const ledgerMs = Math.min(maxLedgerMs, timeoutMs)
  const times = {
    leaseMs: timeoutMs + leaseMarginMs,
    // An attempt must find the success of its own transaction after its 504.
    retainMs: timeoutMs + leaseMarginMs,
    commitMs: timeoutMs - Math.min(commitMs, timeoutMs / 2),
    now: () => runtime.now(),
    newId: () => runtime.id(),
  }
  /** Callbacks of the requests that wait for the end of a customer's change. */
  const waiting = new Map<string, Map<PendingClick, () => void>>()
  /** The running click of each customer whose method is marked with `storesClicks`. */
  const marked = new Map<string, PendingClick>()
  let unsettled = 0

  return (mutation) => {
    const { call, name, store, method, input, testMode } = mutation
    const key = readIdempotencyKey(call)
    const isMarked = storesOwnClicks(method)
    const ledger = store.ledger ?? (isMarked ? undefined : shared)
    const isLocal = ledger?.isLocal === true && store.reconcile === undefined
    const keys = identifyClick({ endpoint: name, input, scope, testMode, key, windowMs: windowsMs[name] }, isLocal)
    if (keys instanceof Promise) return keys.then((digests) => start(mutation, digests, ledger, isMarked))
    return start(mutation, keys, ledger, isMarked)
  }

  function start(mutation: Mutation, keys: ClickKeys, ledger: Ledger | undefined, isMarked: boolean) {
    const { honoursIdempotencyKey: honours, reconcile } = mutation.store
    const honouredMs = typeof honours === 'object' ? honours.forMs : honours === true ? Infinity : 0
    const canReconcile = !isMarked && reconcile !== undefined
    // A marked method stores its success with its change, so no success means no change.
    const promises = { canReconcile, repeatableMs: isMarked ? Infinity : honouredMs, isMarked }
    const click = new PendingClick(keys, promises, times, mutation.call)
    click.ledger = ledger
    return isMarked ? runMarked(mutation, click) : runClaimed(mutation, click)
  }

  /** Claims a click, reconciles earlier attempts, runs the method and stores the outcome. */
  async function runClaimed(mutation: Mutation, click: PendingClick): Promise<boolean> {
    const { store } = mutation
    if (marked.size > 0) while (marked.has(click.customer)) await waitForMarked(click)
    const claimed = claimClick(click)
    const found = claimed instanceof Promise ? await claimed : claimed
    if (found.state !== 'claimed' && !(await mayRun(mutation, click, found))) return true
    if (found.state === 'claimed' && found.hasDropped) onNotice(droppedNotice)
    try {
      const identity = store.reconcile === undefined ? undefined : clickIdentityOf(click)
      await mutation.run(click.key, { pending: click, identity })
      // `once` has already stored the success.
      if (click.isStored && !click.isUnheard) {
        wake(click)
        return false
      }
      const settling = settleClick(click, click.isUnheard ? 'unreported' : 'succeeded', mutation)
      if (settling !== undefined) await settling
      return false
    } catch (error) {
      if (error instanceof StoreTimeout) {
        click.isLate = true
        void renewUntil(click, error.end, mutation)
      } else await settleClick(click, failureOf(error), mutation)
      throw error
    }
  }

  /** Lets the waiting requests of the customer claim again, in the order of their arrival. */
  function wake({ customer }: PendingClick): void {
    const requests = waiting.size === 0 ? undefined : waiting.get(customer)
    if (requests === undefined) return
    const ordered = [...requests].toSorted(([one], [other]) => one.arrivedAt - other.arrivedAt)
    for (const [, resume] of ordered) resume()
  }

  /** Waits for a running change, and reconciles earlier attempts if necessary. Returns `false` for a replay. */
  async function mayRun(mutation: Mutation, click: PendingClick, first: Claim): Promise<boolean> {
    for (let found = first, turn = 0; ; turn++) {
      if (found.state === 'claimed') return true
      if (found.state === 'replayed' || found.state === 'ran') return false
      if (found.state === 'reconcile') {
        const reconciled = await reconcileEarlier(mutation, click, found)
        if (reconciled === 'applied') {
          await settleClick(click, click.isUnheard ? 'unreported' : 'succeeded', mutation)
          return false
        }
        if (reconciled === 'unknown') {
          await settleClick(click, 'unknown', mutation)
          throw refusalOf('unknown', click)
        }
        // The lease must be stored before the method runs (rule 14).
        if (await holdClick(click)) return true
        click.restart()
      } else if (found.state === 'running' || found.state === 'busy') {
        await pause(click, found.state, turn)
      } else throw refusalOf(found.state, click)
      found = await claimClick(click)
    }
  }

  function reconcileEarlier(mutation: Mutation, click: PendingClick, claimed: ReconcileClaim): Promise<Reconciled> {
    const facts = {
      idempotencyKey: click.key,
      clickIdentity: clickIdentityOf(click),
      firstAttemptAt: runtime.date() - claimed.firstMsAgo,
      lastAttemptAt: runtime.date() - claimed.lastMsAgo,
    }
    return mutation.reconcile(facts, Math.max(1, waitableMs(click))).catch(() => 'unknown' as const)
  }

  /** Waits while a marked method of the customer runs, so that the request holds no connection and no lock (rule 21). */
  async function waitForMarked(click: PendingClick): Promise<void> {
    for (let turn = 0, other = marked.get(click.customer); other !== undefined; turn++) {
      const isSame = other.name === click.name && (click.name !== '' || other.body === click.body)
      if (isSame && other.body !== click.body) throw refusalOf('reused', click)
      await pause(click, isSame ? 'running' : 'busy', turn)
      other = marked.get(click.customer)
    }
  }

  /** Runs a method that stores the click in the transaction of its change, one at a time for each customer (rule 21). */
  async function runMarked(mutation: Mutation, click: PendingClick): Promise<boolean> {
    // After an `await`, another request can be first.
    while (marked.has(click.customer)) await waitForMarked(click)
    marked.set(click.customer, click)
    try {
      await runUnlessBusy(mutation, click)
      if (click.isStored && click.isUnheard) void settleClick(click, 'unreported', mutation)
      return click.isReplayed
    } catch (error) {
      click.isLate = true
      const failure = (cause: unknown) => (click.refused === undefined ? failureOf(cause) : 'rejected')
      if (error instanceof StoreTimeout)
        error.end.then(
          () => (click.isReplayed ? undefined : settleClick(click, 'unreported', mutation)),
          (late: unknown) => settleClick(click, failure(late), mutation),
        )
      if (failure(error) === 'unknown') await settleClick(click, 'unknown', mutation)
      throw error
    } finally {
      marked.delete(click.customer)
      wake(click)
    }
  }

  /** Runs a marked method, and again while another change of the customer holds a claim. */
  async function runUnlessBusy(mutation: Mutation, click: PendingClick): Promise<void> {
    for (let turn = 0; ; turn++) {
      click.refused = undefined
      try {
        await mutation.run(click.idempotencyKey, { pending: click })
        return
      } catch (error) {
        if (click.refused !== 'running' && click.refused !== 'busy') throw error
        await pause(click, click.refused, turn)
      }
    }
  }

  /** Time until a request must stop waiting, in milliseconds (rule 9). */
  function waitableMs({ arrivedAt }: PendingClick): number {
    return arrivedAt + timeoutMs / 2 - runtime.now()
  }

  /** Waits until a change of the customer ends, or with growing pauses. Throws if the request must not wait any longer. */
  async function pause(click: PendingClick, state: 'running' | 'busy', turn: number): Promise<void> {
    const leftMs = waitableMs(click)
    if (leftMs <= 0) throw refusalOf(state, click)
    const ms = Math.min(leftMs, maxPauseMs, 10 * 2 ** turn) * (0.5 + runtime.random() / 2)
    const { customer } = click
    await new Promise<void>((resolve) => {
      const requests = waiting.get(customer) ?? new Map<PendingClick, () => void>()
      const resume = () => {
        cancel()
        requests.delete(click)
        if (requests.size === 0) waiting.delete(customer)
        resolve()
      }
      const cancel = runtime.after(ms, resume)
      waiting.set(customer, requests.set(click, resume))
    })
  }

  /** Claims a click. A claim whose response was lost is released in the background (rule 19). */
  function claimClick(click: PendingClick): Claim | Promise<Claim> {
    let found: Claim | Promise<Claim>
    const endsAt = runtime.now() + ledgerMs
    try {
      found = update(click, (stored, time) => {
        // The request has already been rejected, and its release may have ended.
        if (runtime.now() > endsAt) throw new StoreError('store_unavailable')
        return claim(stored, click, time)
      })
    } catch (error) {
      void settleLater(click, 'released')
      throw error
    }
    if (!(found instanceof Promise)) return hold(click, found)
    return found.then(
      (late) => hold(click, late),
      (error: unknown) => {
        void settleLater(click, 'released')
        throw error
      },
    )
  }

  function hold(click: PendingClick, found: Claim): Claim {
    if (found.state !== 'claimed' && found.state !== 'reconcile') return found
    click.key = found.key
    click.isClaimed = true
    return found
  }

  /** Renews the lease after `reconcile`. Returns `false` if another attempt has taken over. */
  async function holdClick(click: PendingClick): Promise<boolean> {
    try {
      return await update(click, (stored, time) => renew(stored, click, time, true))
    } catch (error) {
      void settleLater(click, 'released')
      throw error
    }
  }

  /** Stores an outcome. If the ledger fails, stores the outcome in the background. */
  function settleClick(click: PendingClick, outcome: Outcome, mutation: Mutation): undefined | Promise<undefined> {
    try {
      const settling = settleOnce(click, outcome)
      if (settling instanceof Promise) return settling.catch(again).finally(() => wake(click))
    } catch (error) {
      again(error)
    }
    wake(click)
    return undefined

    function again(error: unknown): undefined {
      void settleLater(click, outcome)
      mutation.onLedgerError(error)
    }
  }

  function settleOnce(click: PendingClick, outcome: Outcome): undefined | Promise<undefined> {
    if (click.ledger === undefined) return undefined
    return update(click, (stored, time) => settle(stored, click, outcome, time))
  }

  /** Stores an outcome in the background, with retries for about 40 seconds (rule 19). */
  async function settleLater(click: PendingClick, outcome: Outcome): Promise<void> {
    if (unsettled >= maxUnsettled) return
    unsettled += 1
    const isStored = async () => (await settleOnce(click, outcome), true)
    for (const pauseMs of settleAgainMs) {
      await new Promise<void>((resume) => runtime.after(pauseMs, resume))
      if (await isStored().catch(() => false)) break
    }
    unsettled -= 1
    wake(click)
  }

  /** Renews the lease of a method that runs after its response, and then settles its click (rule 15). */
  async function renewUntil(click: PendingClick, ended: Promise<unknown>, mutation: Mutation): Promise<void> {
    const endsAt = runtime.now() + renewMs
    let hasEnded = false
    const end = (outcome: Outcome) => {
      hasEnded = true
      return settleClick(click, outcome, mutation)
    }
    ended.then(
      () => end('unreported'),
      (error: unknown) => end(failureOf(error)),
    )
    const isRenewed = async () => update(click, (stored, time) => renew(stored, click, time))
    for (let leftMs = renewMs; !hasEnded; leftMs = endsAt - runtime.now()) {
      // A success that the transaction of the method has stored has no lease, and becomes unreported.
      const isRunning = leftMs > 0 && (await isRenewed().catch(() => true))
      if (!isRunning) return hasEnded ? undefined : settleClick(click, 'unknown', mutation)
      await new Promise<void>((resume) => runtime.after(Math.min(times.leaseMs / 3, leftMs), resume, true))
    }
  }

  /** Updates the document of a click. Throws StoreError `store_unavailable` if the ledger fails. */
  function update<Result>(
    { ledger = shared, customer }: PendingClick,
    decide: Decide<Result>,
  ): Result | Promise<Result> {
    try {
      const result = ledger.update(customer, decide)
      if (!(result instanceof Promise)) return result
      return within(runtime, result, ledgerMs).catch((error: unknown) => {
        throw unavailable(error)
      })
    } catch (error) {
      throw unavailable(error)
    }
  }
}

type ReconcileClaim = Extract<Claim, { readonly state: 'claimed' | 'reconcile' }>

const droppedNotice =
  'A customer has more than 100 clicks with an Idempotency-Key in 24 hours. The oldest click was forgotten, so its repeat can run again.'

function unavailable(error: unknown): StoreError {
  if (isStoreError(error) && error.code === 'store_unavailable') return error
  return new StoreError('store_unavailable', undefined, { cause: error })
}

function failureOf(error: unknown): Outcome {
  return outcomeOf(error) === 'refused' ? 'rejected' : 'unknown'
}

function clickIdentityOf({ name, body, windowMs }: PendingClick): ClickIdentity {
  return { named: name !== '', fingerprint: body, windowMs }
}

/** Creates the guard for `retries: false`, which runs every request. Repeats of a named click have the same key. */
export function createUnguarded(scope: string): Guard {
  return (mutation) => {
    const { call, name, input, testMode } = mutation
    const key = readIdempotencyKey(call)
    if (key === undefined) return run(crypto.randomUUID())
    const keys = identifyClick({ endpoint: name, input, scope, testMode, key, windowMs: 0 }, true)
    return keys instanceof Promise ? keys.then(({ derivedKey }) => run(derivedKey)) : run(keys.derivedKey)

    function run(idempotencyKey: string): Promise<boolean> {
      return mutation.run(idempotencyKey, {}).then(() => false)
    }
  }
}
