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
/**
 * Accuracy of times, in milliseconds. Clocks round the time. If the arrival and a success are closer than this, the
 * caller may have received the success, so the request did not wait for it.
 */
const accuracyMs = 2
/** Maximum number of clicks in a document. */
const maxClicks = 100
/** Maximum number of closed successes in a document. A request waits for half of a time limit, so few can be awaited. */
const maxClosed = 8

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
  /** Time of a success, end of its window, and whether a caller received it. */
  readonly doneAt: number
  readonly windowEnd: number
  readonly isReported: boolean
}

interface Document extends ClickDocument {
  /** Time of the last write. */
  readonly at: number
  /** In the order of the claims. */
  readonly clicks: Clicks
  /** Successes whose window a later change has ended, oldest first. Only requests that already wait can need them. */
  readonly closed: Clicks
}
type Clicks = readonly StoredClick[]

/** Decides whether an attempt can run, and claims the customer for it. Returns an equal result for an equal attempt id. */
export function claim(stored: ClickDocument | undefined, attempt: Attempt, now: number): Decision<Claim> {
  const document = read(stored, now)
  const { clicks, closed } = document
  /** Ends without a claim. Stores times that `read` has moved back, so that a window does not move with the clock. */
  const end = (state: Exclude<Claim['state'], 'claimed' | 'reconcile'>): Decision<Claim> =>
    isAhead(stored, now) ? write(document, clicks, now, { state }) : { result: { state } }
  const { id } = attempt
  const arrivedAt = now - attempt.waitedMs
  let own: StoredClick | undefined
  let last: StoredClick | undefined
  let awaited: StoredClick | undefined
  let isRunning = false
  // A success from before the arrival is neither the attempt's own nor awaited.
  if (arrivedAt <= document.at)
    for (const each of closed) {
      if (each.by === id) own = each
      if (isAwaited(each, arrivedAt) && isSame(each, attempt)) awaited = each
    }
  for (const each of clicks) {
    if (each.by === id) own = each
    if (each.state === 'running') isRunning = true
    if (!isSame(each, attempt)) continue
    last = each
    if (each.state === 'done' && isAwaited(each, arrivedAt)) awaited = each
  }
  if (own?.state === 'done') return end('done')
  if (own?.state === 'running') return { result: admit(own, own.lastAt, attempt, now) }
  if (attempt.isClaimed) return end('lost')
  last = awaited ?? last
  const found = last === undefined ? 'free' : judge(clicks, last, attempt, now)
  if (last !== undefined && found === 'replayed') {
    // The first replay of an unreported success reports it and starts its window. After any replay, a caller knows the
    // success, so its own attempt can no longer take the report back.
    if (last.isReported && last.by === '') return end(found)
    const told = last.isReported ? { ...last, by: '' } : succeed(last, '', true, attempt, now)
    return write(document, replace(clicks, last, told), now, { state: found }, replace(closed, last, told))
  }
  if (found !== 'free' && found !== 'again') return end(found)
  if (isRunning) return end('busy')
  const again = found === 'again' ? last : undefined
  const next = run(again ?? attempt, again?.key ?? (attempt.key || attempt.id), attempt, again, now)
  // The claim takes the place of an unknown outcome, or closes a success whose window is over.
  const others = last === undefined ? clicks : without(clicks, last)
  const after = last?.state === 'done' ? add(closed, last) : closed
  if (others.length < maxClicks)
    return write(document, [...others, next], now, admit(next, again?.lastAt ?? now, attempt, now), after)
  const dropped =
    clicks.find(({ state, windowEnd }) => state === 'done' && windowEnd <= now) ??
    clicks.find(({ state, name }) => state === 'done' && name !== '')
  if (dropped === undefined) return end('full')
  const admitted = admit(next, now, attempt, now, dropped.windowEnd > now)
  return write(document, [...without(clicks, dropped), next], now, admitted)
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
  if (!isAwaited(last, arrivedAt) && arrivedAt >= last.windowEnd) return 'free'
  if (isReused) return 'reused'
  if (isAwaited(last, arrivedAt) || last.name !== '' || !last.isReported) return 'replayed'
  // A later change that succeeds ends the window, so its outcome decides.
  for (let index = clicks.length - 1; clicks[index] !== last; index--) {
    const state = clicks[index]?.state
    if (state === 'running') return 'busy'
    if (state === 'unknown') return 'undecided'
  }
  return 'replayed'
}

