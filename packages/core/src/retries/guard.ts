import { endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { isStoreError, outcomeOf, StoreError, StoreTimeout } from '../contract/errors.ts'
import type { Decide, Ledger } from '../contract/ledger.ts'
import { checkedNumber } from '../contract/names.ts'
import type { EndpointName, Reconciled, ReconcileContext, StorePort } from '../contract/store-port.ts'
import type { Call } from '../http/call.ts'
import type { Claim, Outcome } from './attempt.ts'
import type { CheckedInput, ClickKeys } from './click.ts'
import { identifyClick, PendingClick, readIdempotencyKey, refusalOf, storesOwnClicks } from './click.ts'
import { memoryLedger } from './memory-ledger.ts'
import { claim, dayMs, renew, settle } from './protocol.ts'
import { noticeOnConsole, systemRuntime as runtime, within } from './runtime.ts'

/** Options that make repeated clicks take effect once. */
export interface RetryOptions {
  /** Storage for clicks; default: the store's ledger, or memory for a single process. */
  readonly ledger?: Ledger | undefined
  /** Number of processes that serve the shop. `1` turns off the warning about the memory ledger in production. */
  readonly processes?: number | undefined
  /** Window of each endpoint, in milliseconds, in which repeats do not run; default: `retryWindowMs`. 0 disables it. */
  readonly windows?: Partial<Readonly<Record<EndpointName, number>>> | undefined
}

/** Facts about earlier attempts that are passed to `reconcile`. */
export type ReconcileFacts = Pick<
  ReconcileContext,
  'idempotencyKey' | 'clickIdentity' | 'firstAttemptAt' | 'lastAttemptAt'
>

/** A request that makes a change. */
export interface Mutation {
  readonly call: Call
  readonly name: EndpointName
  readonly input: CheckedInput
  readonly testMode: boolean
  readonly store: StorePort
  readonly method: object
  /** Runs the store's method. Throws the errors of the method, and StoreTimeout. */
  run(idempotencyKey: string, click?: PendingClick): Promise<unknown>
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
/** Maximum time for which a lease is renewed after the time limit, in milliseconds (rule 15). */
const renewMs = 60_000
/** Pauses before attempts to store an outcome in the background, in milliseconds, and the limit of such outcomes. */
const settleAgainMs = [100, 500, 2000, 5000, 10_000, 20_000]
const maxUnsettled = 1000

/** Creates the guard, which runs a click once despite retries, double clicks and several processes (RETRY-1 to RETRY-11). */
export function createGuard(options: RetryOptions, scope: string, timeoutMs: number): Guard {
  const { ledger: shared = memoryLedger(), windows = {} } = options
  for (const [name, window] of Object.entries(windows)) checkedNumber(`retries.windows.${name}`, window, dayMs, 0)
  const windowsMs = forEachEndpoint((name) => windows[name] ?? endpointRow(name).retryWindowMs ?? 0)
  const ledgerMs = Math.min(maxLedgerMs, timeoutMs)
  const times = {
    leaseMs: timeoutMs + leaseMarginMs,
    // A transaction that ends after its 504 must find its own success.
    retainMs: timeoutMs + leaseMarginMs,
    commitMs: timeoutMs - Math.min(commitMs, timeoutMs / 2),
  }
  /** Callbacks of the requests that wait for the end of a customer's change, by `PendingClick.line`. */
  const waiting = new Map<string, Map<PendingClick, () => void>>()
  /** The running click of each customer whose method is marked with `storesClicks`, by `PendingClick.line`. */
  const marked = new Map<string, PendingClick>()
  let unsettled = 0
  let hasWarned = false
  const failLate = () => {
    throw new Error(`No response within ${ledgerMs} ms.`)
  }

  return (mutation) => {
    const { call, name, store, input, testMode } = mutation
    const key = readIdempotencyKey(call)
    const isMarked = storesOwnClicks(mutation.method)
    const ledger = store.ledger ?? (isMarked ? undefined : shared)
    const isLocal = ledger?.isLocal === true && store.reconcile === undefined
    const keys = identifyClick({ endpoint: name, input, scope, testMode, key, windowMs: windowsMs[name] }, isLocal)
    if (keys instanceof Promise) return keys.then((digests) => start(mutation, digests, ledger, isMarked))
    return start(mutation, keys, ledger, isMarked)
  }

  function start(mutation: Mutation, keys: ClickKeys, ledger: Ledger | undefined, isMarked: boolean): Promise<boolean> {
    const { honoursIdempotencyKey: honours, reconcile } = mutation.store
    // A marked method stores its success with its change, so no success means no change.
    const repeatableMs = isMarked || honours === true ? Infinity : typeof honours === 'object' ? honours.forMs : 0
    const canReconcile = !isMarked && reconcile !== undefined
    const click = new PendingClick(keys, times, mutation.call, isMarked, canReconcile, repeatableMs)
    click.ledger = ledger
    if (marked.size > 0 && marked.has(click.line)) return runAfterMarked(mutation, click)
    return isMarked ? runMarked(mutation, click) : runClaimed(mutation, click)
  }

  /** Waits for a marked method of the customer, so that the request holds no connection and no lock (rule 21). */
  async function runAfterMarked(mutation: Mutation, click: PendingClick): Promise<boolean> {
    const { name, body } = click
    for (let turn = 0; ; turn++) {
      const other = marked.get(click.line)
      if (other === undefined) return click.isMarked ? runMarked(mutation, click) : runClaimed(mutation, click)
      const isSame = other.name === name && (name !== '' || other.body === body)
      if (isSame && other.body !== body) throw refusalOf('reused', click)
      await pause(click, isSame ? 'running' : 'busy', turn)
    }
  }

  /** Claims a click, reconciles earlier attempts, runs the method and stores the outcome. */
  async function runClaimed(mutation: Mutation, click: PendingClick): Promise<boolean> {
    for (let turn = 0; ; turn++) {
      const claiming = claimClick(click)
      const found = claiming instanceof Promise ? await claiming : claiming
      if (found.state === 'replayed' || found.state === 'done') return true
      if (found.state === 'claimed' || found.state === 'reconcile') {
        click.key = found.key
        click.isClaimed = true
        if (found.hasDropped && !hasWarned) noticeOnConsole(droppedNotice)
        hasWarned ||= found.hasDropped
        if (found.state === 'claimed') break
        if (await hasApplied(mutation, click, found)) return true
        // One write stores `not_applied` and renews the lease (rule 14).
        if (await update(click, (stored, time) => renew(stored, click, time, true), release)) break
        click.restart()
      } else if (found.state === 'running' || found.state === 'busy') await pause(click, found.state, turn)
      else throw refusalOf(found.state, click)
    }
    try {
      await mutation.run(click.key, click)
      // `once` has already stored the success.
      const settling =
        click.ended === 'done' && !click.isUnheard ? wake(click) : settleClick(click, click.success, mutation)
      if (settling !== undefined) await settling
      return false
    } catch (error) {
      if (error instanceof StoreTimeout) {
        click.isLate = true
        void renewUntil(click, error.end, mutation)
      } else await settleClick(click, failureOf(error, click), mutation)
      throw error
    }
  }

  /** Lets the waiting requests of the customer claim again, in the order of their arrival. */
  function wake({ line }: PendingClick): undefined {
    const requests = waiting.size === 0 ? undefined : waiting.get(line)
    if (requests === undefined) return
    const ordered = [...requests].toSorted(([one], [other]) => one.arrivedAt - other.arrivedAt)
    for (const [, resume] of ordered) resume()
  }

  /** Reconciles earlier attempts. Returns `false` for `not_applied`. Throws StoreError if the outcome remains unknown. */
  async function hasApplied(mutation: Mutation, click: PendingClick, earlier: Earlier): Promise<boolean> {
    const [firstAttemptAt, lastAttemptAt] = [Date.now() - earlier.firstMsAgo, Date.now() - earlier.lastMsAgo]
    const facts = { idempotencyKey: click.key, clickIdentity: click.identity, firstAttemptAt, lastAttemptAt }
    const leftMs = Math.max(1, timeoutMs / 2 - click.ageMs)
    const found = await mutation.reconcile(facts, leftMs).catch(() => 'unknown' as const)
    if (found === 'not_applied') return false
    await settleClick(click, found === 'applied' ? click.success : 'unknown', mutation)
    if (found === 'applied') return true
    throw refusalOf('unknown', click)
  }

  /** Runs a method that stores the click in the transaction of its change, one at a time for each customer (rule 21). */
  async function runMarked(mutation: Mutation, click: PendingClick): Promise<boolean> {
    marked.set(click.line, click)
    try {
      for (let turn = 0; ; turn++) {
        click.refused = undefined
        try {
          await mutation.run(click.idempotencyKey, click)
          break
        } catch (error) {
          // Another change of the customer holds a claim.
          if (click.refused !== 'running' && click.refused !== 'busy') throw error
          await pause(click, click.refused, turn)
        }
      }
      if (click.ended === 'done' && click.isUnheard) void settleClick(click, 'unreported', mutation)
      return click.ended === 'replayed'
    } catch (error) {
      click.isLate = true
      const failure = (cause: unknown) => (click.refused === undefined ? failureOf(cause, click) : 'rejected')
      if (error instanceof StoreTimeout)
        error.end.then(
          () => (click.ended === 'replayed' ? undefined : settleClick(click, 'unreported', mutation)),
          (late: unknown) => settleClick(click, failure(late), mutation),
        )
      if (failure(error) === 'unknown') await settleClick(click, 'unknown', mutation)
      throw error
    } finally {
      marked.delete(click.line)
      wake(click)
    }
  }

  /** Waits until a change of the customer ends, or with growing pauses. Throws after half of the time limit (rule 9). */
  async function pause(click: PendingClick, state: 'running' | 'busy', turn: number): Promise<void> {
    const leftMs = timeoutMs / 2 - click.ageMs
    if (leftMs <= 0) throw refusalOf(state, click)
    const ms = Math.min(leftMs, maxPauseMs, 10 * 2 ** turn) * (0.5 + runtime.random() / 2)
    const requests = waiting.get(click.line) ?? new Map<PendingClick, () => void>()
    let cancel = () => {}
    await new Promise<void>((resume) => {
      cancel = runtime.after(ms, resume)
      waiting.set(click.line, requests.set(click, resume))
    })
    cancel()
    requests.delete(click)
    if (requests.size === 0) waiting.delete(click.line)
  }

  /** Claims a click. A claim whose response was lost is released in the background (rule 19). */
  function claimClick(click: PendingClick): Claim | Promise<Claim> {
    const endsAt = runtime.now() + ledgerMs
    // A response of the ledger can be slow. A time after it would make the request look older than it is.
    click.waitedMs = click.ageMs
    const decide: Decide<Claim> = (stored, time) => {
      // The request has already been rejected, and its release may have ended.
      if (runtime.now() > endsAt) throw new StoreError('store_unavailable')
      return claim(stored, click, time)
    }
    return update(click, decide, release)
  }

  function release(error: StoreError, click: PendingClick): never {
    void settleLater(click, 'released')
    throw error
  }

  /** Stores an outcome, in the background if the ledger fails. Then wakes the requests that wait. */
  function settleClick(click: PendingClick, outcome: Outcome, mutation: Mutation): undefined | Promise<undefined> {
    if (click.ledger === undefined) return wake(click)
    const settling = update(click, ending(click, outcome), (error) => {
      click.toldAt ??= runtime.now()
      void settleLater(click, outcome)
      return mutation.onLedgerError(error)
    })
    return settling instanceof Promise ? settling.then(() => wake(click)) : wake(click)
  }

  /** Stores an outcome in the background, with retries for about 40 seconds (rule 19). */
  async function settleLater(click: PendingClick, outcome: Outcome): Promise<void> {
    if (unsettled >= maxUnsettled) return
    unsettled += 1
    for (const pauseMs of settleAgainMs) {
      await new Promise<void>((resume) => runtime.after(pauseMs, resume))
      if ((await update(click, ending(click, outcome), () => 'failed')) === undefined) break
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
      (error: unknown) => end(failureOf(error, click)),
    )
    const decide: Decide<boolean> = (stored, time) => renew(stored, click, time)
    for (let leftMs = renewMs; ; leftMs = endsAt - runtime.now()) {
      if (hasEnded) return
      // A success that the transaction of the method has stored has no lease, and becomes unreported.
      const isRunning = leftMs > 0 && (await update(click, decide, () => true))
      if (!isRunning) return hasEnded ? undefined : settleClick(click, 'unknown', mutation)
      await new Promise<void>((resume) => runtime.after(Math.min(times.leaseMs / 3, leftMs), resume, true))
    }
  }

  /** Updates the document of a click. Returns the result of `fail` if the ledger fails. */
  function update<Result, Failed>(
    click: PendingClick,
    decide: Decide<Result>,
    fail: (error: StoreError, click: PendingClick) => Failed,
  ): Result | Failed | Promise<Result | Failed> {
    const { ledger = shared, customer } = click
    try {
      const found = ledger.update(customer, decide)
      if (!(found instanceof Promise)) return found
      return within(found, ledgerMs, failLate).catch((error: unknown) => fail(unavailable(error), click))
    } catch (error) {
      return fail(unavailable(error), click)
    }
  }
}

const ending =
  (click: PendingClick, outcome: Outcome): Decide<undefined> =>
  (stored, time) =>
    settle(stored, click, outcome, time)

type Earlier = Readonly<Record<'firstMsAgo' | 'lastMsAgo', number>>

const droppedNotice =
  'A customer has more than 100 clicks with an Idempotency-Key in 24 hours. The oldest click was forgotten, so its repeat can run again.'

function unavailable(error: unknown): StoreError {
  if (isStoreError(error) && error.code === 'store_unavailable') return error
  return new StoreError('store_unavailable', undefined, { cause: error })
}

/**
 * Returns the outcome of a failed attempt. A method that honours the key may have called its platform before an own table
 * was unavailable, so a repeat must have the same key.
 */
function failureOf(error: unknown, { isMarked, repeatableMs }: PendingClick): Outcome {
  const mayHaveRun = !isMarked && repeatableMs > 0 && isStoreError(error) && error.code === 'store_unavailable'
  return outcomeOf(error) === 'refused' && !(mayHaveRun && error.outcome === undefined) ? 'rejected' : 'unknown'
}

/** Creates the guard for `retries: false`, which runs every request. Repeats of a named click have the same key. */
export function createUnguarded(scope: string): Guard {
  return (mutation) => {
    const { call, name, input, testMode } = mutation
    const run = (idempotencyKey: string) => mutation.run(idempotencyKey).then(() => false)
    const key = readIdempotencyKey(call)
    if (key === undefined) return run(crypto.randomUUID())
    const keys = identifyClick({ endpoint: name, input, scope, testMode, key, windowMs: 0 }, true)
    return keys instanceof Promise ? keys.then(({ derivedKey }) => run(derivedKey)) : run(keys.derivedKey)
  }
}
