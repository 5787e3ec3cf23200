import { StoreError } from '../errors.ts'
import type { Claim, Click, Ledger, Outcome } from './ledger.ts'

/** How a ledger in memory is set up. */
export interface MemoryLedgerOptions {
  /** Most clicks that are remembered; beyond it the oldest that is not running is forgotten; default 50,000. */
  readonly maxClicks?: number | undefined
  /** The time in milliseconds; default `Date.now`. */
  readonly now?: (() => number) | undefined
}

/** What is kept of a click, with no more objects than it takes: each is moved by the garbage collector. */
interface Entry extends Pick<Click, 'id' | 'customer' | 'fingerprint' | 'unknownMs' | 'idempotencyKey'> {
  state: 'running' | 'done' | 'unknown'
  /** When the state ends, in milliseconds. */
  until: number
}

/** Entries that are checked for each new one, so that expired ones go before they are many. */
const sweptPerClaim = 2

/** A ledger for one process: nothing of it outlives the process, and memory is bounded. */
export function memoryLedger({ maxClicks = 50_000, now = Date.now }: MemoryLedgerOptions = {}): Ledger {
  const entries = new Map<string, Entry>()
  /** The last success of each customer that was not named: the only one that a repeat can replay. */
  const latest = new Map<string, Entry>()
  const nextToSweep = goRound(entries)
  const nextToForget = goRound(entries)

  async function claim(click: Click, retryUnknown: boolean): Promise<Claim> {
    const entry = current(entries.get(click.id))
    if (entry === undefined) {
      makeRoom()
      const { id, customer, fingerprint, unknownMs, idempotencyKey } = click
      const until = now() + click.leaseMs
      entries.set(id, { id, customer, fingerprint, unknownMs, state: 'running', until, idempotencyKey })
      return { state: 'claimed', idempotencyKey }
    }
    const { fingerprint, idempotencyKey } = entry
    if (entry.state !== 'unknown') return { state: entry.state, fingerprint }
    if (!retryUnknown || fingerprint !== click.fingerprint) {
      return { state: 'unknown', fingerprint, forgottenInMs: entry.until - now() }
    }
    entry.state = 'running'
    entry.until = now() + click.leaseMs
    return { state: 'claimed', idempotencyKey }
  }

  async function settle(click: Click, outcome: Outcome): Promise<void> {
    const entry = entries.get(click.id)
    const replayable = outcome === 'done' ? latest.get(click.customer) : undefined
    if (replayable !== undefined) forget(replayable)
    if (entry === undefined) return
    if (outcome === 'refused' || (outcome === 'done' && click.doneMs === 0)) return forget(entry)
    entry.state = outcome
    entry.until = now() + (outcome === 'done' ? click.doneMs : click.unknownMs)
    if (outcome === 'done' && !click.named) latest.set(click.customer, entry)
  }

  /** What an entry says now: a try that outlived its lease is lost, and its outcome unknown; an expired one is forgotten. */
  function current(entry: Entry | undefined): Entry | undefined {
    if (entry === undefined || entry.until > now()) return entry
    if (entry.state === 'running') {
      entry.state = 'unknown'
      entry.until += entry.unknownMs
      if (entry.until > now()) return entry
    }
    forget(entry)
    return undefined
  }

  function forget(entry: Entry): void {
    entries.delete(entry.id)
    if (latest.get(entry.customer) === entry) latest.delete(entry.customer)
  }

  function makeRoom(): void {
    for (let step = 0; step < sweptPerClaim; step++) current(nextToSweep())
    if (entries.size < maxClicks) return
    const oldest = oldestAtRest()
    if (oldest === undefined) throw new StoreError('store_unavailable')
    forget(oldest)
  }

  /** Checks the rest of a round, then a whole one at most. */
  function oldestAtRest(): Entry | undefined {
    for (let ends = 0; ends < 2;) {
      const entry = nextToForget()
      if (entry === undefined) ends += 1
      else if (entry.state !== 'running') return entry
    }
    return undefined
  }

  return { claim, settle }
}

/**
 * Goes through the values of a map from the oldest on, again and again, one a call; `undefined` at the end of each round.
 *
 * It keeps its place: a new iterator would have to step over all the deleted ones at the front that V8 still holds.
 */
function goRound<Value>(map: ReadonlyMap<string, Value>): () => Value | undefined {
  let round = map.values()
  return () => {
    const { value, done } = round.next()
    if (done === true) round = map.values()
    return value
  }
}
