import { StoreError } from '../errors.ts'
import { judgeClick, type KeptClick } from './judge-click.ts'
import type { Click } from './click.ts'
import type { Claim, Ledger, Outcome } from './ledger.ts'

/** How a ledger in memory is set up. */
export interface MemoryLedgerOptions {
  /** Most clicks that are remembered; beyond it the oldest that is not running is forgotten; default 50,000. */
  readonly maxClicks?: number | undefined
  /** The time in milliseconds; default the clock of `performance.now()`, which nobody sets. */
  readonly now?: (() => number) | undefined
}

/** A ledger that answers at once. */
export interface MemoryLedger extends Ledger {
  claim(click: Click, retryUnknown: boolean): Claim
  settle(click: Click, outcome: Outcome, msAgo?: number): void
}

/** What is kept of a click, with no more objects than it takes: each is moved by the garbage collector. */
interface Entry {
  readonly id: string
  readonly customer: Customer
  readonly fingerprint: string
  /** What the first try ran under. */
  readonly idempotencyKey: string
  readonly firstTryAt: number
  readonly unknownMs: number
  state: KeptClick['state']
  since: number
  until: number
  /** What names the try that runs, or ran last. */
  tryKey: string
  /** When nothing of it counts any more. */
  expiresAt: number
}

/** The clicks of one customer. */
interface Customer {
  readonly id: string
  /** How many are remembered. */
  clicks: number
  /** The last success: the only one without a name that a repeat can replay. */
  latest: Entry | undefined
  /** Those that run, or of which nobody knows how they ended. */
  readonly open: Entry[]
}

/** Entries that are checked for each new one, so that expired ones go before they are many. */
const sweptPerClaim = 2

/** A ledger for one process: nothing of it outlives the process, and memory is bounded. */
export function memoryLedger({
  maxClicks = 50_000,
  now = () => performance.now(),
}: MemoryLedgerOptions = {}): MemoryLedger {
  const entries = new Map<string, Entry>()
  const customers = new Map<string, Customer>()
  const nextToSweep = goRound(entries)
  const nextToForget = goRound(entries)

  function claim(click: Click, retryUnknown: boolean): Claim {
    const time = now()
    const entry = entries.get(click.id)
    const isSameTry = entry?.state === 'running' && entry.tryKey === click.idempotencyKey
    if (isSameTry) return claimed(entry, time)
    const judgement = judgeClick(entry && toKept(entry), click, time)
    if (judgement.state === 'unknown' && retryUnknown && entry !== undefined) {
      open(entry, click, time)
      return claimed(entry, time)
    }
    if (judgement.state !== 'free') return judgement
    if (entry !== undefined) forget(entry)
    makeRoom(time)
    return claimed(add(click, time), time)
  }

  function settle(click: Click, outcome: Outcome, msAgo = 0): void {
    const endedAt = now() - msAgo
    const known = entries.get(click.id)
    if (outcome === 'done') return succeed(known ?? add(click, endedAt), click, endedAt)
    if (known === undefined || known.state === 'done' || known.tryKey !== click.idempotencyKey) return
    if (outcome === 'refused') return forget(known)
    known.state = 'unknown'
    known.until = known.expiresAt
  }

  function succeed(entry: Entry, { doneMs, keptMs }: Click, endedAt: number): void {
    const { customer } = entry
    if (entry.state !== 'done') remove(customer.open, entry)
    entry.state = 'done'
    entry.since = endedAt
    entry.until = endedAt + doneMs
    entry.expiresAt = endedAt + Math.max(doneMs, keptMs)
    if (customer.latest === undefined || customer.latest.since <= endedAt) customer.latest = entry
  }

  function add({ id, customer, fingerprint, idempotencyKey, unknownMs, leaseMs }: Click, time: number): Entry {
    const whose = customers.get(customer) ?? { id: customer, clicks: 0, latest: undefined, open: [] }
    if (whose.clicks === 0) customers.set(customer, whose)
    whose.clicks += 1
    const entry: Entry = {
      id,
      customer: whose,
      fingerprint,
      idempotencyKey,
      firstTryAt: time,
      unknownMs,
      state: 'running',
      since: time,
      until: time + leaseMs,
      tryKey: idempotencyKey,
      expiresAt: time + unknownMs,
    }
    entries.set(id, entry)
    whose.open.push(entry)
    return entry
  }

  /** Runs a click of unknown outcome again. */
  function open(entry: Entry, { idempotencyKey, leaseMs }: Click, time: number): void {
    entry.state = 'running'
    entry.since = time
    entry.until = time + leaseMs
    entry.tryKey = idempotencyKey
  }

  function claimed({ idempotencyKey, tryKey, firstTryAt }: Entry, time: number): Claim {
    if (tryKey === idempotencyKey) return { state: 'claimed', idempotencyKey }
    return { state: 'claimed', idempotencyKey, firstTryMsAgo: time - firstTryAt }
  }

  function forget(entry: Entry): void {
    const { id, customer, state } = entry
    entries.delete(id)
    if (state !== 'done') remove(customer.open, entry)
    if (customer.latest === entry) customer.latest = undefined
    customer.clicks -= 1
    if (customer.clicks === 0) customers.delete(customer.id)
  }

  function makeRoom(time: number): void {
    for (let step = 0; step < sweptPerClaim; step++) {
      const entry = nextToSweep()
      if (entry !== undefined && entry.expiresAt <= time) forget(entry)
    }
    if (entries.size < maxClicks) return
    const oldest = oldestAtRest(time)
    if (oldest === undefined) throw new StoreError('store_unavailable')
    forget(oldest)
  }

  /** Checks the rest of a round, then a whole one at most. */
  function oldestAtRest(time: number): Entry | undefined {
    for (let ends = 0; ends < 2;) {
      const entry = nextToForget()
      if (entry === undefined) ends += 1
      else if (entry.state !== 'running' || entry.until <= time) return entry
    }
    return undefined
  }

  return { claim, settle }
}

function toKept(entry: Entry): KeptClick {
  const { fingerprint, state, since, until, firstTryAt, customer } = entry
  return {
    fingerprint,
    state,
    since,
    until,
    firstTryAt,
    hasLaterSuccess: customer.latest !== entry,
    hasLaterTry: customer.open.some((other) => other.since >= since),
  }
}

function remove(list: Entry[], entry: Entry): void {
  const index = list.indexOf(entry)
  if (index >= 0) list.splice(index, 1)
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
