import { StoreError } from '../contract/errors.ts'
import type { Change, StoredClicks } from '../contract/ledger.ts'
import type { ClaimRequest, Claim, ClickNames, Held, Outcome, Stopped } from './ledger.ts'

/*
 * The click protocol: which requests are the same click, and whether a request can run now. The functions are pure:
 * they change one document for each customer and one for each named click. All ledgers use these functions. No other
 * file reads the fields of a stored click.
 */

/** How long unknown outcomes and named clicks are stored, in milliseconds (RETRY-5). */
export const dayMs = 24 * 60 * 60_000
/** How long a success is stored if the caller received no response, in milliseconds. */
const unreportedMs = 10 * 60_000
/** Maximum number of separate attempts of an instance. Older attempts are merged into one unknown attempt. */
const maxAttempts = 8
/** Maximum number of clicks in one document (decision 27). */
const maxClicks = 100

interface Document extends StoredClicks {
  /**
   * Last assigned sequence number. Sequence numbers define the sequence of a customer's changes without a clock
   * (decisions 5 and 7).
   */
  readonly lastNumber: number
  /** Highest sequence number at which a successful change began. */
  readonly lastChange: number
  /** Highest sequence number among deleted successes. A waiting request may still need such a success. */
  readonly lastDropped: number
  /** Instances, oldest first. */
  readonly instances: readonly Instance[]
}

/** A click from its first attempt until its deletion (decision 4). A later click with the same identity is a new instance. */
interface Instance {
  /** The `context.idempotencyKey`, the same for all attempts of the instance. */
  readonly key: string
  readonly fingerprint: string
  readonly name?: string | undefined
  readonly firstAt: number
  /** Attempts that run or have an unknown outcome, oldest first. Each may have made the change. */
  readonly openAttempts: readonly Attempt[]
  /** Lease of the retry that runs `reconcile` (decision 18). */
  readonly reconciling?: Lease | undefined
  readonly succeeded?: Success | undefined
}

/** Exclusive right of one attempt to run the click. The right expires `leaseMs` after `aliveAt`. */
interface Lease {
  readonly id: string
  readonly aliveAt: number
  /** Duration in milliseconds; 0 after the attempt has ended with an unknown outcome. */
  readonly leaseMs: number
}

interface Attempt extends Lease {
  /** Sequence number at which the attempt began. */
  readonly began: number
  readonly at: number
}

interface Success {
  /** Sequence number at which the success was recorded. */
  readonly number: number
  /** Id of the attempt that recorded the success. */
  readonly by: string
  /** Time of the first response that a caller received. Before that response, the time of the success. */
  readonly at: number
  readonly isReported: boolean
  readonly windowMs: number
}

