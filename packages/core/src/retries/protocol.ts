import { StoreError } from '../contract/errors.ts'
import type { ClickDocument, Decision } from '../contract/ledger.ts'
import type { Attempt, Claim, ClickNames, Outcome } from './attempt.ts'

/*
 * The click protocol: the changes of one customer run one at a time. One document for each customer lists the clicks in
 * the order in which they were claimed. The functions are pure, and every ledger and transaction uses them. No other
 * file reads the fields of a document. Comments and tests cite the rules of docs/decisions/005-clicks.md.
 */

/** How long an unknown outcome and a named click are stored, in milliseconds (RETRY-5). */
export const dayMs = 24 * 60 * 60_000
/** How long a success is stored if its caller received no response, in milliseconds. */
const unreportedMs = 10 * 60_000
/** How long a document is stored at least, in milliseconds. A delayed write of a released claim must find it. */
const emptyMs = 60_000
/** Maximum number of clicks in a document. */
const maxClicks = 100

/** A change that a customer asked for, with all its repeats. All clicks have the same fields in the same order. */
interface StoredClick extends ClickNames {
  /** The `context.idempotencyKey` of all attempts. */
  readonly key: string
  readonly state: 'running' | 'unknown' | 'done'
  /** Id of the last attempt. It holds the lease of a running click, or has recorded the success. */
  readonly by: string
  /** Whether an earlier attempt may still take effect. */
  readonly isDoubtful: boolean
  /** Start of the first and of the last attempt. */
  readonly at: number
  readonly lastAt: number
  /** End of the lease, of the unknown outcome, or of the storage. */
  readonly until: number
  /** Time of a success, end of its window (0 after a later change), and whether a caller received it. */
  readonly doneAt: number
  readonly windowEnd: number
  readonly isReported: boolean
}

interface Document extends ClickDocument {
  /** Time of the last write. */
  readonly at: number
  readonly clicks: Clicks
}
type Clicks = readonly StoredClick[]

/** Decides whether an attempt can run, and claims the customer for it. Returns an equal result for an equal attempt id. */
export function claim(stored: ClickDocument | undefined, attempt: Attempt, now: number): Decision<Claim> {
  const clicks = read(stored, now)
  /** Ends without a claim. Stores times that `read` has moved back, so that a window does not move with the clock. */
  const end = (state: Exclude<Claim['state'], 'claimed' | 'reconcile'>): Decision<Claim> =>
    isAhead(stored, now) ? write(clicks, now, { state }) : { result: { state } }
  const own = clicks.find(({ by }) => by === attempt.id)
  if (own?.state === 'done') return end('ran')
  if (own?.state === 'running') return { result: admit(own, own.lastAt, attempt, now) }
  if (attempt.isClaimed) return end('lost')
  const arrivedAt = now - attempt.waitedMs
  const last =
    clicks.findLast((each) => isSame(each, attempt) && each.state === 'done' && arrivedAt <= each.doneAt) ??
    clicks.findLast((each) => isSame(each, attempt))
  const found = last === undefined ? 'free' : judge(clicks, last, attempt, now)
  if (last !== undefined && found === 'replayed') {
    // The first replay of an unreported success reports it and starts its window. After any replay, a caller knows the
    // success, so its own attempt can no longer take the report back.
    if (last.isReported && last.by === '') return end(found)
    const told = last.isReported
      ? close(last, '', last.until, last.doneAt, last.windowEnd, true)
      : succeed(last, '', true, attempt, now)
    return write(replace(clicks, last, told), now, { state: found })
  }
  if (found !== 'free' && found !== 'again') return end(found)
  if (clicks.some(({ state }) => state === 'running')) return end('busy')
  const again = found === 'again' ? last : undefined
  const next = run(again ?? attempt, again?.key ?? (attempt.key || attempt.id), attempt, again, now)
  if (again !== undefined) return write([...without(clicks, again), next], now, admit(next, again.lastAt, attempt, now))
  if (clicks.length < maxClicks) return write([...clicks, next], now, admit(next, now, attempt, now))
  const dropped =
    clicks.find(({ state, windowEnd }) => state === 'done' && windowEnd <= now) ??
    clicks.find(({ state, name }) => state === 'done' && name !== '')
  if (dropped === undefined) return end('full')
  return write([...without(clicks, dropped), next], now, admit(next, now, attempt, now, dropped.windowEnd > now))
}

