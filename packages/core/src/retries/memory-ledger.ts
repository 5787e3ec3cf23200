import { StoreError } from '../errors.ts'
import { judgeClick, type KeptClick } from './judge-click.ts'
import type { Click } from './click.ts'
import { CustomerRows } from './customer-rows.ts'
import type { Claim, Ledger, Outcome } from './ledger.ts'
import { claimed, endOf, hasStopped, keptTry, type Try, wakeRepeats } from './memory-try.ts'

/** How a ledger in memory is set up. */
export interface MemoryLedgerOptions {
  /** Most clicks that are remembered; beyond it the oldest that is not running is forgotten, successes before those of unknown outcome; default 50,000. */
  readonly maxClicks?: number | undefined
  /** The time in milliseconds; default the clock of `performance.now()`, which nobody sets. */
  readonly now?: (() => number) | undefined
}

/** A ledger that answers at once. */
export interface MemoryLedger extends Ledger {
  claim(click: Click, retryUnknown: boolean): Claim
  settle(click: Click, outcome: Outcome, msAgo?: number): void
}

/** The success of a click that its caller named. */
interface NamedSuccess {
  readonly id: string
  readonly fingerprint: string
  readonly since: number
  readonly until: number
  readonly expiresAt: number
}

/** How many entries of a kind are not worth looking for expired ones. */
const few = 1000

/**
 * A ledger for one process: nothing of it outlives the process, and memory is bounded.
 *
 * Of all successes without a name a repeat can replay the customer's last alone, so that no other is kept.
 */