/** Decides whether a request can run. If so, claims its click in the customer's document or the named document. */
export function claimClick(stored: StoredClicks | undefined, request: ClaimRequest, now: number): Change<Claim> {
  const { click, attempt, retainMs, seen } = request
  const document = openDocument(stored, now)
  // Saves the times that `openDocument` has corrected, so that later requests need no correction (decision 22).
  const isCorrected = stored !== undefined && document !== stored
  const end = (result: Claim): Change<Claim> => (isCorrected ? toStore(result, document, retainMs, now) : { result })
  // The ledger lost its data while the request was waiting.
  if (seen !== undefined && seen > document.lastNumber) return end(stopped('unknown', 30))

  let [awaited, last]: (Instance | undefined)[] = []
  for (const each of document.instances) {
    if (!isSameClick(each, click)) continue
    const begun = each.openAttempts.find(({ id }) => id === attempt)
    if (begun !== undefined) return end({ state: 'claimed', held: hold(request, each, begun.began) })
    if (each.reconciling?.id === attempt && isAlive(each.reconciling, now)) return end(toReconcile(each, request, now))
    if (each.succeeded?.by === attempt) return end({ state: 'ran' })
    const isEqual = each.fingerprint === click.fingerprint
    if (isEqual && each.succeeded !== undefined && isAwaited(each.succeeded, request)) awaited ??= each
    last = awaited ?? each
  }
  if (last !== undefined) {
    const found = awaited === undefined ? judge(document, last, request, now) : 'replayed'
    if (found === 'running') return end({ state: 'running', seen: seen ?? document.lastNumber })
    if (found === 'retry' || found === 'reconcile') return admit(document, last, found === 'reconcile', request, now)
    if (found === 'replayed') {
      const { succeeded } = last
      if (succeeded === undefined || succeeded.isReported) return end({ state: 'replayed' })
      // The first replay of an unreported success marks the success as reported and starts its window (decision 12).
      const reported = replace(
        document,
        next(last, none, undefined, { ...succeeded, by: '', at: now, isReported: true }),
      )
      return toStore({ state: 'replayed' }, reported, retainMs, now)
    }
    if (found !== 'free') return end(found)
  }
  // The success for which the request waited may have been deleted.
  if (seen !== undefined && seen < document.lastDropped) return end(stopped('unknown', 30))
  const pruned = prune(document, retainMs, now)
  if (pruned.instances.length >= (request.maxClicks ?? maxClicks)) return end(stopped('full', 30))
  const fresh = freshInstance(click, click.derivedKey ?? attempt, now)
  // If this document contains a success of the click, the ledger has not lost the click (decision 29).
  const reconciles = request.isYoung && request.canReconcile && last?.succeeded === undefined
  return admit(pruned, fresh, reconciles, request, now)
}

/** Whether a request waited for a success, which it gets even if other changes have succeeded since (decision 21). */
function isAwaited({ number, by }: Success, { seen, awaited }: ClaimRequest): boolean {
  return seen === undefined ? awaited?.includes(by) === true : number > seen
}

/**
 * Adds an attempt of a named click to the sequence of the customer's changes (decision 24). Returns the claim, or an
 * error if the document is full. `isReconciled` means that `reconcile` has returned `not_applied`.
 */
export function enterOrder(
  stored: StoredClicks | undefined,
  held: Held,
  isReconciled: boolean,
  now: number,
): Change<Held | StoreError> {
  const document = openDocument(stored, now)
  const known = document.instances.find(({ key }) => key === held.key)
  const begun = known?.openAttempts.find(({ id }) => id === held.attempt)
  if (begun !== undefined) return { result: { ...held, began: begun.began } }
  const pruned = prune(document, held.retainMs, now)
  if (known === undefined && pruned.instances.length >= maxClicks) return { result: stopped('full', 30).error }
  const fresh = freshInstance(held.click, held.key, now)
  const after = begin(pruned, isReconciled ? fresh : (known ?? fresh), held, now)
  return toStore({ ...held, began: after.lastNumber }, after, held.retainMs, now)
}

/**
 * Starts an attempt after `reconcile` has returned `not_applied`, in a second compare-and-set (decision 18).
 * Returns `lost` if another attempt or a success was stored in the meantime.
 */
export function startReconciled(stored: StoredClicks | undefined, held: Held, now: number): Change<Held | 'lost'> {
  const document = openDocument(stored, now)
  const known = document.instances.find(({ key }) => key === held.key)
  const begun = known?.openAttempts.find(({ id }) => id === held.attempt)
  if (begun !== undefined) return { result: { ...held, began: begun.began } }
  if (known?.reconciling?.id !== held.attempt || !isAlive(known.reconciling, now)) return { result: 'lost' }
  const after = begin(document, next(known, none), held, now)
  return toStore({ ...held, began: after.lastNumber }, after, held.retainMs, now)
}

/**
 * Records the outcome of an attempt. A success applies to the whole instance. Any other outcome applies only to the
 * attempt. No outcome changes another instance (decisions 10 and 11). If `isOrder` is true, removes the entry of a
 * named success from the customer's document.
 */