/** Whether a request arrived before a success, so that its customer could not know of the success. */
function isAwaited({ doneAt }: StoredClick, arrivedAt: number): boolean {
  return arrivedAt + accuracyMs <= doneAt
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
  const document = read(stored, now)
  const { clicks } = document
  const own = clicks.find(({ by, state }) => by === id && state === 'running')
  if (own === undefined) return { result: false }
  const [isDoubtful, at] = isReconciled ? [false, now] : [own.isDoubtful, own.at]
  return write(document, replace(clicks, own, { ...own, isDoubtful, at, until: now + leaseMs }), now, true)
}

/** Records how an attempt ended. A success belongs to the click; any other outcome belongs only to the attempt. */
export function settle(
  stored: ClickDocument | undefined,
  attempt: Attempt,
  outcome: Outcome,
  now: number,
): Decision<undefined> {
  const { id, key } = attempt
  const document = read(stored, now)
  const { clicks, closed } = document
  const isOwn = (each: StoredClick) => each.by === id || (key !== '' && each.key === key)
  const own = clicks.find(isOwn) ?? closed.find(isOwn)
  const isReported = outcome === 'succeeded'
  // A release always writes, so that the compare-and-set of a delayed claim fails.
  const unchanged = outcome === 'released' ? write(document, clicks, now, undefined) : { result: undefined }
  if (own?.state === 'done') {
    // Only the first response starts the window. An attempt whose caller got no response takes its own report back.
    const isTakenBack = own.by === id && (outcome === 'unreported' || outcome === 'unknown')
    if (!(own.isReported ? isTakenBack : isReported)) return unchanged
    const told = succeed(own, own.by, isReported, attempt, now)
    const after = clicks.includes(own) ? replace(clicks, own, told) : [told, ...clicks]
    return write(document, after, now, undefined, without(closed, own))
  }
  if (isReported || outcome === 'unreported') {
    const success = succeed(own ?? run(attempt, key, attempt, undefined, now), id, isReported, attempt, now)
    if (own === undefined) return write(document, [success, ...clicks], now, undefined)
    const [after, nowClosed] = endWindows(document, own, success)
    return write(document, after, now, undefined, nowClosed)
  }
  if (own?.by === id) {
    const isOver = outcome !== 'unknown' && !own.isDoubtful
    return write(document, isOver ? without(clicks, own) : replace(clicks, own, doubt(own)), now, undefined)
  }
  if (outcome === 'unknown' && own === undefined && !clicks.some((each) => isSame(each, attempt)))
    return write(document, [doubt(run(attempt, key || id, attempt, undefined, now)), ...clicks], now, undefined)
  return unchanged
}

/**
 * Records that a billing job has completed a click, found by its `context.idempotencyKey`. Its next equal request is a
 * replay. Writes nothing for an unknown key.
 */
export function completeClick(stored: ClickDocument | undefined, key: string, now: number): Decision<undefined> {
  const own = read(stored, now).clicks.find((each) => each.key === key)
  if (own === undefined) return { result: undefined }
  const windowMs = own.name === '' ? unreportedMs : dayMs
  const attempt = { ...own, id: own.by, windowMs, leaseMs: 0, retainMs: 0, waitedMs: 0, canReconcile: false }
  return settle(stored, { ...attempt, repeatableMs: 0, isClaimed: true }, 'unreported', now)
}

/** Whether a document contains a running click or an unknown outcome. A full ledger must not delete such a document. */
export function isOpen(stored: ClickDocument): boolean {
  return isDocument(stored) && stored.clicks.some(({ state }) => state !== 'done')
}

/**
 * Puts a success in the place of its click, and closes the reported, unnamed successes before it (rule 11). A success that
 * is stored after a later success is closed itself.
 */
