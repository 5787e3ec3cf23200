import { forEachEndpoint } from '../endpoints/endpoint-names.ts'
import { endpointRow } from '../endpoints/index.ts'
import { outcomeOf, StoreError } from '../errors.ts'
import type { Call } from '../pipeline/call.ts'
import type { ReconcileFacts } from '../pipeline/ask-store.ts'
import { type CalledClick, StoreTimeout } from '../pipeline/call-store.ts'
import { checkedNumber } from '../pipeline/check-options.ts'
import type { CheckedInput } from '../pipeline/read-input.ts'
import type { EndpointName, Reconciled, ReconcileContext, StorePort } from '../store-port.ts'
import { type Attempts, createAttempts, type HeldClick, type LedgerClaim } from './attempts.ts'
import { identifyClick, readIdempotencyKey } from './click.ts'
import { keepsItsClicks } from './keeps-clicks.ts'
import { PendingClick } from './pending-click.ts'
import type { RetryOptions } from './retry-options.ts'
import type { Asked, Click, Ledger, Outcome } from './ledger.ts'
import { memoryLedger } from './memory-ledger.ts'
import { dayMs } from './protocol.ts'
import { type Runtime, systemRuntime } from './runtime.ts'

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
  const attemptsOf = new WeakMap<Ledger, Attempts>()
  /** The last attempt of each customer in this process: a repeat waits for its end instead of reading the ledger again and again. */
  const running = new Map<string, Ending>()
  /** The click of each customer whose method keeps it. */
  const keeping = new Map<string, Ending>()
  let hasWarned = false

  /** Without `reconcile` nothing else protects an unnamed click (decision 29). */
  function warnOfYouth(): void {
    if (hasWarned) return
    hasWarned = true
    onNotice(youngNotice)
  }

  return (mutation) => {
    const { call, name, store, method, input, testMode } = mutation
    const arrivedAt = runtime.now()
    const key = readIdempotencyKey(call)
    const keeps = keepsItsClicks(method)
    const ledger = store.ledger ?? shared
    const isLocal = (keeps ? store.ledger : ledger)?.isLocal === true && store.reconcile === undefined
    const request = { endpoint: name, input, scope, testMode, key, windowMs: windowsMs[name] }
    const start = (click: Click): Promise<Guarded> =>
      keeps ? runKeeping(mutation, click, arrivedAt) : runClaimed(mutation, click, ledger, arrivedAt)
    const click = identifyClick(request, isLocal)
    return click instanceof Promise ? click.then(start) : start(click)
  }

  function attemptsIn(ledger: Ledger): Attempts {
    const known = attemptsOf.get(ledger) ?? createAttempts(ledger, runtime, timeoutMs)
    attemptsOf.set(ledger, known)
    return known
  }

  /** What may still be done, in milliseconds: a request waits until `timeoutMs` after its arrival (decision 19). */
  function leftMs(arrivedAt: number): number {
    return arrivedAt + timeoutMs - runtime.now()
  }

  /** Runs a click through a ledger: claims it, asks the store about earlier attempts, runs it, settles it. */
  async function runClaimed(mutation: Mutation, click: Click, ledger: Ledger, arrivedAt: number): Promise<Guarded> {
    const attempts = attemptsIn(ledger)
    const claimed = claimOrReplay(mutation, click, ledger, arrivedAt)
    const held = claimed instanceof Promise ? await claimed : claimed
    const named = click.name !== undefined
    if (held === undefined) return { replayed: true, named }
    const settle = (outcome: Outcome) => attempts.settle(click, held, outcome, mutation.onLedgerError)
    const ending = markRunning(running, click)
    try {
      await mutation.run(held.gate.key, { identity: identityFor(mutation, click) })
      // Judged before the response is written; a connection that is lost later has the normal window (decision 23).
      const settling = settle(hasLeft(mutation.call) ? 'unreported' : 'succeeded')
      if (settling !== undefined) await settling
      return { replayed: false, named }
    } catch (error) {
      if (error instanceof StoreTimeout) {
        attempts.renewUntil(click, held, error.end)
        error.end.then(
          () => settle('unreported'),
          (late: unknown) => settle(outcomeOf(late) === 'refused' ? 'rejected' : 'unknown'),
        )
      } else await settle(outcomeOf(error) === 'refused' ? 'rejected' : 'unknown')
      throw error
    } finally {
      endRunning(running, click, ending)
    }
  }

  /** Claims a click; returns `undefined` for a replay. */
  function claimOrReplay(
    mutation: Mutation,
    click: Click,
    ledger: Ledger,
    arrivedAt: number,
    isOutside = false,
  ): HeldClick | undefined | Promise<HeldClick | undefined> {
    const asked = askedOf(mutation, click, isOutside)
    const first = attemptsIn(ledger).claim(click, asked, arrivedAt)
    // Most clicks: nothing is known of them, and the ledger is in memory.
    if (!(first instanceof Promise) && first.state === 'claimed' && !first.isYoung) return first.held
    return followClaim(mutation, click, ledger, arrivedAt, asked, first)
  }

  /** Waits for an attempt that runs, and asks the store where it must. */
  async function followClaim(
    mutation: Mutation,
    click: Click,
    ledger: Ledger,
    arrivedAt: number,
    asked: Asked,
    first: LedgerClaim | Promise<LedgerClaim>,
  ): Promise<HeldClick | undefined> {
    const attempts = attemptsIn(ledger)
    let seen: number | undefined
    let claim = await first
    for (let turn = 0; ; turn++) {
      if (turn > 0) claim = await attempts.claim(click, { ...asked, seen }, arrivedAt)
      if (claim.state === 'stopped') throw claim.error
      if (claim.state === 'replayed' || claim.state === 'ran') return undefined
      if (claim.state === 'running') {
        if (click.name !== undefined)
          throw new StoreError('request_in_progress', undefined, { retryAfter: retryAfter.running })
        seen = claim.seen
        await waitForEnd(running.get(click.customer), turn, arrivedAt)
        continue
      }
      const { held } = claim
      if (leftMs(arrivedAt) < timeoutMs / 2) throw await tooLate(held)
      if (claim.state === 'claimed') {
        if (claim.isYoung && click.name === undefined && mutation.store.reconcile === undefined) warnOfYouth()
        return held
      }
      const found = await askStore(claim, held)
      if (found === 'applied') {
        // The earlier attempt has an entry in the order of the customer's changes (decision 24).
        const order = click.name === undefined || claim.firstMsAgo === undefined ? undefined : held.gate
        const outcome = hasLeft(mutation.call) ? 'unreported' : 'succeeded'
        await attempts.settle(click, { ...held, order }, outcome, mutation.onLedgerError)
        return undefined
      }
      if (found === 'unknown') {
        await attempts.settle(click, held, 'unknown', mutation.onLedgerError)
        throw new StoreError('store_unavailable', unknownMessage, { retryAfter: retryAfter.reconcile })
      }
      const started = await attempts.start(click, held)
      if (started === 'lost') continue
      if (leftMs(arrivedAt) < timeoutMs / 2) throw await tooLate(started)
      return started
    }

    async function tooLate(held: HeldClick): Promise<StoreError> {
      await attempts.settle(click, held, 'released')
      return new StoreError('store_unavailable', undefined, { retryAfter: retryAfter.running })
    }

    function askStore(ages: ReconcileAges, held: HeldClick): Promise<Reconciled> {
      const at = (msAgo: number | undefined) => (msAgo === undefined ? undefined : runtime.date() - msAgo)
      const facts = {
        idempotencyKey: held.gate.key,
        clickIdentity: clickIdentityOf(click),
        firstAttemptAt: at(ages.firstMsAgo),
        lastAttemptAt: at(ages.lastMsAgo),
        ledgerIsYoung: ages.isYoung,
      }
      // What is left after it must be enough for an attempt.
      const limitMs = Math.max(1, leftMs(arrivedAt) - timeoutMs / 2)
      return mutation.reconcile(facts, limitMs).catch(() => 'unknown' as const)
    }
  }

  /** Every field is written out: copying them takes as long as the judgement. */
  function askedOf({ name, store }: Mutation, click: Click, isOutside: boolean): Asked {
    const { honoursIdempotencyKey: honours, reconcile } = store
    const honouredMs = typeof honours === 'object' ? honours.forMs : honours === true ? Infinity : 0
    return {
      click,
      attempt: runtime.id(),
      leaseMs,
      retainMs: keptMs,
      waitedMs: 0,
      seen: undefined,
      canReconcile: reconcile !== undefined && !isOutside,
      // A success that is committed with the change: a lost attempt made none, so the next one runs under the same key.
      repeatableMs: isOutside || endpointRow(name).repeatable === true ? Infinity : honouredMs,
      isYoung: false,
    }
  }

  /** Waits before the ledger is read again: for an attempt of this process until it ends, else longer each time. */
  async function waitForEnd(ending: Ending | undefined, turn: number, arrivedAt: number): Promise<void> {
    const left = leftMs(arrivedAt)
    if (left <= 0) throw new StoreError('store_unavailable', inProgress, { retryAfter: retryAfter.running })
    const pauseMs = Math.min(longestPauseMs, 10 * 2 ** turn) * (0.5 + runtime.random() / 2)
    await new Promise<void>((resume) => {
      const cancel = runtime.after(Math.min(left, ending === undefined ? pauseMs : longestPauseMs), resume)
      ending?.waiting.push(() => {
        cancel()
        resume()
      })
    })
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

  /** Runs a click of a method that keeps it in the transaction of its change. */
  async function runKeeping(mutation: Mutation, click: Click, arrivedAt: number): Promise<Guarded> {
    // A click that waits for another one of its customer in this process holds no connection of the database meanwhile.
    for (let before = keeping.get(click.customer), turn = 0; before !== undefined; turn++) {
      if (leftMs(arrivedAt) < timeoutMs / 2)
        throw new StoreError('store_unavailable', inProgress, { retryAfter: retryAfter.running })
      await waitForEnd(before, turn, arrivedAt)
      before = keeping.get(click.customer)
    }
    // Before anything else can run: the next one waits for this one.
    const ending = markRunning(keeping, click)
    const startedAt = runtime.now()
    let outside: Ledger | undefined
    const pending = new PendingClick({
      click,
      asked: { ...askedOf(mutation, click, false), canReconcile: false },
      commitBy: startedAt + timeoutMs - Math.min(commitMs, timeoutMs / 2),
      waitedMs: () => runtime.now() - arrivedAt,
      claim: async (ledger) => {
        outside = ledger
        const held = await claimOrReplay(mutation, click, ledger, arrivedAt, true)
        if (held === undefined) return undefined
        return { ...held, settle: (how) => attemptsIn(ledger).settle(click, held, how, mutation.onLedgerError) }
      },
    })
    /** The transaction was not committed. */
    const fail = async () => pending.outside?.settle(pending.failsAs)
    const extend = () => {
      const keptIn = pending.ledger ?? mutation.store.ledger
      const { held } = pending
      if (keptIn === undefined || held === undefined || pending.isReplayed) return
      void attemptsIn(keptIn).settle(click, { gate: held.gate, order: undefined }, 'unreported')
    }
    try {
      await mutation.run(pending.idempotencyKey, { pending })
      if (hasLeft(mutation.call)) extend()
      return { replayed: pending.isReplayed, named: click.name !== undefined }
    } catch (error) {
      if (error instanceof StoreTimeout) {
        error.end.then(extend, fail)
        if (outside !== undefined && pending.held) attemptsIn(outside).renewUntil(click, pending.held, error.end)
      } else await fail()
      throw error
    } finally {
      endRunning(keeping, click, ending)
    }
  }
}

/** The requests that wait for the end of an attempt. */
interface Ending {
  readonly waiting: (() => void)[]
}

const unknownMessage = 'The outcome of an earlier attempt is unknown. Retry after the time in Retry-After.'
const youngNotice =
  'The ledger is new or has lost its data: a repeat of an unnamed click from before counts twice, for 24 hours. A store with `reconcile` is asked first.'
const inProgress = 'The same request is still running. Retry after the time in Retry-After.'

interface ReconcileAges {
  readonly firstMsAgo?: number
  readonly lastMsAgo?: number
  readonly isYoung: boolean
}

function clickIdentityOf({ name, fingerprint, windowMs }: Click): ReconcileContext['clickIdentity'] {
  return { named: name !== undefined, fingerprint, windowMs }
}

function identityFor({ store }: Mutation, click: Click): ReconcileContext['clickIdentity'] | undefined {
  return store.reconcile === undefined ? undefined : clickIdentityOf(click)
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