export function settleClick(
  stored: StoredClicks | undefined,
  held: Held,
  outcome: Outcome,
  now: number,
  isOrder = false,
): Change<undefined> {
  const document = openDocument(stored, now)
  const { click, key, attempt, retainMs } = held
  // If the response to a claim was lost, `key` can differ from the key of the instance.
  const isHeldIn = (each: Instance) =>
    each.key === key || each.reconciling?.id === attempt || each.openAttempts.some(({ id }) => id === attempt)
  const known = document.instances.find(isHeldIn)
  const hasLostData = stored === undefined
  if (outcome === 'succeeded' || outcome === 'unreported') {
    // Another attempt of the named click has already settled the entry.
    if (isOrder && known === undefined && held.began < document.lastNumber)
      return { result: undefined, hasLostData: hasLostData }
    const after = succeed(document, known, held, outcome === 'succeeded', now)
    const entered = isOrder
      ? change(
          after,
          after.instances.filter((each) => each.key !== key),
        )
      : after
    return { hasLostData, ...toStore(undefined, entered, retainMs, now) }
  }
  const isNew = known === undefined && !document.instances.some((each) => isSameClick(each, click))
  if (isNew && outcome === 'unknown' && held.began > document.lastNumber) {
    // The ledger has lost the attempt.
    // Stores the unknown outcome as if the attempt preceded all stored changes (decision 28).
    const openAttempts = [{ id: attempt, began: 0, at: now, aliveAt: now, leaseMs: 0 }]
    const after = add(document, next(freshInstance(click, key, now), openAttempts))
    return { hasLostData, ...toStore(undefined, after, retainMs, now) }
  }
  const own = known?.openAttempts.find(({ id }) => id === attempt)
  const isReconciling = known?.reconciling?.id === attempt
  if (known === undefined || (own === undefined && !isReconciling)) {
    // Writes the unchanged document for a release, so that the compare-and-set of a delayed claim fails (decision 25).
    return outcome === 'released'
      ? toStore(undefined, document, retainMs, now)
      : { result: undefined, hasLostData: hasLostData }
  }
  const openAttempts =
    outcome === 'unknown'
      ? known.openAttempts.map((each) => (each === own ? { ...each, leaseMs: 0 } : each))
      : known.openAttempts.filter((each) => each !== own)
  const reconciling = isReconciling ? undefined : known.reconciling
  return toStore(undefined, replace(document, next(known, openAttempts, reconciling, known.succeeded)), retainMs, now)
}

/** Renews the lease of a running attempt (decision 20). */
export function renewLease(stored: StoredClicks | undefined, held: Held, now: number): Change<undefined> {
  const document = openDocument(stored, now)
  const known = document.instances.find(({ key }) => key === held.key)
  if (!known?.openAttempts.some(({ id }) => id === held.attempt)) return { result: undefined }
  const openAttempts = known.openAttempts.map((each) => (each.id === held.attempt ? { ...each, aliveAt: now } : each))
  return toStore(
    undefined,
    replace(document, next(known, openAttempts, known.reconciling, known.succeeded)),
    held.retainMs,
    now,
  )
}

/** Whether a document contains a running click or an unknown outcome. A full ledger must not delete such a document. */
export function isOpen(stored: StoredClicks, now: number): boolean {
  return openDocument(stored, now).instances.some((each) => each.succeeded === undefined)
}

