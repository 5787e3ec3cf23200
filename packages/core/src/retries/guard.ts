import { endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { outcomeOf, StoreError, StoreTimeout } from '../contract/errors.ts'
import type { Call } from '../http/call.ts'
import { checkedNumber } from '../contract/names.ts'
import type { EndpointName, Reconciled, ReconcileContext, StorePort } from '../contract/store-port.ts'
import { Attempt, type AttemptOptions } from './attempt.ts'
import { type CalledClick, type CheckedInput, identifyClick, keepsItsClicks, readIdempotencyKey } from './click.ts'
import { PendingClick } from './pending-click.ts'
import type { RetryOptions } from './retry-options.ts'
import type { Claim, Click, Outcome } from './ledger.ts'
import { memoryLedger } from './memory-ledger.ts'
import { dayMs, stopped } from './protocol.ts'
import { type Runtime, systemRuntime } from './runtime.ts'

/** What a store is told about the attempts that it is asked about. */
export type ReconcileFacts = Pick<
  ReconcileContext,
  'idempotencyKey' | 'clickIdentity' | 'firstAttemptAt' | 'lastAttemptAt' | 'ledgerIsYoung'
>

/** What the guard uses of the integration. */
export interface GuardSettings {
  readonly timeoutMs: number
  /** Separates the clicks of shops that share a ledger. */
  readonly scope: string
  /** Called with a sentence for the log. */
  readonly onNotice: (notice: string) => void
  /** The clock and timers; default those of the system. */
  readonly runtime?: Runtime | undefined
}

/** A request for a change, before it runs. */
export interface Mutation {
  readonly call: Call
  readonly name: EndpointName
  readonly input: CheckedInput
  readonly testMode: boolean
  readonly store: StorePort
  /** The store's method that makes the change. */
  readonly method: object
  /** Calls the store's method; throws what it throws, and StoreTimeout. */
  run(idempotencyKey: string, click: CalledClick): Promise<unknown>
  /** Asks the store how earlier attempts ended, for at most some milliseconds; throws what the store throws. */
  reconcile(asked: ReconcileFacts, timeoutMs: number): Promise<Reconciled>
  /** Called when the ledger could not store an outcome: the click has run, so its response is sent. */
  onLedgerError(error: unknown): void
}

/** How a change succeeded. */
export interface Guarded {
  /** Whether it is the replay of another request, so that the store's method did not run. */
  readonly replayed: boolean
  /** Whether the request has an `Idempotency-Key`. */
  readonly named: boolean
}

/** Runs a change unless it ran already; throws what the store throws, or StoreError if it may not run now. */
export type Guard = (mutation: Mutation) => Promise<Guarded>

/** How long a lost process keeps a click beyond the time of a request, in milliseconds. */
const leaseMarginMs = 5000
/** How long ended clicks stay at least, in milliseconds: longer than an outcome is stored again in the background. */
const retainMs = 60_000
/** How much time a commit gets before the response is due, in milliseconds; half of the time of a request that has less. */
const commitMs = 2000
/** Longest pause before a ledger is asked again, in milliseconds. */
const longestPauseMs = 500
/** Seconds after which a retry makes sense: while an attempt runs, and where the store can be asked (decision 14). */
const retryAfter = { running: 5, reconcile: 30 } as const

/** Makes the guard that lets a click count once, over retries, double clicks and several processes (RETRY-1 to RETRY-11). */
export function createGuard(options: RetryOptions, settings: GuardSettings): Guard {
  const { timeoutMs, scope, onNotice, runtime = systemRuntime } = settings
  const { ledger: shared = memoryLedger({ onNotice }), windows = {} } = options
  for (const [name, window] of Object.entries(windows)) checkedNumber(`retries.windows.${name}`, window, dayMs, 0)
  const windowsMs = forEachEndpoint((name) => windows[name] ?? endpointRow(name).retryWindowMs ?? 0)
  const leaseMs = timeoutMs + leaseMarginMs
  const keptMs = Math.max(retainMs, timeoutMs + leaseMs)
  /** The last attempt of each customer in this process: a repeat waits for its end instead of reading the ledger again and again. */
  const running = new Map<string, Ending>()
  /** The click of each customer whose method keeps it. */
  const keeping = new Map<string, Ending>()
  const backlog = { waiting: 0 }
  let hasWarned = false

  return (mutation) => {
    const { call, name, store, method, input, testMode } = mutation
    const arrivedAt = runtime.now()
    const key = readIdempotencyKey(call)
    const keeps = keepsItsClicks(method)
    const ledger = store.ledger ?? shared
    const isLocal = (keeps ? store.ledger : ledger)?.isLocal === true && store.reconcile === undefined
    const request = { endpoint: name, input, scope, testMode, key, windowMs: windowsMs[name] }
    const start = (click: Click): Promise<Guarded> =>
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
      // A success that is committed with the change: a lost attempt made none, so the next one runs under the same key.
      repeatableMs: isOutside || endpointRow(name).repeatable === true ? Infinity : honouredMs,
      runtime,
      timeoutMs,
      arrivedAt,
      backlog,
    }
  }

  /** What may still be done, in milliseconds: a request waits until `timeoutMs` after its arrival (decision 19). */
  function leftMs(arrivedAt: number): number {
    return arrivedAt + timeoutMs - runtime.now()
  }

  /** Runs a click through a ledger: claims it, asks the store about earlier attempts, runs it, settles it. */
  async function runClaimed(mutation: Mutation, attempt: Attempt): Promise<Guarded> {
    const { click } = attempt
    const named = click.name !== undefined
    const claimed = claim(mutation, attempt)
    const mayRun = claimed instanceof Promise ? await claimed : claimed
    if (!mayRun) return { replayed: true, named }
    const ending = markRunning(running, click)
    try {
      const asksLater = mutation.store.reconcile !== undefined
      await mutation.run(attempt.key, { identity: asksLater ? clickIdentityOf(click) : undefined })
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

  /** Claims a click; returns `false` for a replay. */
  function claim(mutation: Mutation, attempt: Attempt): boolean | Promise<boolean> {
    const first = attempt.claim()
    // Most clicks: nothing is known of them, and the ledger is in memory.
    if (!(first instanceof Promise) && first.state === 'claimed' && !attempt.isYoung) return true
    return followClaim(mutation, attempt, first)
  }

  /** Waits for an attempt that runs, and asks the store where it must. */
  async function followClaim(mutation: Mutation, attempt: Attempt, first: Claim | Promise<Claim>): Promise<boolean> {
    const { click } = attempt
    const { arrivedAt } = attempt.options
    const isLate = () => leftMs(arrivedAt) < timeoutMs / 2
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
        if (attempt.isYoung && click.name === undefined && mutation.store.reconcile === undefined) warnOfYouth()
        return true
      }
      const answer = await askStore(mutation, attempt, found)
      if (answer === 'applied') {
        // The earlier attempt has an entry in the order of the customer's changes (decision 24).
        if (click.name !== undefined && found.firstMsAgo !== undefined)
          attempt.held = { gate: found.held, order: found.held }
        await attempt.settle(successOf(mutation), mutation.onLedgerError)
        return false
      }
      if (answer === 'unknown') {
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
    throw new StoreError('store_unavailable', undefined, { retryAfter: retryAfter.running })
  }

  function askStore(mutation: Mutation, attempt: Attempt, claimed: ReconcileClaim): Promise<Reconciled> {
    const { firstMsAgo, lastMsAgo } = claimed
    const at = (msAgo: number | undefined) => (msAgo === undefined ? undefined : runtime.date() - msAgo)
    const facts = {
      idempotencyKey: attempt.key,
      clickIdentity: clickIdentityOf(attempt.click),
      firstAttemptAt: at(firstMsAgo),
      lastAttemptAt: at(lastMsAgo),
      ledgerIsYoung: attempt.isYoung && firstMsAgo === undefined,
    }
    // What is left after it must be enough for an attempt.
    const limitMs = Math.max(1, leftMs(attempt.options.arrivedAt) - timeoutMs / 2)
    return mutation.reconcile(facts, limitMs).catch(() => 'unknown' as const)
  }

  /** Without `reconcile` nothing else protects an unnamed click (decision 29). */
  function warnOfYouth(): void {
    if (!hasWarned) onNotice(youngNotice)
    hasWarned = true
  }

  /** Waits before the ledger is read again: for an attempt of this process until it ends, else longer each time. */
  async function waitForEnd(ending: Ending | undefined, turn: number, arrivedAt: number): Promise<void> {
    const left = leftMs(arrivedAt)
    if (left <= 0) throw stopped('running', retryAfter.running).error
    const pauseMs = Math.min(longestPauseMs, 10 * 2 ** turn) * (0.5 + runtime.random() / 2)
    await new Promise<void>((resume) => {
      const cancel = runtime.after(Math.min(left, ending === undefined ? pauseMs : longestPauseMs), resume)
      ending?.waiting.push(() => {
        cancel()
        resume()
      })
    })
  }

  /** Runs a click of a method that keeps it in the transaction of its change. */
  async function runKeeping(mutation: Mutation, click: Click, arrivedAt: number): Promise<Guarded> {
    // A click that waits for another one of its customer in this process holds no connection of the database meanwhile.
    for (let before = keeping.get(click.customer), turn = 0; before !== undefined; turn++) {
      if (leftMs(arrivedAt) < timeoutMs / 2) throw stopped('running', retryAfter.running).error
      await waitForEnd(before, turn, arrivedAt)
      before = keeping.get(click.customer)
    }
    // Before anything else can run: the next one waits for this one.
    const ending = markRunning(keeping, click)
    let outside: Attempt | undefined
    const inTransaction = optionsFor(mutation, arrivedAt)
    const pending = new PendingClick({
      click,
      asked: { ...inTransaction, click, waitedMs: 0, canReconcile: false, isYoung: false },
      commitBy: runtime.now() + timeoutMs - Math.min(commitMs, timeoutMs / 2),
      waitedMs: () => runtime.now() - arrivedAt,
      claim: async (ledger) => {
        const attempt = new Attempt(click, ledger, optionsFor(mutation, arrivedAt, true))
        outside = attempt
        const mayRun = await claim(mutation, attempt)
        if (!mayRun || attempt.held === undefined) return undefined
        return { ...attempt.held, settle: (outcome) => attempt.settle(outcome, mutation.onLedgerError) }
      },
    })
    /** The transaction was not committed. */
    const fail = async () => pending.outside?.settle(pending.failsAs)
    /** The caller got no response: the success is remembered for longer. */
    const extend = () => {
      const keptIn = pending.ledger ?? mutation.store.ledger
      if (keptIn === undefined || pending.held === undefined || pending.isReplayed) return
      const kept = new Attempt(click, keptIn, inTransaction)
      kept.held = { gate: pending.held.gate, order: undefined }
      void kept.settle('unreported')
    }
    try {
      await mutation.run(pending.idempotencyKey, { pending })
      if (hasLeft(mutation.call)) extend()
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

/** Lets repeats in this process wait for the end of an attempt. */
function markRunning(attempts: Map<string, Ending>, { customer }: Click): Ending {
  const ending: Ending = { waiting: [] }
  attempts.set(customer, ending)
  return ending
}

function endRunning(attempts: Map<string, Ending>, { customer }: Click, ending: Ending): void {
  if (attempts.get(customer) === ending) attempts.delete(customer)
  for (const resume of ending.waiting) resume()
}

/** Judged before the response is written; a connection that is lost later has the normal window (decision 23). */
function successOf({ call }: Mutation): Outcome {
  return hasLeft(call) ? 'unreported' : 'succeeded'
}

function failureOf(error: unknown): Outcome {
  return outcomeOf(error) === 'refused' ? 'rejected' : 'unknown'
}

/** The requests that wait for the end of an attempt. */
interface Ending {
  readonly waiting: (() => void)[]
}

const youngNotice =
  'The ledger is new or has lost its data. For 24 hours, a repeat of an earlier request without an Idempotency-Key runs again. To prevent this, implement `reconcile` in your store.'

type ReconcileClaim = Extract<Claim, { readonly state: 'reconcile' }>

function clickIdentityOf({ name, fingerprint, windowMs }: Click): ReconcileContext['clickIdentity'] {
  return { named: name !== undefined, fingerprint, windowMs }
}

/** Whether the caller has left; an adapter without `hasLeft` calls its listener immediately then. */
function hasLeft(call: Call): boolean {
  if (call.hasLeft !== undefined) return call.hasLeft()
  let left = false
  const stopListening = call.onAbort?.(() => {
    left = true
  })
  stopListening?.()
  return left
}

/** The guard of `retries: false`: every request runs, and the store still gets the same key for the same `Idempotency-Key`. */
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
