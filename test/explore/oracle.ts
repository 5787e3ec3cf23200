import {
  appliedOf,
  type Attempt,
  type Course,
  courseOf,
  type History,
  type Moment,
  type OracleSettings,
  type Request,
} from './history.ts'
import { findOtherKey, isBetween, mayCount, mayRepeat } from './judgements.ts'
import type { World } from './world.ts'

/**
 * Judges a schedule from the outside, by what callers and the shop have seen in the real order. A change counts twice, or a click
 * is swallowed, whatever the documents say.
 */
export class Oracle {
  readonly #history: History
  /** All that was observed, in order: part of a state, since later judgements depend on it. */
  #events = ''
  #order = 0
  hasSteppedForward = false
  readonly #reconciled: { readonly click: string; readonly moment: Moment }[] = []
  /** What must not happen, and has. */
  failure: string | undefined
  /** Schedules with the documented exception: a change that a `reconcile` which does not fence overlooked. */
  exceptions = new Set<string>()

  constructor(world: World, settings: OracleSettings) {
    this.#history = { world, settings, courses: new Map(), attempts: [], hasForgotten: false }
  }

  /** The ledger has lost clicks. */
  forget(): void {
    this.#history.hasForgotten = true
  }

  text(): string {
    return this.#events
  }

  fail(message: string): void {
    this.failure ??= message
    this.#history.world.note(() => `!! ${message}`)
  }

  /** The storage's clock was set back: what was stored counts from the new time at the earliest. */
  setBack(): void {
    const { clock } = this.#history.world
    for (const { arrived, responded } of this.#history.courses.values())
      for (const each of [arrived, responded]) if (each !== undefined) each.lowest = Math.min(each.lowest, clock)
    for (const { started, applied, known } of this.#history.attempts)
      for (const each of [started, applied, known]) if (each !== undefined) each.lowest = Math.min(each.lowest, clock)
  }

  arrive(request: Request): void {
    const arrived = this.#mark(request, 'arrives')
    this.#history.courses.set(request, { request, arrived, attempts: [] })
  }

  /** A fault hits a request: its process, or what it stores. */
  disturb(request: Request): void {
    const course = this.#history.courses.get(request)
    if (course !== undefined) course.isDisturbed = true
    this.#events += `${request.name} disturbed;`
  }

  /** The store is called. */
  start(request: Request, key: string): void {
    const course = courseOf(this.#history, request)
    const started = this.#mark(request, 'starts')
    const wrongKey = findOtherKey(this.#history, request, key)
    if (wrongKey !== undefined) this.fail(wrongKey)
    const attempt: Attempt = {
      request,
      key,
      started,
      arrived: course.arrived,
      toStore: new Map(),
      isLeftBehind:
        this.hasSteppedForward &&
        this.#reconciled.some(({ click, moment }) => click === request.click && moment.order > course.arrived.order) &&
        course.reconciled === undefined,
    }
    course.attempts.push(attempt)
    this.#history.attempts.push(attempt)
  }

  /** The shop makes the change. */
  apply(request: Request): void {
    const attempt = this.#attemptOf(request)
    if (attempt.applied !== undefined) this.fail(`${request.name} makes its change twice`)
    attempt.applied = this.#mark(request, 'applies')
    if (this.#history.settings.keeps) {
      attempt.started = attempt.applied
      attempt.known = attempt.applied
      attempt.isPrompt = true
      attempt.isSettled = true
    }
    for (const earlier of appliedOf(this.#history, request.click)) {
      if (earlier === attempt || earlier.isExcepted || mayRepeat(this.#history, earlier, attempt)) continue
      if (attempt.isOverlooked || earlier.isOverlooked) this.exceptions.add('a pause past the lease, without fencing')
      else if (attempt.isLeftBehind || earlier.isLeftBehind) this.exceptions.add('a clock step between claim and call')
      else if (this.#history.hasForgotten && this.#history.settings.losesClicks(request))
        this.exceptions.add('an emptied ledger')
      else return this.fail(`${request.name} counts twice: ${earlier.request.name} had made the same change`)
      attempt.isExcepted = true
      earlier.isExcepted = true
    }
  }

  /** The guard gets the answer of the store. */
  answer(request: Request): void {
    const attempt = this.#attemptOf(request)
    const course = courseOf(this.#history, request)
    const known = this.#mark(request, 'is answered')
    // A platform that has made the change before: it is that attempt's.
    const made =
      attempt.applied === undefined
        ? this.#history.attempts.find((each) => each.key === attempt.key && each.applied)
        : attempt
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
    for (const attempt of this.#history.attempts) {
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
    courseOf(this.#history, request).reconciled = moment
    this.#reconciled.push({ click: request.click, moment })
    for (const attempt of this.#history.attempts.filter((each) => each.request.click === request.click)) {
      if (found === 'applied' && attempt.applied !== undefined) {
        this.#learn(attempt, request, moment)
        attempt.isPrompt = true
      }
      if (found !== 'not_applied' || attempt.applied !== undefined || attempt.isOver) continue
      attempt.isDenied = true
      if (this.#history.settings.isFencing) attempt.isOver = true
      else if (courseOf(this.#history, attempt.request).isDisturbed) attempt.isOverlooked = true
    }
  }

  respond(request: Request, code: string): void {
    const course = courseOf(this.#history, request)
    const { arrived, attempts } = course
    course.responded = this.#mark(request, code)
    // A caller that has left does not see it.
    course.code = request.hasLeft ? 'left' : code
    const takesMs = course.responded.now - arrived.now
    if (!course.isDisturbed && takesMs > 2 * this.#history.settings.timeoutMs)
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
    if (!appliedOf(this.#history, request.click).some((earlier) => mayCount(this.#history, earlier, course)))
      return this.fail(`${request.name} is swallowed: 200, and no change counts for it`)
  }

  /** Whether a shop that is asked about any change of a fingerprint should answer with this one. */
  isRecent(request: Request, windowMs: number): boolean {
    const attempt = this.#history.attempts.findLast((each) => each.request === request && each.applied !== undefined)
    if (attempt?.applied === undefined) return false
    return this.#history.world.now - attempt.applied.now < windowMs && !isBetween(this.#history, attempt, undefined)
  }

  /** Clicks that have not ended: no success, and no rejection of the last request. */
  openClicks(): readonly Request[] {
    const byClick = new Map<string, Course>()
    for (const course of this.#history.courses.values()) {
      const known = byClick.get(course.request.click)
      if (known?.code !== '200') byClick.set(course.request.click, course)
    }
    return [...byClick.values()].filter(({ request }) => !this.isEnded(request)).map(({ request }) => request)
  }

  /** What the callers got. */
  responses(): readonly { readonly name: string; readonly code: string | undefined }[] {
    return [...this.#history.courses.values()].map(({ request, code }) => ({ name: request.name, code }))
  }

  /** Whether the caller of a request knows how it ended. */
  isEnded(request: Request): boolean {
    const { code } = courseOf(this.#history, request)
    return code === '200' || code === 'payment_failed' || code === 'idempotency_key_reused'
  }

  #attemptOf(request: Request): Attempt {
    const attempt = courseOf(this.#history, request).attempts.at(-1)
    if (attempt === undefined) throw new Error(`${request.name} has not started.`)
    return attempt
  }

  #mark(request: Request, what: string): Moment {
    const { now, clock } = this.#history.world
    this.#order += 1
    this.#events += `${request.name} ${what} ${now} ${clock};`
    this.#history.world.note(() => `${request.name} ${what}`)
    return { order: this.#order, now, clock, lowest: clock }
  }
}