/** Decides whether a request can run, based on the last instance of its click. */
function judge(
  document: Document,
  last: Instance,
  { click, canReconcile, repeatableMs, waitedMs }: ClaimRequest,
  now: number,
): 'free' | 'replayed' | 'running' | 'retry' | 'reconcile' | Stopped {
  const { succeeded } = last
  const reused: Stopped | undefined =
    last.fingerprint === click.fingerprint
      ? undefined
      : { state: 'stopped', error: new StoreError('idempotency_key_reused') }
  if (succeeded !== undefined) {
    // A successful change ends the window if the change began after this success was recorded (decision 5).
    if (document.lastChange > succeeded.number) return 'free'
    const open = findOpenSince(document, succeeded, now)
    if (open !== undefined) {
      if (isRunning(open, now)) return stopped('undecided', 5)
      return stopped('undecided', canReconcile ? 30 : secondsLeft(open, now))
    }
    // Compares the window with the arrival time of the request instead of the current time (decision 21).
    return now - waitedMs >= endOf(succeeded) ? 'free' : (reused ?? 'replayed')
  }
  if (isRunning(last, now)) return reused ?? 'running'
  // An instance without attempts never ran. Its only attempt was lost during `reconcile`.
  if (last.openAttempts.length === 0 || now >= forgottenAt(last)) return 'free'
  if (reused !== undefined) return reused
  if (canReconcile) return 'reconcile'
  return now < last.firstAt + repeatableMs ? 'retry' : stopped('unknown', secondsLeft(last, now))
}

/** Claims the click for an attempt. The attempt runs immediately unless it must first call `reconcile`. */
function admit(
  document: Document,
  instance: Instance,
  reconciles: boolean,
  request: ClaimRequest,
  now: number,
): Change<Claim> {
  const { attempt, leaseMs, retainMs } = request
  if (reconciles) {
    const after = next(instance, instance.openAttempts, { id: attempt, aliveAt: now, leaseMs })
    return toStore(toReconcile(instance, request, now), add(document, after), retainMs, now)
  }
  const after = begin(document, instance, request, now)
  return toStore({ state: 'claimed', held: hold(request, instance, after.lastNumber) }, after, retainMs, now)
}

function hold({ click, attempt, leaseMs, retainMs }: ClaimRequest, { key }: Instance, began: number): Held {
  return { click, attempt, leaseMs, retainMs, key, began }
}

function toReconcile(instance: Instance, request: ClaimRequest, now: number): Claim {
  const [first, last] = [instance.openAttempts[0], instance.openAttempts.at(-1)]
  return {
    state: 'reconcile',
    held: hold(request, instance, 0),
    ...(first !== undefined && { firstMsAgo: now - first.at }),
    ...(last !== undefined && { lastMsAgo: now - last.at }),
  }
}

/** Adds an attempt with the next sequence number. */
function begin(
  document: Document,
  instance: Instance,
  { attempt, leaseMs }: Pick<ClaimRequest, 'attempt' | 'leaseMs'>,
  now: number,
): Document {
  const began = document.lastNumber + 1
  const attempts = [...instance.openAttempts, { id: attempt, began, at: now, aliveAt: now, leaseMs }]
  const [oldest] = attempts
  // Merges the two oldest attempts. The merged attempt has no id, so a rejection cannot remove it.
  if (oldest !== undefined && attempts.length > maxAttempts) attempts.splice(0, 2, { ...oldest, id: '', leaseMs: 0 })
  return add(document, next(instance, attempts), { lastNumber: began })
}

function succeed(
  document: Document,
  known: Instance | undefined,
  held: Held,
  isReported: boolean,
  now: number,
): Document {
  const { click, key, attempt } = held
  const succeeded = known?.succeeded
  if (known !== undefined && succeeded !== undefined) {
    // The successful attempt can later report that its caller received no response.
    // Another attempt can report that its caller received the first response.
    const isUpdate = succeeded.isReported ? succeeded.by === attempt && !isReported : isReported
    return isUpdate ? replace(document, next(known, none, undefined, { ...succeeded, at: now, isReported })) : document
  }
  const isLate = known === undefined && held.began > 0 && held.began < document.lastNumber
  // If several attempts may have made the change, the change has the position of the oldest attempt (decision 5).
  // After a loss of data, the change precedes all other changes.
  const began = known?.openAttempts[0]?.began ?? (isLate ? held.began : 0)
  const lastChange = Math.max(document.lastChange, began)
  // The instance has already ended, and a newer instance of the click exists.
  if (known === undefined && document.instances.some((each) => isSameClick(each, click)))
    return change(document, document.instances, { lastChange })
  // A late success gets the sequence number at which its attempt began.
  const number = isLate ? held.began : Math.max(document.lastNumber, held.began) + 1
  const instance = known ?? freshInstance(click, key, now)
  const success = { number, by: attempt, at: now, isReported, windowMs: click.windowMs }
  const numbers = { lastChange, lastNumber: Math.max(document.lastNumber, number) }
  return add(document, next(instance, none, undefined, success), numbers)
}