/** Returns what the last click with the same identity means for an attempt (rules 7 and 8). */
function judge(clicks: Clicks, last: StoredClick, attempt: Attempt, now: number) {
  const isReused = last.body !== attempt.body
  if (last.state === 'running') return isReused ? 'reused' : 'running'
  if (last.state === 'unknown') {
    if (isReused) return 'reused'
    return attempt.canReconcile || now < last.at + attempt.repeatableMs ? 'again' : 'unknown'
  }
  const arrivedAt = now - attempt.waitedMs
  const isAwaited = arrivedAt <= last.doneAt
  if (!isAwaited && arrivedAt >= last.windowEnd) return 'free'
  if (isReused) return 'reused'
  if (isAwaited || last.name !== '' || !last.isReported) return 'replayed'
  // A later change that succeeds ends the window, so its outcome decides.
  for (let index = clicks.length - 1; clicks[index] !== last; index--) {
    const state = clicks[index]?.state
    if (state === 'running') return 'busy'
    if (state === 'unknown') return 'undecided'
  }
  return 'replayed'
}

function admit(click: StoredClick, lastAt: number, { canReconcile }: Attempt, now: number, hasDropped = false): Claim {
  const state = click.isDoubtful && canReconcile ? 'reconcile' : 'claimed'
  return { state, key: click.key, firstMsAgo: now - click.at, lastMsAgo: now - lastAt, hasDropped }
}

/** Renews the lease. With `isReconciled`, earlier attempts no longer count. Returns whether the attempt holds its claim. */
export function renew(
  stored: ClickDocument | undefined,
  { id, leaseMs }: Pick<Attempt, 'id' | 'leaseMs'>,
  now: number,
  isReconciled = false,
): Decision<boolean> {
  const clicks = read(stored, now)
  const own = clicks.find(({ by, state }) => by === id && state === 'running')
  if (own === undefined) return { result: false }
  const [isDoubtful, at] = isReconciled ? [false, now] : [own.isDoubtful, own.at]
  return write(replace(clicks, own, { ...own, isDoubtful, at, until: now + leaseMs }), now, true)
}

/** Records how an attempt ended. A success belongs to the click; any other outcome belongs only to the attempt. */
export function settle(
  stored: ClickDocument | undefined,
  attempt: Attempt,
  outcome: Outcome,
  now: number,
): Decision<undefined> {
  const { id, key } = attempt
  const clicks = read(stored, now)
  const own = clicks.find((each) => each.by === id || (key !== '' && each.key === key))
  const isReported = outcome === 'succeeded'
  // A release always writes, so that the compare-and-set of a delayed claim fails.
  const unchanged = outcome === 'released' ? write(clicks, now, undefined) : { result: undefined }
  if (own?.state === 'done') {
    // Only the first response starts the window. An attempt whose caller got no response takes its own report back.
    const isTakenBack = own.by === id && (outcome === 'unreported' || outcome === 'unknown')
    if (!(own.isReported ? isTakenBack : isReported)) return unchanged
    return write(replace(clicks, own, succeed(own, own.by, isReported, attempt, now)), now, undefined)
  }
  if (isReported || outcome === 'unreported') {
    const success = succeed(own ?? run(attempt, key, attempt, undefined, now), id, isReported, attempt, now)
    if (own === undefined) return write([success, ...clicks], now, undefined)
    return write(endWindows(clicks, own, success, attempt.retainMs), now, undefined)
  }
  if (own?.by === id) {
    const isOver = outcome !== 'unknown' && !own.isDoubtful
    return write(isOver ? without(clicks, own) : replace(clicks, own, doubt(own)), now, undefined)
  }
  if (outcome === 'unknown' && own === undefined && !clicks.some((each) => isSame(each, attempt)))
    return write([doubt(run(attempt, key || id, attempt, undefined, now)), ...clicks], now, undefined)
  return unchanged
}

/** Whether a document contains a running click or an unknown outcome. A full ledger must not delete such a document. */
export function isOpen(stored: ClickDocument): boolean {
  return isDocument(stored) && stored.clicks.some(({ state }) => state !== 'done')
}