function endWindows({ clicks, closed: before }: Document, own: StoredClick, success: StoredClick): [Clicks, Clicks] {
  const place = clicks.indexOf(own)
  const isOvertaken = clicks.some(({ state }, index) => index > place && state === 'done')
  const after: StoredClick[] = []
  let closed = before
  for (const [index, each] of clicks.entries()) {
    const next = index === place ? success : each
    const isOver = next.state === 'done' && next.isReported && next.name === ''
    if (isOver && (index < place || (index === place && isOvertaken))) closed = add(closed, next)
    else after.push(next)
  }
  return [after, closed]
}

/** Returns the clicks that have not expired. Throws StoreError `store_unavailable` for another version of the document. */
function read(stored: ClickDocument | undefined, now: number): Document {
  if (stored === undefined) return empty
  if (!isDocument(stored))
    throw new StoreError('store_unavailable', 'The stored clicks have an unsupported version.', { retryAfter: 30 })
  const { v, at, clicks, closed } = stored
  let isCurrent = at <= now
  for (const { until } of clicks) if (until <= now) isCurrent = false
  if (isCurrent) return stored
  // If the clock was set back, all times move back. A lease that has ended leaves an unknown outcome.
  const back = Math.max(0, at - now)
  const move = (list: Clicks) => (back === 0 ? list : list.map((each) => moveBack(each, back)))
  const lapsed = move(clicks).map((each) => (each.state === 'running' && each.until <= now ? doubt(each) : each))
  return { v, at: at - back, clicks: lapsed.filter(({ until }) => until > now), closed: move(closed) }
}

function isDocument(stored: ClickDocument): stored is Document {
  const { v, clicks, closed }: Partial<Document> = stored
  return v === 2 && Array.isArray(clicks) && Array.isArray(closed)
}

function isAhead(stored: ClickDocument | undefined, now: number): boolean {
  return stored !== undefined && isDocument(stored) && stored.at > now
}

const none: Clicks = []
const empty: Document = { v: 2, at: 0, clicks: none, closed: none }

function isSame(each: ClickNames, { name, body }: ClickNames): boolean {
  return each.name === name && (name !== '' || each.body === body)
}

function run(names: ClickNames, key: string, { id, leaseMs }: Attempt, again: StoredClick | undefined, now: number) {
  return create(names, key, 'running', id, again !== undefined, again?.at ?? now, now, now + leaseMs)
}

function doubt(each: StoredClick): StoredClick {
  return create(each, each.key, 'unknown', each.by, each.isDoubtful, each.at, each.lastAt, each.at + dayMs)
}

/** Creates a success. It is stored for longer than its window, for requests that arrived in the window and still wait. */
function succeed(each: StoredClick, by: string, isReported: boolean, attempt: Attempt, now: number) {
  const { windowMs, retainMs, toldMsAgo = 0 } = attempt
  const doneAt = now - toldMsAgo
  const windowEnd = doneAt + (isReported || windowMs === 0 ? windowMs : Math.max(windowMs, unreportedMs))
  const until = windowEnd + retainMs
  return create(each, each.key, 'done', by, false, each.at, each.lastAt, until, doneAt, windowEnd, isReported)
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
  const [at, lastAt, until] = [each.at - ms, each.lastAt - ms, each.until - ms]
  return { ...each, at, lastAt, until, doneAt: each.doneAt - ms, windowEnd: each.windowEnd - ms }
}

function replace(clicks: Clicks, from: StoredClick, to: StoredClick): Clicks {
  return clicks.includes(from) ? clicks.map((each) => (each === from ? to : each)) : clicks
}

function without(clicks: Clicks, removed: StoredClick): Clicks {
  return clicks.includes(removed) ? clicks.filter((each) => each !== removed) : clicks
}

function add(closed: Clicks, success: StoredClick): Clicks {
  return closed.length < maxClosed ? [...closed, success] : [...closed.slice(1), success]
}

function write<Result>(
  { closed: stored }: Document,
  clicks: Clicks,
  now: number,
  result: Result,
  closed: Clicks = stored,
): Decision<Result> {
  let until = now + emptyMs
  // A running click needs its document for as long as an unknown outcome.
  for (const each of clicks) until = Math.max(until, each.until, each.state === 'running' ? each.at + dayMs : 0)
  const document: Document = { v: 2, at: now, clicks, closed }
  return { result, document, until }
}