/** Finds another unfinished click that may have made a change between a success and its repeat (decision 6). */
function findOpenSince({ instances }: Document, succeeded: Success, now: number): Instance | undefined {
  if (now >= succeeded.at + dayMs) return undefined
  return instances.find(
    ({ openAttempts: [first] }) => first !== undefined && first.began > succeeded.number && first.at < endOf(succeeded),
  )
}

/**
 * Deletes instances that requests no longer need. A request that has waited through two later changes may still need a
 * deleted instance. Such a request fails with 503 (decision 27).
 */
function prune(document: Document, retainMs: number, now: number): Document {
  const isNeeded = (each: Instance) => {
    const { succeeded, openAttempts } = each
    if (succeeded === undefined) return isRunning(each, now) || (openAttempts.length > 0 && now < forgottenAt(each))
    if (document.lastChange > succeeded.number) return false
    if (now < succeeded.at + retainMs || now < endOf(succeeded)) return true
    return findOpenSince(document, succeeded, now) !== undefined
  }
  const dropped = document.instances.filter((each) => !isNeeded(each))
  if (dropped.length === 0) return document
  const lastDropped = Math.max(document.lastDropped, ...dropped.map(({ succeeded }) => succeeded?.number ?? 0))
  return change(document, document.instances.filter(isNeeded), { lastDropped })
}

/** Reads a document. If the clock was set back, replaces future times with the current time (decision 22). */
function openDocument(stored: StoredClicks | undefined, now: number): Document {
  if (stored === undefined) return { v: 1, lastNumber: 0, lastChange: 0, lastDropped: 0, instances: [] }
  if (!isDocument(stored)) throw new StoreError('store_unavailable', messages.version, { retryAfter: 30 })
  const isAhead = ({ openAttempts, reconciling, succeeded }: Instance) =>
    openAttempts.some(({ aliveAt }) => aliveAt > now) || Math.max(reconciling?.aliveAt ?? 0, succeeded?.at ?? 0) > now
  if (!stored.instances.some(isAhead)) return stored
  const times = new Set(['firstAt', 'at', 'aliveAt'])
  return JSON.parse(JSON.stringify(stored), (field, value) => (times.has(field) ? Math.min(value, now) : value))
}

function isDocument(stored: StoredClicks): stored is Document {
  return stored.v === 1 && 'instances' in stored && Array.isArray(stored.instances)
}

function toStore<Result>(result: Result, document: Document, retainMs: number, now: number): Change<Result> {
  let until = now
  for (const { openAttempts, reconciling, succeeded } of document.instances) {
    // The document must outlive its unfinished clicks, because they affect repeats of earlier successes (decision 6).
    for (const { aliveAt, leaseMs } of openAttempts) until = Math.max(until, aliveAt + leaseMs + dayMs)
    if (reconciling !== undefined) until = Math.max(until, reconciling.aliveAt + reconciling.leaseMs)
    if (succeeded !== undefined) until = Math.max(until, endOf(succeeded))
  }
  return { result, document, ttlMs: until - now + retainMs }
}

function add(document: Document, instance: Instance, numbers?: Numbers): Document {
  for (const { key } of document.instances) if (key === instance.key) return replace(document, instance, numbers)
  return change(document, [...document.instances, instance], numbers)
}