/** Puts a success in the place of its click, and ends the windows of the reported, unnamed successes before it (rule 11). */
function endWindows(clicks: Clicks, own: StoredClick, success: StoredClick, retainMs: number): Clicks {
  if (clicks.length === 1) return [success]
  const place = clicks.indexOf(own)
  return clicks.map((each, index) => {
    if (index === place) return success
    if (index > place || each.state !== 'done' || !each.isReported || each.name !== '') return each
    return close(each, each.by, Math.min(each.until, success.doneAt + retainMs), each.doneAt, 0, true)
  })
}

/** Returns the clicks that have not expired. Throws StoreError `store_unavailable` for another version of the document. */
function read(stored: ClickDocument | undefined, now: number): Clicks {
  if (stored === undefined) return none
  if (!isDocument(stored))
    throw new StoreError('store_unavailable', 'The stored clicks have an unsupported version.', { retryAfter: 30 })
  const { at, clicks } = stored
  if (at <= now && clicks.every(({ until }) => until > now)) return clicks
  // If the clock was set back, all times move back. A lease that has ended leaves an unknown outcome.
  const back = Math.max(0, at - now)
  const moved = back === 0 ? clicks : clicks.map((each) => moveBack(each, back))
  const lapsed = moved.map((each) => (each.state === 'running' && each.until <= now ? doubt(each) : each))
  return lapsed.filter(({ until }) => until > now)
}

function isDocument(stored: ClickDocument): stored is Document {
  return stored.v === 2 && 'at' in stored && 'clicks' in stored && Array.isArray(stored.clicks)
}

function isAhead(stored: ClickDocument | undefined, now: number): boolean {
  return stored !== undefined && isDocument(stored) && stored.at > now
}

const none: Clicks = []

function isSame(each: ClickNames, { name, body }: ClickNames): boolean {
  return each.name === name && (name !== '' || each.body === body)
}

function run(names: ClickNames, key: string, { id, leaseMs }: Attempt, again: StoredClick | undefined, now: number) {
  return create(names, key, 'running', id, again !== undefined, again?.at ?? now, now, now + leaseMs)
}

function doubt(each: StoredClick): StoredClick {
  return create(each, each.key, 'unknown', each.by, each.isDoubtful, each.at, each.lastAt, each.at + dayMs)
}

function close(each: StoredClick, by: string, until: number, doneAt: number, windowEnd: number, isReported: boolean) {
  return create(each, each.key, 'done', by, false, each.at, each.lastAt, until, doneAt, windowEnd, isReported)
}

/** Creates a success. A window of 0 stores it only for requests that already wait. */
function succeed(each: StoredClick, by: string, isReported: boolean, { windowMs, retainMs }: Attempt, now: number) {
  const windowEnd = now + (isReported || windowMs === 0 ? windowMs : Math.max(windowMs, unreportedMs))
  return close(each, by, Math.max(windowEnd, now + retainMs), now, windowEnd, isReported)
}

/** Lists every field in the same order, because an object spread takes as long as a claim. */
function create(
  { name, body }: ClickNames,
  key: string,
  state: StoredClick['state'],
  by: string,
  isDoubtful: boolean,
  at: number,
  lastAt: number,
  until: number,
  doneAt = 0,
  windowEnd = 0,
  isReported = false,
): StoredClick {
  return { name, body, key, state, by, isDoubtful, at, lastAt, until, doneAt, windowEnd, isReported }
}

function moveBack(each: StoredClick, ms: number): StoredClick {
  const { at, lastAt, until, doneAt, windowEnd } = each
  const moved = { at: at - ms, lastAt: lastAt - ms, until: until - ms, doneAt: doneAt - ms, windowEnd: windowEnd - ms }
  return { ...each, ...moved }
}

function replace(clicks: Clicks, from: StoredClick, to: StoredClick): Clicks {
  return clicks.length === 1 ? [to] : clicks.map((each) => (each === from ? to : each))
}

function without(clicks: Clicks, removed: StoredClick): Clicks {
  return clicks.length === 1 ? none : clicks.filter((each) => each !== removed)
}

function write<Result>(clicks: Clicks, now: number, result: Result): Decision<Result> {
  let until = now + emptyMs
  // A running click needs its document for as long as an unknown outcome.
  for (const each of clicks) until = Math.max(until, each.until, each.state === 'running' ? each.at + dayMs : 0)
  const document: Document = { v: 2, at: now, clicks }
  return { result, document, until }
}
