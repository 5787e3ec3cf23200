import type { World } from './world.ts'

const dayMs = 24 * 60 * 60_000
const unreportedMs = 10 * 60_000

/** A request, as its caller and the shop see it. */
export interface Request {
  readonly name: string
  readonly customer: string
  /** What the request asks for, with its name: equal for the same click. */
  readonly click: string
  /** The `Idempotency-Key`. */
  readonly key: string | undefined
  readonly endpoint: string
  readonly windowMs: number
  hasLeft: boolean
}

/** A point of the real order, and the times at it; the lower one for a storage clock that was set back since. */
interface Moment {
  readonly order: number
  readonly now: number
  readonly clock: number
  lowest: number
}

/** How a request went, from the outside. */
interface Course {
  readonly request: Request
  readonly arrived: Moment
  readonly attempts: Attempt[]
  /** Where the response was written: 200 or an error code. */
  responded: Moment | undefined
  code: string | undefined
  /** Whether a fault may have made the ledger learn of its outcome late or never. */
  isDisturbed: boolean
  /** Its last answer of `reconcile`. */
  reconciled: Moment | undefined
}

/** One call of the store. */
interface Attempt {
  readonly request: Request
  readonly key: string
  /** For a store that keeps its clicks: its transaction. */
  started: Moment
  readonly arrived: Moment
  /** When the change was made; a request without one has had no effect. */
  applied: Moment | undefined
  /** When the guard got to know that the change was made: from the store, or from `reconcile`. */
  known: Moment | undefined
  /** Writes to the ledger that a request still has to make, after it got to know that the change was made. */
  readonly toStore: Map<Request, number>
  /** Whether the ledger knows it. */
  isSettled: boolean
  /** Whether its caller waited for it then. */
  isPrompt: boolean
  /** Whether its own caller waited for the answer of the store. */
  isAnswered: boolean
  /** Whether the store has answered that the change is made. */
  hasSucceeded: boolean
  /** Whether the store has rejected it, or `reconcile` has said that it is not applied. */
  isOver: boolean
  /** Whether `reconcile` has answered that it is not applied: it is no attempt of the instance any more. */
  isDenied: boolean
  /** Whether a `reconcile` that does not fence overlooked it. */
  isOverlooked: boolean
  /** Whether it is one of the two changes of a documented exception: later ones are not compared with it. */
  isExcepted: boolean
  /** Whether the clock made its lease lapse before it called the store, and `reconcile` could not fence it. */
  isLeftBehind: boolean
}

export interface OracleSettings {
  readonly timeoutMs: number
  /** Whether `reconcile` makes sure that nothing applies later. */
  readonly isFencing: boolean
  /** Whether a click without a name loses its platform key with a rollback. */
  readonly keeps: boolean
  /** Whether the ledger was emptied and neither `reconcile` nor the platform protects the click. */
  readonly losesClicks: (request: Request) => boolean
}

/**
 * Judges a schedule from the outside, by what callers and the shop have seen in the real order. A change counts twice, or a click
 * is swallowed, whatever the documents say.
 */
export class Oracle {
  readonly #world: World
  readonly #settings: OracleSettings
  readonly #courses = new Map<Request, Course>()
  readonly #attempts: Attempt[] = []
  /** All that was observed, in order: part of a state, since later judgements depend on it. */
  #events = ''
  #order = 0
  hasForgotten = false
  hasSteppedForward = false
  readonly #reconciled: { readonly click: string; readonly moment: Moment }[] = []
  /** What must not happen, and has. */
  failure: string | undefined
  /** Schedules with the documented exception: a change that a `reconcile` which does not fence overlooked. */
  exceptions = new Set<string>()

  constructor(world: World, settings: OracleSettings) {
    this.#world = world
    this.#settings = settings
  }

  text(): string {
    return this.#events
  }

  fail(message: string): void {
    this.failure ??= message
    this.#world.note(() => `!! ${message}`)
  }