export function memoryLedger({
  maxClicks = 50_000,
  now = () => performance.now(),
}: MemoryLedgerOptions = {}): MemoryLedger {
  const namedTries = new Map<string, Try>()
  const namedSuccesses = new Map<string, NamedSuccess>()
  const customers = new CustomerRows<Try>()
  const nextNamed = goRound(namedSuccesses)
  const nextRow = () => customers.next()

  function claim(click: Click, retryUnknown: boolean): Claim {
    const time = now()
    const row = customers.find(click.customer)
    const known = findTry(click, row)
    const isSameTry = known?.state === 'running' && known.tryKey === click.idempotencyKey
    if (isSameTry) return claimed(known, time)
    const judgement = judgeClick(known === undefined ? keptSuccess(click, row) : keptTry(known), click, time)
    if (judgement.state === 'unknown' && retryUnknown && known !== undefined) {
      reopen(known, click, time)
      return claimed(known, time)
    }
    if (judgement.state === 'running' && known !== undefined) return { state: 'running', ended: endOf(known) }
    if (judgement.state !== 'free') return judgement
    if (known === undefined) forgetSuccess(click, row)
    else forgetTry(known)
    makeRoom(time)
    return claimed(open(click, row, time), time)
  }

  function settle(click: Click, outcome: Outcome, msAgo = 0): void {
    const row = customers.find(click.customer)
    const known = findTry(click, row)
    if (outcome === 'done') {
      succeed(click, known, now() - msAgo)
      if (known !== undefined) forgetTry(known)
    } else if (known?.tryKey === click.idempotencyKey) {
      if (outcome === 'refused') forgetTry(known)
      else becomeUnknown(known)
    }
  }

  function findTry({ id, named }: Click, row: number | undefined): Try | undefined {
    // A name belongs to whoever came with it first, and may come with another customer.
    if (named) return namedTries.get(id)
    let entry = row === undefined ? undefined : customers.newestTry(row)
    while (entry !== undefined && entry.id !== id) entry = entry.before
    return entry
  }

  function succeed(click: Click, known: Try | undefined, endedAt: number): void {
    const { id, doneMs, keptMs } = click
    const until = endedAt + doneMs
    const expiresAt = endedAt + Math.max(doneMs, keptMs)
    if (click.named) {
      // A name belongs to the body that it came with first.
      const { fingerprint } = known ?? namedSuccesses.get(id) ?? click
      namedSuccesses.set(id, { id, fingerprint, since: endedAt, until, expiresAt })
    }
    customers.keepLatest(known?.row ?? rowOf(click), id, endedAt, until, expiresAt)
  }

  function open(click: Click, found: number | undefined, time: number): Try {
    const { id, fingerprint, named, idempotencyKey, leaseMs, unknownMs } = click
    // What has just been looked up need not be again, unless there is nothing in it any more.
    const row = found !== undefined && customers.isKept(found) ? found : rowOf(click)
    const entry: Try = {
      id,
      row,
      fingerprint,
      named,
      idempotencyKey,
      firstTryAt: time,
      expiresAt: time + unknownMs,
      state: 'running',
      since: time,
      until: time + leaseMs,
      tryKey: idempotencyKey,
      ending: undefined,
      before: undefined,
    }
    customers.addTry(row, entry)
    if (named) namedTries.set(id, entry)
    return entry
  }

  /** Runs a click of unknown outcome again. */
  function reopen(entry: Try, { idempotencyKey, leaseMs }: Click, time: number): void {
    entry.state = 'running'
    entry.since = time
    entry.until = time + leaseMs
    entry.tryKey = idempotencyKey
  }

  function becomeUnknown(entry: Try): void {
    entry.state = 'unknown'
    entry.until = entry.expiresAt
    wakeRepeats(entry)
  }

  function rowOf({ customer }: Click): number {
    return customers.find(customer) ?? customers.add(customer)
  }

  function keptSuccess({ id, fingerprint, named }: Click, row: number | undefined): KeptClick | undefined {
    const success = named ? namedSuccesses.get(id) : undefined
    if (success !== undefined) return keptAs(success, success.fingerprint, false)
    if (row === undefined || !customers.isLatest(row, id)) return undefined
    const since = customers.since(row)
    return keptAs({ since, until: customers.until(row) }, fingerprint, hasTrySince(row, since))
  }

  function hasTrySince(row: number, since: number): boolean {
    let entry = customers.newestTry(row)
    while (entry !== undefined && entry.since < since) entry = entry.before
    return entry !== undefined
  }

  function forgetTry(entry: Try): void {
    if (entry.named) namedTries.delete(entry.id)
    customers.removeTry(entry.row, entry)
    wakeRepeats(entry)
  }

  function forgetSuccess({ id, named }: Click, row: number | undefined): void {
    if (named) namedSuccesses.delete(id)
    if (row !== undefined && customers.isLatest(row, id)) customers.forgetLatest(row)
  }

  function makeRoom(time: number): void {
    forgetExpired(time)
    if (customers.tries + namedSuccesses.size + customers.successes < maxClicks) return
    if (!forgetOldest(time)) throw new StoreError('store_unavailable')
  }

  /** Looks at one of each kind that is many: as each click adds one at most, expired ones do not pile up. */
  function forgetExpired(time: number): void {
    const row = customers.size > few ? nextRow() : undefined
    if (row !== undefined) {
      if (customers.hasLatest(row) && customers.expiresAt(row) <= time) customers.forgetLatest(row)
      forgetTriesOf(row, ({ expiresAt }) => expiresAt <= time)
    }
    const success = namedSuccesses.size > few ? nextNamed() : undefined
    if (success !== undefined && success.expiresAt <= time) namedSuccesses.delete(success.id)
  }

  /** Forgets what is the least loss; returns whether there was anything that does not run. */
  function forgetOldest(time: number): boolean {
    const row = firstOf(nextRow, (each) => customers.hasLatest(each))
    if (row !== undefined) {
      customers.forgetLatest(row)
      return true
    }
    const success = firstOf(nextNamed, () => true)
    if (success !== undefined) return namedSuccesses.delete(success.id)
    return firstOf(nextRow, (each) => forgetTriesOf(each, (entry) => hasStopped(entry, time))) !== undefined
  }

  /** Forgets the tries of a customer that may be; returns whether there were any. */
  function forgetTriesOf(row: number, mayBeForgotten: (entry: Try) => boolean): boolean {
    const before = customers.tries
    for (let entry = customers.newestTry(row); entry !== undefined; entry = entry.before)
      if (mayBeForgotten(entry)) forgetTry(entry)
    return customers.tries < before
  }

  return { isLocal: true, claim, settle }
}

function keptAs(
  { since, until }: { readonly since: number; readonly until: number },
  fingerprint: string,
  hasLaterTry: boolean,
): KeptClick {
  return { fingerprint, state: 'done', since, until, firstTryAt: since, hasLaterSuccess: false, hasLaterTry }
}

/** The first that may be taken of the rest of a round, then of a whole one. */
function firstOf<Value>(next: () => Value | undefined, mayBeTaken: (value: Value) => boolean): Value | undefined {
  for (let ends = 0; ends < 2;) {
    const value = next()
    if (value === undefined) ends += 1
    else if (mayBeTaken(value)) return value
  }
  return undefined
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
