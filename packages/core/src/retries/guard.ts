import { endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { outcomeOf, StoreError, StoreTimeout } from '../contract/errors.ts'
import type { Call } from '../http/call.ts'
import { checkedNumber } from '../contract/names.ts'
import type { EndpointName, Reconciled, ReconcileContext, StorePort } from '../contract/store-port.ts'
import { Attempt, type AttemptOptions } from './attempt.ts'
import { type CalledClick, type CheckedInput, identifyClick, storesOwnClicks, readIdempotencyKey } from './click.ts'
import { PendingClick } from './pending-click.ts'
import type { RetryOptions } from './retry-options.ts'
import type { Claim, ClickKeys, Outcome } from './ledger.ts'
import { memoryLedger } from './memory-ledger.ts'
import { dayMs, isSameClick, stopped } from './protocol.ts'
import { type Runtime, systemRuntime } from './runtime.ts'

/** Facts about earlier attempts that are passed to `reconcile`. */
export type ReconcileFacts = Pick<
  ReconcileContext,
  'idempotencyKey' | 'clickIdentity' | 'firstAttemptAt' | 'lastAttemptAt' | 'ledgerIsYoung'
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

/** Result of a successful change. */
export interface Guarded {
  /** Whether the response is a replay. If so, the store's method did not run. */
  readonly replayed: boolean
  /** Whether the request has an `Idempotency-Key`. */
  readonly named: boolean
}

/** Runs a change unless it has already run. Throws the errors of the store, or StoreError if the change cannot run now. */
export type Guard = (mutation: Mutation) => Promise<Guarded>

/** Difference between the lease and the time limit of a request, in milliseconds. */
const leaseMarginMs = 5000
/** Minimum time for which ended clicks are stored, in milliseconds. Longer than the background retries of `Attempt.settle`. */
const retainMs = 60_000
/** Time reserved for a commit, in milliseconds; at most half of the time limit. */
const commitMs = 2000
/** Maximum pause between reads of a ledger, in milliseconds. */
const maxPauseMs = 500
/** Values of `Retry-After` in seconds: while an attempt runs, and if `reconcile` returns `unknown` (decision 14). */
const retryAfter = { running: 5, reconcile: 30 } as const

/**
 * Creates the guard, which runs a click only once despite retries, double clicks and several processes (RETRY-1 to
 * RETRY-11).
 */
export function createGuard(options: RetryOptions, settings: GuardSettings): Guard {
  const { timeoutMs, scope, onNotice, runtime = systemRuntime } = settings
  const { ledger: shared = memoryLedger({ onNotice }), windows = {} } = options
  for (const [name, window] of Object.entries(windows)) checkedNumber(`retries.windows.${name}`, window, dayMs, 0)
  const windowsMs = forEachEndpoint((name) => windows[name] ?? endpointRow(name).retryWindowMs ?? 0)
  const leaseMs = timeoutMs + leaseMarginMs
  const keptMs = Math.max(retainMs, timeoutMs + leaseMs)
  /** Last attempt of each customer in this process. A repeat resumes as soon as this attempt ends. */
  const running = new Map<string, Ending>()
  /** For each customer, the running click of a method marked with `storesClicks`. */
  const keeping = new Map<string, Ending>()
  const backlog = { waiting: 0 }
  let hasWarned = false

  return (mutation) => {
    const { call, name, store, method, input, testMode } = mutation
    const arrivedAt = runtime.now()
    const key = readIdempotencyKey(call)
    const keeps = storesOwnClicks(method)
    const ledger = store.ledger ?? shared
    const isLocal = (keeps ? store.ledger : ledger)?.isLocal === true && store.reconcile === undefined
    const request = { endpoint: name, input, scope, testMode, key, windowMs: windowsMs[name] }
    const start = (click: ClickKeys): Promise<Guarded> =>
      keeps
        ? runKeeping(mutation, click, arrivedAt)
        : runClaimed(mutation, new Attempt(click, ledger, optionsFor(mutation, arrivedAt)))
    const click = identifyClick(request, isLocal)
    return click instanceof Promise ? click.then(start) : start(click)
  }

  function optionsFor({ name, store }: Mutation, arrivedAt: number, isOutside = false): AttemptOptions {
    const { honoursIdempotencyKey: honours, reconcile } = store
    const honouredMs = typeof honours === 'object' ? honours.forMs : honours === true ? Infinity : 0
    return {
      attempt: runtime.id(),
      leaseMs,
      retainMs: keptMs,
      canReconcile: reconcile !== undefined && !isOutside,
      // If `isOutside` is true, the change and its success are committed together. A lost attempt therefore made no change.
      repeatableMs: isOutside || endpointRow(name).repeatable === true ? Infinity : honouredMs,
      runtime,
      timeoutMs,
      arrivedAt,
      backlog,
    }
  }

  /** Returns the time until `timeoutMs` after the arrival of a request, in milliseconds (decision 19). */
  function remainingMs(arrivedAt: number): number {
    return arrivedAt + timeoutMs - runtime.now()
  }

  /** Claims a click in a ledger, reconciles earlier attempts, runs the method and stores the outcome. */
  async function runClaimed(mutation: Mutation, attempt: Attempt): Promise<Guarded> {
    const { click } = attempt
    const named = click.name !== undefined
    const claimed = claim(mutation, attempt)
    const mayRun = claimed instanceof Promise ? await claimed : claimed
    if (!mayRun) return { replayed: true, named }
    const ending = markRunning(running, click)
    try {
      const canReconcile = mutation.store.reconcile !== undefined
      await mutation.run(attempt.key, { identity: canReconcile ? clickIdentityOf(click) : undefined })
      const settling = attempt.settle(successOf(mutation), mutation.onLedgerError)
      if (settling !== undefined) await settling
      return { replayed: false, named }
    } catch (error) {
      if (error instanceof StoreTimeout) {
        attempt.renewUntil(error.end)
        error.end.then(
          () => attempt.settle('unreported', mutation.onLedgerError),
          (late: unknown) => attempt.settle(failureOf(late), mutation.onLedgerError),
        )
      } else await attempt.settle(failureOf(error), mutation.onLedgerError)
      throw error
    } finally {
      endRunning(running, click, ending)
    }
  }

  /** Claims a click. Returns `false` for a replay. */
  function claim(mutation: Mutation, attempt: Attempt): boolean | Promise<boolean> {
    const first = attempt.claim()
    // Fast path for a new click in a memory ledger.
    if (!(first instanceof Promise) && first.state === 'claimed' && !attempt.isYoung) return true
    return followClaim(mutation, attempt, first)
  }

  /** Waits for a running attempt, and reconciles earlier attempts if necessary. Returns `false` for a replay. */
  async function followClaim(mutation: Mutation, attempt: Attempt, first: Claim | Promise<Claim>): Promise<boolean> {
    const { click } = attempt
    const { arrivedAt } = attempt.options
    const isLate = () => remainingMs(arrivedAt) < timeoutMs / 2
    let found = await first
    let seen: number | undefined
    for (let turn = 0; ; turn++) {
      if (found.state === 'stopped') throw found.error
      if (found.state === 'replayed' || found.state === 'ran') return false
      if (found.state === 'running') {
        if (click.name !== undefined)
          throw new StoreError('request_in_progress', undefined, { retryAfter: retryAfter.running })
        await waitForEnd(running.get(click.customer), turn, arrivedAt)
        seen = found.seen
        found = await attempt.claim(seen)
        continue
      }
      if (isLate()) break
      if (found.state === 'claimed') {
        if (attempt.isYoung && click.name === undefined && mutation.store.reconcile === undefined) warnOfYoungLedger()
        return true
      }
      const reconciled = await reconcileEarlier(mutation, attempt, found)
      if (reconciled === 'applied') {
        // The earlier attempt is already in the sequence of the customer's changes (decision 24).
        if (click.name !== undefined && found.firstMsAgo !== undefined)
          attempt.held = { gate: found.held, order: found.held }
        await attempt.settle(successOf(mutation), mutation.onLedgerError)
        return false
      }
      if (reconciled === 'unknown') {
        await attempt.settle('unknown', mutation.onLedgerError)
        throw stopped('unknown', retryAfter.reconcile).error
      }
      if (await attempt.start()) {
        if (isLate()) break
        return true
      }
      found = await attempt.claim(seen)
    }
    await attempt.settle('released')
    const outcome = found.state === 'reconcile' ? 'unknown' : 'refused'
    throw new StoreError('store_unavailable', undefined, { retryAfter: retryAfter.running, outcome })
  }

  function reconcileEarlier(mutation: Mutation, attempt: Attempt, claimed: ReconcileClaim): Promise<Reconciled> {
    const { firstMsAgo, lastMsAgo } = claimed
    const at = (msAgo: number | undefined) => (msAgo === undefined ? undefined : runtime.date() - msAgo)
    const facts = {
      idempotencyKey: attempt.key,
      clickIdentity: clickIdentityOf(attempt.click),
      firstAttemptAt: at(firstMsAgo),
      lastAttemptAt: at(lastMsAgo),
      ledgerIsYoung: attempt.isYoung && firstMsAgo === undefined,
    }
    // Reserves half of the time limit for the attempt.
    const limitMs = Math.max(1, remainingMs(attempt.options.arrivedAt) - timeoutMs / 2)
    return mutation.reconcile(facts, limitMs).catch(() => 'unknown' as const)
  }

  /** Warns once that the ledger is young and an unnamed click can therefore run twice (decision 29). */
  function warnOfYoungLedger(): void {
    if (!hasWarned) onNotice(youngNotice)
    hasWarned = true
  }

  /** Waits before the next read of the ledger until an attempt in this process ends, or with exponential backoff. */
  async function waitForEnd(ending: Ending | undefined, turn: number, arrivedAt: number): Promise<void> {
    const remaining = remainingMs(arrivedAt)
    if (remaining <= 0) throw stopped('running', retryAfter.running).error
    const pauseMs = Math.min(maxPauseMs, 10 * 2 ** turn) * (0.5 + runtime.random() / 2)
    await new Promise<void>((resume) => {
      const cancel = runtime.after(Math.min(remaining, ending === undefined ? pauseMs : maxPauseMs), resume)
      ending?.waiting.push(() => {
        cancel()
        resume()
      })
    })
  }

  /** Runs a click whose method stores the click in the same transaction as its change. */
  async function runKeeping(mutation: Mutation, click: ClickKeys, arrivedAt: number): Promise<Guarded> {
    const awaited: string[] = []
    // Waits for the customer's other clicks here, because a wait in the transaction would hold a database connection.
    for (let before = keeping.get(click.customer), turn = 0; before !== undefined; turn++) {
      if (remainingMs(arrivedAt) < timeoutMs / 2) throw stopped('running', retryAfter.running).error
      if (before.attempt !== undefined && isSameClick(before.click, click)) awaited.push(before.attempt)
      await waitForEnd(before, turn, arrivedAt)
      before = keeping.get(click.customer)
    }
    // An `await` between the loop and this line would let the customer's next click start at the same time.
    const inTransaction = optionsFor(mutation, arrivedAt)
    const ending = markRunning(keeping, click, inTransaction.attempt)
    let outside: Attempt | undefined
    const pending = new PendingClick({
      click,
      // A new property after a spread would make V8 in Node.js 20 create a hidden class for each click.
      request: { click, waitedMs: 0, isYoung: false, awaited, ...inTransaction, canReconcile: false },
      commitBy: runtime.now() + timeoutMs - Math.min(commitMs, timeoutMs / 2),
      waitedMs: () => runtime.now() - arrivedAt,
      claim: async (ledger) => {
        const { attempt: id } = inTransaction
        const attempt = new Attempt(click, ledger, { ...optionsFor(mutation, arrivedAt, true), attempt: id, awaited })
        outside = attempt
        const mayRun = await claim(mutation, attempt)
        if (!mayRun || attempt.held === undefined) return undefined
        return { ...attempt.held, settle: (outcome) => attempt.settle(outcome, mutation.onLedgerError) }
      },
    })
    /** Settles the claim outside the transaction if the transaction was not committed. */
    const fail = async () => pending.outside?.settle(pending.failsAs)
    /** Stores the success for longer, because the caller received no response. */
    const extend = () => {
      const changeLedger = pending.ledger ?? mutation.store.ledger
      if (changeLedger === undefined || pending.held === undefined || pending.isReplayed) return
      const stored = new Attempt(click, changeLedger, inTransaction)
      stored.held = { gate: pending.held.gate, order: undefined }
      void stored.settle('unreported')
    }
    try {
      await mutation.run(pending.idempotencyKey, { pending })
      if (hasDisconnected(mutation.call)) extend()
      return { replayed: pending.isReplayed, named: click.name !== undefined }
    } catch (error) {
      if (error instanceof StoreTimeout) {
        error.end.then(extend, fail)
        outside?.renewUntil(error.end)
      } else await fail()
      throw error
    } finally {
      endRunning(keeping, click, ending)
    }
  }
}

/** Registers a running attempt, so that repeats in this process can wait for its end. */
function markRunning(attempts: Map<string, Ending>, click: ClickKeys, attempt?: string): Ending {
  const ending: Ending = { click, attempt, waiting: [] }
  attempts.set(click.customer, ending)
  return ending
}

function endRunning(attempts: Map<string, Ending>, { customer }: ClickKeys, ending: Ending): void {
  if (attempts.get(customer) === ending) attempts.delete(customer)
  for (const resume of ending.waiting) resume()
}

/**
 * Returns `unreported` if the caller has already disconnected. If the caller disconnects later, the normal window
 * applies (decision 23).
 */
function successOf({ call }: Mutation): Outcome {
  return hasDisconnected(call) ? 'unreported' : 'succeeded'
}

function failureOf(error: unknown): Outcome {
  return outcomeOf(error) === 'refused' ? 'rejected' : 'unknown'
}

/** A running attempt, and callbacks of the requests that wait for its end. */
interface Ending {
  readonly click: ClickKeys
  /** Id of the attempt in the transaction of a method marked with `storesClicks`. */
  readonly attempt: string | undefined
  readonly waiting: (() => void)[]
}

const youngNotice =
  'The ledger is new or has lost its data. For 24 hours, a repeat of an earlier request without an Idempotency-Key runs again. To prevent this, implement `reconcile` in your store.'

type ReconcileClaim = Extract<Claim, { readonly state: 'reconcile' }>

function clickIdentityOf({ name, fingerprint, windowMs }: ClickKeys): ReconcileContext['clickIdentity'] {
  return { named: name !== undefined, fingerprint, windowMs }
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

/** Creates the guard for `retries: false`, which runs every request. Repeats of a named click have the same key. */
export function createUnguarded(scope: string): Guard {
  return (mutation) => {
    const { call, name, input, testMode } = mutation
    const key = readIdempotencyKey(call)
    if (key === undefined) return run(crypto.randomUUID())
    const click = identifyClick({ endpoint: name, input, scope, testMode, key, windowMs: 0 }, true)
    return click instanceof Promise ? click.then(({ derivedKey }) => run(derivedKey)) : run(click.derivedKey)

    function run(idempotencyKey = ''): Promise<Guarded> {
      return mutation.run(idempotencyKey, {}).then(() => ({ replayed: false, named: false }))
    }
  }
}