  /** The storage's clock was set back: what was stored counts from the new time at the earliest. */
  setBack(): void {
    const { clock } = this.#world
    for (const { arrived, responded } of this.#courses.values())
      for (const each of [arrived, responded]) if (each !== undefined) each.lowest = Math.min(each.lowest, clock)
    for (const { started, applied, known } of this.#attempts)
      for (const each of [started, applied, known]) if (each !== undefined) each.lowest = Math.min(each.lowest, clock)
  }

  arrive(request: Request): void {
    const arrived = this.#mark(request, 'arrives')
    this.#courses.set(request, {
      request,
      arrived,
      attempts: [],
      responded: undefined,
      code: undefined,
      isDisturbed: false,
      reconciled: undefined,
    })
  }

  /** A fault hits a request: its process, or what it stores. */
  disturb(request: Request): void {
    const course = this.#courses.get(request)
    if (course !== undefined) course.isDisturbed = true
    this.#events += `${request.name} disturbed;`
  }

  /** The store is called. */
  start(request: Request, key: string): void {
    const course = this.#courseOf(request)
    const started = this.#mark(request, 'starts')
    this.#judgeKey(request, key)
    const attempt = {
      request,
      key,
      started,
      arrived: course.arrived,
      applied: undefined,
      known: undefined,
      toStore: new Map(),
      isSettled: false,
      isPrompt: false,
      isAnswered: false,
      hasSucceeded: false,
      isOver: false,
      isDenied: false,
      isOverlooked: false,
      isExcepted: false,
      isLeftBehind:
        this.hasSteppedForward &&
        this.#reconciled.some(({ click, moment }) => click === request.click && moment.order > course.arrived.order) &&
        course.reconciled === undefined,
    }
    course.attempts.push(attempt)
    this.#attempts.push(attempt)
  }

