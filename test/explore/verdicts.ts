import { dayMs } from './case.ts'
import { type Attempt, type RequestRecord, recordOf, type History, type Moment } from './history.ts'
import type { Request } from './world.ts'

const unreportedMs = 10 * 60_000

/** Returns whether an attempt may apply a change that an earlier attempt has already applied. */
export function mayRepeat(history: History, earlier: Attempt, attempt: Attempt): boolean {
  // A `delaySubscription` request may run again until the ledger has recorded its success.
  const isUnknown = !earlier.isSettled || (earlier.known?.order ?? 0) > attempt.started.order
  if (attempt.request.endpoint === 'delaySubscription' && isUnknown) return true
  return (
    mayHaveExpired(history, earlier, attempt) ||
    (attempt.request.key === undefined && isBetween(history, earlier, attempt))
  )
}

/** Returns whether the earliest possible end of the window has passed. */
function mayHaveExpired(history: History, earlier: Attempt, attempt: Attempt): boolean {
  const { windowMs, click } = earlier.request
  const arrival = Math.max(attempt.arrived.clock, attempt.arrived.now + history.world.ahead)
  const { known } = earlier
  if (known === undefined || !earlier.isSettled) {
    const first = history.attempts.find((each) => each.request.click === click && !each.isOver)
    return history.world.clock >= (first ?? earlier).started.lowest + dayMs
  }
  if (earlier.isPrompt) return arrival >= known.lowest + windowMs
  // The first replay counts as the report of the success, even if its response was lost.
  const reports = [...history.records.values()].filter(
    ({ request, arrived, code, isDisturbed }) =>
      request.click === click &&
      request !== attempt.request &&
      arrived.order > earlier.started.order &&
      (code === '200' || code === undefined || isDisturbed),
  )
  const late = Math.max(windowMs, windowMs === 0 ? 0 : unreportedMs)
  const ends = reports.map(({ arrived }) => Math.max(arrived.lowest, known.lowest) + windowMs)
  return arrival >= Math.min(known.lowest + late, ...ends)
}

/** Returns whether another change of the customer started after the guard received the success of `earlier`. */
export function isBetween(history: History, earlier: Attempt, attempt: Attempt | undefined): boolean {
  const { known } = earlier
  if (known === undefined) return false
  return history.attempts.some(
    (other) =>
      other !== attempt &&
      other.request.click !== earlier.request.click &&
      other.request.customer === earlier.request.customer &&
      other.applied !== undefined &&
      other.started.order > known.order,
  )
}

/** Returns whether a request can receive 200 for an earlier change, without making its own change. */
export function mayCount(history: History, earlier: Attempt, { request, arrived, attempts }: RequestRecord): boolean {
  // The platform stores the key of a named click longer than the ledger stores the click.
  if (request.key !== undefined && attempts.some(({ hasSucceeded }) => hasSucceeded)) return true
  const reported = firstReport(history, earlier)
  // The request joined the attempt or is the first to report its success, so other changes do not matter.
  if (reported === undefined || reported.responded === undefined || reported.responded.order > arrived.order)
    return true
  if (reported.isDisturbed) return true
  // The commit can succeed after an error response, so the request may be a retry.
  if (history.settings.commitsClicks && recordOf(history, earlier.request).code !== '200') return true
  const at = reported.responded.clock
  const arrival = Math.min(arrived.clock, arrived.now + history.world.ahead)
  if (arrival >= at + request.windowMs) return false
  return request.key !== undefined || !isSurelyBetween(history, reported.responded, earlier, arrived)
}

/** Returns the first request that received 200 for a change. */
function firstReport(history: History, earlier: Attempt): RequestRecord | undefined {
  const { applied, request: maker } = earlier
  return [...history.records.values()]
    .filter(({ request, code, responded, attempts }) => {
      if (request.click !== maker.click || code !== '200' || responded === undefined || applied === undefined)
        return false
      // If a request made its own change, it reports that change and not an earlier change.
      const isOwn = request === maker || !attempts.some((each) => each.applied !== undefined)
      return isOwn && responded.order > applied.order
    })
    .toSorted((one, other) => (one.responded?.order ?? 0) - (other.responded?.order ?? 0))[0]
}

/** Returns whether another change of the customer started after a response and was applied before an arrival. */
function isSurelyBetween(history: History, reported: Moment, earlier: Attempt, arrived: Moment): boolean {
  return history.attempts.some((other) => {
    const { request, applied, isOver, isOverlooked } = other
    if (request.click === earlier.request.click || request.customer !== earlier.request.customer) return false
    if (applied === undefined || isOver || isOverlooked || applied.order > arrived.order) return false
    // An earlier attempt of the same click may have applied the change, so the earlier arrival is used.
    const first = history.attempts.find(
      (each) => each.request.click === request.click && !each.isOver && each.known === undefined,
    )
    return Math.min(other.arrived.order, first?.arrived.order ?? Infinity) > reported.order
  })
}

/** Returns an error message if an attempt has a different platform key than the earlier attempts of its instance. */
export function findKeyConflict(history: History, request: Request, key: string): string | undefined {
  const isUnnamed = request.key === undefined
  if (isUnnamed && (history.settings.isTransactional || history.hasLostData)) return undefined
  const last = history.attempts.findLast((each) => each.request.click === request.click)
  if (last === undefined || last.key === key) return undefined
  const isKnown = history.attempts.some(
    (each) => each.key === last.key && (each.known !== undefined || each.hasSucceeded),
  )
  const isEnded = isKnown || last.isDenied || last.isOver || history.world.clock >= last.started.lowest + dayMs
  if (isUnnamed && isEnded) return undefined
  return `${request.name} and ${last.request.name} have different platform keys`
}
