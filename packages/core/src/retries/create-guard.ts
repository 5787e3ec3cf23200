import { forEachEndpoint } from '../endpoints/endpoint-names.ts'
import { endpointRow } from '../endpoints/index.ts'
import { StoreError } from '../errors.ts'
import { checkedNumber } from '../pipeline/check-options.ts'
import { clickOf } from './click-of.ts'
import type { Guard, Guarded, Mutation } from './guard.ts'
import { keepsItsClicks } from './keeps-clicks.ts'
import type { Click } from './click.ts'
import type { Ledger } from './ledger.ts'
import { memoryLedger } from './memory-ledger.ts'
import { pendingClick } from './pending-click.ts'
import { readIdempotencyKey } from './read-idempotency-key.ts'
import type { RetryOptions } from './retry-options.ts'
import { runClaimed } from './run-claimed.ts'
import { within } from './within.ts'

/** How long a lost process may keep a click beyond the time of a call, in milliseconds. */
const leaseMarginMs = 5000

/** Makes the guard that lets a click count once, over retries, double clicks and several processes (RETRY-1 to RETRY-11). */
export function createGuard(options: RetryOptions, timeoutMs: number): Guard {
  const { ledger = memoryLedger(), windows = {} } = options
  for (const [name, window] of Object.entries(windows))
    checkedNumber(`retries.windows.${name}`, window, 24 * 60 * 60_000, 0)
  const windowsMs = forEachEndpoint((name) => windows[name] ?? endpointRow(name).retryWindowMs ?? 0)
  const longestWindowMs = Math.max(...Object.values(windowsMs))
  const leaseMs = timeoutMs + leaseMarginMs
  const times = forEachEndpoint((name) => ({ leaseMs, windowMs: windowsMs[name], longestWindowMs }))
  /** Calls that run in this process, by the click. */
  const inFlight = new Map<string, Promise<Guarded>>()

  return (mutation) => {
    const { call, name, store, method } = mutation
    const key = readIdempotencyKey(call)
    const keptIn = keepsItsClicks(method) ? undefined : (store.ledger ?? ledger)
    const isLocal = keptIn?.isLocal === true && store.marksClicks !== true
    const click = clickOf(mutation, key, times[name], isLocal)
    return click instanceof Promise
      ? click.then((made) => start(mutation, made, keptIn))
      : start(mutation, click, keptIn)
  }

  function start(mutation: Mutation, click: Click, keptIn: Ledger | undefined): Promise<Guarded> {
    // The caller of a named one is told that it runs; a ledger of this process wakes its repeats itself.
    const isJoined = !click.named && keptIn?.isLocal !== true
    return isJoined ? runOrJoin(mutation, click, keptIn) : run(mutation, click, keptIn)
  }

  /** Runs a click; `keptIn` is `undefined` for a method that keeps its clicks itself. */
  function run(mutation: Mutation, click: Click, keptIn: Ledger | undefined): Promise<Guarded> {
    return keptIn === undefined
      ? runKeeping(mutation, click, timeoutMs)
      : runClaimed(mutation, click, keptIn, timeoutMs)
  }

  function runOrJoin(mutation: Mutation, click: Click, keptIn: Ledger | undefined): Promise<Guarded> {
    const first = inFlight.get(click.id)
    if (first !== undefined) return join(first, mutation, click, keptIn)
    const own = runFirst(mutation, click, keptIn)
    inFlight.set(click.id, own)
    return own
  }

  async function runFirst(mutation: Mutation, click: Click, keptIn: Ledger | undefined): Promise<Guarded> {
    try {
      return await run(mutation, click, keptIn)
    } finally {
      inFlight.delete(click.id)
    }
  }

  /** Is the repeat of a call that runs in this process, or runs after it where that one fails. */
  async function join(
    first: Promise<Guarded>,
    mutation: Mutation,
    click: Click,
    keptIn: Ledger | undefined,
  ): Promise<Guarded> {
    if (await hasSucceeded(first, click)) return { replayed: true, named: false }
    return runOrJoin(mutation, click, keptIn)
  }

  /** Waits for the first of two calls; throws StoreError `request_in_progress` when the time of the second is over before. */
  function hasSucceeded(first: Promise<unknown>, { arrivedAt }: Click): Promise<boolean> {
    const ended = first.then(
      () => true,
      () => false,
    )
    const leftMs = Math.max(0, arrivedAt + timeoutMs - performance.now())
    return within(ended, leftMs).catch(() => {
      throw new StoreError('request_in_progress')
    })
  }
}

/** Runs a click of a method that keeps it itself. */
async function runKeeping(mutation: Mutation, click: Click, timeoutMs: number): Promise<Guarded> {
  const pending = pendingClick(click, mutation.call, timeoutMs)
  const kept = await mutation.run(click.idempotencyKey, { pending })
  return { replayed: kept === 'replayed', named: click.named }
}