  /** The shop makes the change. */
  apply(request: Request): void {
    const attempt = this.#attemptOf(request)
    if (attempt.applied !== undefined) this.fail(`${request.name} makes its change twice`)
    attempt.applied = this.#mark(request, 'applies')
    if (this.#settings.keeps) {
      attempt.started = attempt.applied
      attempt.known = attempt.applied
      attempt.isPrompt = true
      attempt.isSettled = true
    }
    for (const earlier of this.#appliedOf(request.click)) {
      if (earlier === attempt || earlier.isExcepted || this.#mayRepeat(earlier, attempt)) continue
      if (attempt.isOverlooked || earlier.isOverlooked) this.exceptions.add('a pause past the lease, without fencing')
      else if (attempt.isLeftBehind || earlier.isLeftBehind) this.exceptions.add('a clock step between claim and call')
      else if (this.hasForgotten && this.#settings.losesClicks(request)) this.exceptions.add('an emptied ledger')
      else return this.fail(`${request.name} counts twice: ${earlier.request.name} had made the same change`)
      attempt.isExcepted = true
      earlier.isExcepted = true
    }
  }

  /** The guard gets the answer of the store. */
  answer(request: Request): void {
    const attempt = this.#attemptOf(request)
    const course = this.#courseOf(request)
    const known = this.#mark(request, 'is answered')
    // A platform that has made the change before: it is that attempt's.
    const made =
      attempt.applied === undefined ? this.#attempts.find((each) => each.key === attempt.key && each.applied) : attempt
    if (made !== undefined) this.#learn(made, request, known)
    const isPrompt = course.responded === undefined && !request.hasLeft
    attempt.isPrompt ||= isPrompt
    attempt.isAnswered = isPrompt
    attempt.hasSucceeded = true
    if (made !== undefined && isPrompt) made.isPrompt = true
  }

  #learn(attempt: Attempt, by: Request, moment: Moment): void {
    attempt.known ??= moment
    attempt.toStore.set(by, by.key === undefined ? 1 : 2)
  }

  /** A request has written to the ledger. */
  store(request: Request): void {
    for (const attempt of this.#attempts) {
      const left = attempt.toStore.get(request)
      if (left === undefined) continue
      attempt.toStore.set(request, left - 1)
      attempt.isSettled ||= left === 1
    }
    this.#events += `${request.name} stores;`
  }

  reject(request: Request): void {
    this.#attemptOf(request).isOver = true
    this.#mark(request, 'is rejected')
  }

  reconcile(request: Request, found: 'applied' | 'not_applied' | 'unknown'): void {
    const moment = this.#mark(request, found)
    this.#courseOf(request).reconciled = moment
    this.#reconciled.push({ click: request.click, moment })
    for (const attempt of this.#attempts.filter((each) => each.request.click === request.click)) {
      if (found === 'applied' && attempt.applied !== undefined) {
        this.#learn(attempt, request, moment)
        attempt.isPrompt = true
      }
      if (found !== 'not_applied' || attempt.applied !== undefined || attempt.isOver) continue
      attempt.isDenied = true
      if (this.#settings.isFencing) attempt.isOver = true
      else if (this.#courseOf(attempt.request).isDisturbed) attempt.isOverlooked = true
    }
  }

  respond(request: Request, code: string): void {
    const course = this.#courseOf(request)
    const { arrived, attempts } = course
    course.responded = this.#mark(request, code)
    // A caller that has left does not see it.
    course.code = request.hasLeft ? 'left' : code
    const takesMs = course.responded.now - arrived.now
    if (!course.isDisturbed && takesMs > 2 * this.#settings.timeoutMs)
      return this.fail(`${request.name} takes ${takesMs} ms`)
    const last = attempts.at(-1)
    if (code !== '200') {
      if (last?.isAnswered === true && code !== 'store_timeout')
        return this.fail(`${request.name} succeeded, and its caller gets ${code}`)
      if (code === 'request_in_progress' && request.key === undefined)
        return this.fail(`${request.name} gets 409 without a name`)
      if (code === 'internal_error') return this.fail(`${request.name} gets 500`)
      return
    }
    if (attempts.some(({ applied }) => applied !== undefined)) return
    if (!this.#appliedOf(request.click).some((earlier) => this.#mayCount(earlier, course)))
      return this.fail(`${request.name} is swallowed: 200, and no change counts for it`)
  }

  /** Whether a shop that is asked about any change of a fingerprint should answer with this one. */
  isRecent(request: Request, windowMs: number): boolean {
    const attempt = this.#attempts.findLast((each) => each.request === request && each.applied !== undefined)
    if (attempt?.applied === undefined) return false
    return this.#world.now - attempt.applied.now < windowMs && !this.#isBetween(attempt, undefined)
  }

  /** Clicks that have not ended: no success, and no rejection of the last request. */
  openClicks(): readonly Request[] {
    const byClick = new Map<string, Course>()
    for (const course of this.#courses.values()) {
      const known = byClick.get(course.request.click)
      if (known?.code !== '200') byClick.set(course.request.click, course)
    }
    return [...byClick.values()].filter(({ request }) => !this.isEnded(request)).map(({ request }) => request)
  }

  /** What the callers got. */
  responses(): readonly { readonly name: string; readonly code: string | undefined }[] {
    return [...this.#courses.values()].map(({ request, code }) => ({ name: request.name, code }))
  }

  /** Whether the caller of a request knows how it ended. */
  isEnded(request: Request): boolean {
    const { code } = this.#courseOf(request)
    return code === '200' || code === 'payment_failed' || code === 'idempotency_key_reused'
  }

  /** Whether an attempt may change something again after an earlier one. */
  #mayRepeat(earlier: Attempt, attempt: Attempt): boolean {
    // A change that may be made twice is made again, until the ledger knows that it was made.
    const isUnknown = !earlier.isSettled || (earlier.known?.order ?? 0) > attempt.started.order
    if (attempt.request.endpoint === 'delaySubscription' && isUnknown) return true
    return (
      this.#mayHaveExpired(earlier, attempt) || (attempt.request.key === undefined && this.#isBetween(earlier, attempt))
    )
  }

  /** Whether the earliest end of the window is over. */
  #mayHaveExpired(earlier: Attempt, attempt: Attempt): boolean {
    const { windowMs, click } = earlier.request
    const arrival = Math.max(attempt.arrived.clock, attempt.arrived.now + this.#world.ahead)
    const { known } = earlier
    if (known === undefined || !earlier.isSettled) {
      const first = this.#attempts.find((each) => each.request.click === click && !each.isOver)
      return this.#world.clock >= (first ?? earlier).started.lowest + dayMs
    }
    if (earlier.isPrompt) return arrival >= known.lowest + windowMs
    // The first replay reports it; a replay whose response was lost has reported it, too.
    const reports = [...this.#courses.values()].filter(
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
  #isBetween(earlier: Attempt, attempt: Attempt | undefined): boolean {
    const { known } = earlier
    if (known === undefined) return false
    return this.#attempts.some(
      (other) =>
        other !== attempt &&
        other.request.click !== earlier.request.click &&
        other.request.customer === earlier.request.customer &&
        other.applied !== undefined &&
        other.started.order > known.order,
    )
  }

  /** Whether a change may count for a request that gets 200 without one of its own. */
  #mayCount(earlier: Attempt, { request, arrived, attempts }: Course): boolean {
    // The platform remembers the key of a named click for longer than the ledger.
    if (request.key !== undefined && attempts.some(({ hasSucceeded }) => hasSucceeded)) return true
    const reported = this.#firstReport(earlier)
    // Joined, or the first that is told: it counts, whatever was between.
    if (reported === undefined || reported.responded === undefined || reported.responded.order > arrived.order)
      return true
    if (reported.isDisturbed) return true
    // A commit that answered too late: the request may be the retry of its caller.
    if (this.#settings.keeps && this.#courseOf(earlier.request).code !== '200') return true
    const at = reported.responded.clock
    const arrival = Math.min(arrived.clock, arrived.now + this.#world.ahead)
    if (arrival >= at + request.windowMs) return false
    return request.key !== undefined || !this.#isSurelyBetween(reported.responded, earlier, arrived)
  }

  /** The first request that got 200 for a change. */
  #firstReport(earlier: Attempt): Course | undefined {
    const { applied, request: maker } = earlier
    return [...this.#courses.values()]
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
  #isSurelyBetween(reported: Moment, earlier: Attempt, arrived: Moment): boolean {
    return this.#attempts.some((other) => {
      const { request, applied, isOver, isOverlooked } = other
      if (request.click === earlier.request.click || request.customer !== earlier.request.customer) return false
      if (applied === undefined || isOver || isOverlooked || applied.order > arrived.order) return false
      // An attempt before may have made the change: it counts from there.
      const first = this.#attempts.find(
        (each) => each.request.click === request.click && !each.isOver && each.known === undefined,
      )
      return Math.min(other.arrived.order, first?.arrived.order ?? Infinity) > reported.order
    })
  }

  /** All attempts of an instance have one platform key. */
  #judgeKey(request: Request, key: string): void {
    const isUnnamed = request.key === undefined
    if (isUnnamed && (this.#settings.keeps || this.hasForgotten)) return
    const last = this.#attempts.findLast((each) => each.request.click === request.click)
    if (last === undefined || last.key === key) return
    const isKnown = this.#attempts.some(
      (each) => each.key === last.key && (each.known !== undefined || each.hasSucceeded),
    )
    const isEnded = isKnown || last.isDenied || last.isOver || this.#world.clock >= last.started.lowest + dayMs
    if (isUnnamed && isEnded) return
    return this.fail(`${request.name} has another platform key than ${last.request.name}`)
  }

  #appliedOf(click: string): readonly Attempt[] {
    return this.#attempts.filter(({ request, applied }) => request.click === click && applied !== undefined)
  }

  #courseOf(request: Request): Course {
    const course = this.#courses.get(request)
    if (course === undefined) throw new Error(`${request.name} has not arrived.`)
    return course
  }

  #attemptOf(request: Request): Attempt {
    const attempt = this.#courseOf(request).attempts.at(-1)
    if (attempt === undefined) throw new Error(`${request.name} has not started.`)
    return attempt
  }

  #mark(request: Request, what: string): Moment {
    const { now, clock } = this.#world
    this.#order += 1
    this.#events += `${request.name} ${what} ${now} ${clock};`
    this.#world.note(() => `${request.name} ${what}`)
    return { order: this.#order, now, clock, lowest: clock }
  }
}