function replace(document: Document, instance: Instance, numbers?: Numbers): Document {
  const isOver =
    instance.openAttempts.length === 0 && instance.reconciling === undefined && instance.succeeded === undefined
  const others = isOver ? document.instances.filter(({ key }) => key !== instance.key) : document.instances
  return change(
    document,
    others.map((each) => (each.key === instance.key ? instance : each)),
    numbers,
  )
}

function freshInstance({ fingerprint, name }: ClickNames, key: string, now: number): Instance {
  return next({ key, fingerprint, name, firstAt: now }, none)
}

const none: readonly Attempt[] = []

/**
 * Creates the next state of an instance. All instances have the same fields in the same sequence, because V8 is then
 * several times faster.
 */
function next(
  { key, fingerprint, name, firstAt }: Pick<Instance, 'key' | 'fingerprint' | 'name' | 'firstAt'>,
  openAttempts: Instance['openAttempts'],
  reconciling?: Lease,
  succeeded?: Success,
): Instance {
  return { key, fingerprint, name, firstAt, openAttempts, reconciling, succeeded }
}

type Numbers = Partial<Pick<Document, 'lastNumber' | 'lastChange' | 'lastDropped'>>

function change(document: Document, instances: readonly Instance[], numbers: Numbers = {}): Document {
  const { lastNumber, lastChange, lastDropped } = numbers
  return {
    v: 1,
    lastNumber: lastNumber ?? document.lastNumber,
    lastChange: lastChange ?? document.lastChange,
    lastDropped: lastDropped ?? document.lastDropped,
    instances,
  }
}

/** Whether two clicks are the same: the same `Idempotency-Key`, or the same fields without a key. */
export function isSameClick(
  instance: Pick<Instance, 'name' | 'fingerprint'>,
  { name, fingerprint }: ClickNames,
): boolean {
  return instance.name === name && (name !== undefined || instance.fingerprint === fingerprint)
}

function isAlive({ aliveAt, leaseMs }: Lease, now: number): boolean {
  return now < aliveAt + leaseMs
}

function isRunning({ openAttempts, reconciling }: Instance, now: number): boolean {
  return openAttempts.some((each) => isAlive(each, now)) || (reconciling !== undefined && isAlive(reconciling, now))
}

/**
 * Returns the time at which an unknown outcome expires: a day after the first attempt that may have made the change
 * (decision 11).
 */
function forgottenAt({ openAttempts: [first], firstAt }: Instance): number {
  return (first?.at ?? firstAt) + dayMs
}

/**
 * Returns the time at which the window of a success ends. The window starts with the first response. With a window of
 * 0, an ended click is not replayed (decision 13).
 */
function endOf({ at, isReported, windowMs }: Success): number {
  return at + (isReported || windowMs === 0 ? windowMs : Math.max(windowMs, unreportedMs))
}

/** Returns the time until an unknown outcome expires, in seconds, at most an hour (decision 14). */
function secondsLeft(instance: Instance, now: number): number {
  return Math.min(3600, Math.max(1, Math.ceil((forgottenAt(instance) - now) / 1000)))
}

const messages = {
  running: 'The same request is still running. Retry after the time in Retry-After.',
  undecided: 'Another change by this customer is not complete. Retry after the time in Retry-After.',
  unknown: 'The outcome of an earlier attempt is unknown. Retry after the time in Retry-After.',
  full: 'Too many changes by this customer are stored. Retry after the time in Retry-After.',
  version: 'The stored clicks have an unsupported version.',
} as const

/**
 * Creates a temporary rejection; `retryAfter` is in seconds. The outcome is unknown if an earlier attempt
 * of the click may take effect.
 */
export function stopped(why: keyof typeof messages, retryAfter: number): Stopped {
  const outcome = why === 'full' ? 'refused' : 'unknown'
  return { state: 'stopped', error: new StoreError('store_unavailable', messages[why], { retryAfter, outcome }) }
}
