import { type Attempt, type Course, courseOf, type History, type Moment, type Request } from './history.ts'

const dayMs = 24 * 60 * 60_000
const unreportedMs = 10 * 60_000

/** Whether an attempt may change something again after an earlier one. */
export function mayRepeat(history: History, earlier: Attempt, attempt: Attempt): boolean {
  // A change that may be made twice is made again, until the ledger knows that it was made.
  const isUnknown = !earlier.isSettled || (earlier.known?.order ?? 0) > attempt.started.order
  if (attempt.request.endpoint === 'delaySubscription' && isUnknown) return true
  return (
    mayHaveExpired(history, earlier, attempt) ||
    (attempt.request.key === undefined && isBetween(history, earlier, attempt))
  )
}

/** Whether the earliest end of the window is over. */
function mayHaveExpired(history: History, earlier: Attempt, attempt: Attempt): boolean {
  const { windowMs, click } = earlier.request
  const arrival = Math.max(attempt.arrived.clock, attempt.arrived.now + history.world.ahead)
  const { known } = earlier
  if (known === undefined || !earlier.isSettled) {
    const first = history.attempts.find((each) => each.request.click === click && !each.isOver)
    return history.world.clock >= (first ?? earlier).started.lowest + dayMs
  }
  if (earlier.isPrompt) return arrival >= known.lowest + windowMs
  // The first replay reports it; a replay whose response was lost has reported it, too.
  const reports = [...history.courses.values()].filter(
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

/** Whether another change of the customer may have begun after this one was known. */
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

/** Whether a change may count for a request that gets 200 without one of its own. */
export function mayCount(history: History, earlier: Attempt, { request, arrived, attempts }: Course): boolean {
  // The platform remembers the key of a named click for longer than the ledger.
  if (request.key !== undefined && attempts.some(({ hasSucceeded }) => hasSucceeded)) return true
  const reported = firstReport(history, earlier)
  // Joined, or the first that is told: it counts, whatever was between.
  if (reported === undefined || reported.responded === undefined || reported.responded.order > arrived.order)
    return true
  if (reported.isDisturbed) return true
  // A commit that answered too late: the request may be the retry of its caller.
  if (history.settings.keeps && courseOf(history, earlier.request).code !== '200') return true
  const at = reported.responded.clock
  const arrival = Math.min(arrived.clock, arrived.now + history.world.ahead)
  if (arrival >= at + request.windowMs) return false
  return request.key !== undefined || !isSurelyBetween(history, reported.responded, earlier, arrived)
}

/** The first request that got 200 for a change. */
function firstReport(history: History, earlier: Attempt): Course | undefined {
  const { applied, request: maker } = earlier
  return [...history.courses.values()]
    .filter(({ request, code, responded, attempts }) => {
      if (request.click !== maker.click || code !== '200' || responded === undefined || applied === undefined)
        return false
      // A request with a change of its own reports that one.
      const isOwn = request === maker || !attempts.some((each) => each.applied !== undefined)
      return isOwn && responded.order > applied.order
    })
    .toSorted((one, other) => (one.responded?.order ?? 0) - (other.responded?.order ?? 0))[0]
}

/** Whether another change of the customer began after a response, and was made before an arrival. */
function isSurelyBetween(history: History, reported: Moment, earlier: Attempt, arrived: Moment): boolean {
  return history.attempts.some((other) => {
    const { request, applied, isOver, isOverlooked } = other
    if (request.click === earlier.request.click || request.customer !== earlier.request.customer) return false
    if (applied === undefined || isOver || isOverlooked || applied.order > arrived.order) return false
    // An attempt before may have made the change: it counts from there.
    const first = history.attempts.find(
      (each) => each.request.click === request.click && !each.isOver && each.known === undefined,
    )
    return Math.min(other.arrived.order, first?.arrived.order ?? Infinity) > reported.order
  })
}

/** All attempts of an instance have one platform key: returns what is wrong with another one. */
export function findOtherKey(history: History, request: Request, key: string): string | undefined {
  const isUnnamed = request.key === undefined
  if (isUnnamed && (history.settings.keeps || history.hasForgotten)) return undefined
  const last = history.attempts.findLast((each) => each.request.click === request.click)
  if (last === undefined || last.key === key) return undefined
  const isKnown = history.attempts.some(
    (each) => each.key === last.key && (each.known !== undefined || each.hasSucceeded),
  )
  const isEnded = isKnown || last.isDenied || last.isOver || history.world.clock >= last.started.lowest + dayMs
  if (isUnnamed && isEnded) return undefined
  return `${request.name} has another platform key than ${last.request.name}`
}
