import {
  appliedOf,
  type Attempt,
  type RequestRecord,
  recordOf,
  type History,
  type Moment,
  type OracleSettings,
} from './history.ts'
import { findKeyConflict, isBetween, mayCount, mayRepeat } from './verdicts.ts'
import type { Request, World } from './world.ts'

/**
 * Checks a schedule against the observations of the callers and the shop, in their real sequence. Detects duplicate
 * changes and swallowed clicks. A swallowed click receives 200 without a change. Does not read the documents of the
 * ledger.
 */
export class Oracle {
  readonly #history: History
  /** All observations in order. The digest includes the observations, because later checks depend on them. */
  #events = ''
  #order = 0
  hasSteppedForward = false
  readonly #reconciled: { readonly click: string; readonly moment: Moment }[] = []
  failure: string | undefined
  /** Documented exceptions that occurred in this schedule. */
  exceptions = new Set<string>()

  constructor(world: World, settings: OracleSettings) {
    this.#history = { world, settings, records: new Map(), attempts: [], hasLostData: false }
  }

  /** Records that the ledger has lost data. */
  forget(): void {
    this.#history.hasLostData = true
  }

  text(): string {
    return this.#events
  }

  fail(message: string): void {
    this.failure ??= message
    this.#history.world.log(() => `FAILURE: ${message}`)
  }

  /** Records that the storage's clock was set back, and lowers `lowest` of earlier observations to the new time. */
  setBack(): void {
    const { clock } = this.#history.world
    for (const { arrived, responded } of this.#history.records.values())
      for (const each of [arrived, responded]) if (each !== undefined) each.lowest = Math.min(each.lowest, clock)
    for (const { started, applied, known } of this.#history.attempts)
      for (const each of [started, applied, known]) if (each !== undefined) each.lowest = Math.min(each.lowest, clock)
  }

  arrive(request: Request): void {
    const arrived = this.#mark(request, 'arrives')
    this.#history.records.set(request, { request, arrived, attempts: [] })
  }

  /** Records a fault in a request's process or in the stored data of the request. */
  disturb(request: Request): void {
    const record = this.#history.records.get(request)
    if (record !== undefined) record.isDisturbed = true
    this.#events += `${request.name} disturbed;`
  }

  start(request: Request, key: string): void {
    const record = recordOf(this.#history, request)
    const started = this.#mark(request, 'starts')
    const conflict = findKeyConflict(this.#history, request, key)
    if (conflict !== undefined) this.fail(conflict)
    const attempt: Attempt = {
      request,
      key,
      started,
      arrived: record.arrived,
      pendingWrites: new Map(),
      wasOvertaken:
        this.hasSteppedForward &&
        this.#reconciled.some(({ click, moment }) => click === request.click && moment.order > record.arrived.order) &&
        record.reconciled === undefined,
    }
    record.attempts.push(attempt)
    this.#history.attempts.push(attempt)
  }

  apply(request: Request): void {
    const attempt = this.#attemptOf(request)
    if (attempt.applied !== undefined) this.fail(`${request.name} applies its change twice`)
    attempt.applied = this.#mark(request, 'applies')
    if (this.#history.settings.isTransactional) attempt.started = attempt.applied
    for (const earlier of appliedOf(this.#history, request.click)) {
      if (earlier === attempt || earlier.isExcepted || mayRepeat(this.#history, earlier, attempt)) continue
      if (attempt.isOverlooked || earlier.isOverlooked) this.exceptions.add('a pause past the lease, without fencing')
      else if (attempt.wasOvertaken || earlier.wasOvertaken) this.exceptions.add('a clock step between claim and call')
      else if (this.#history.hasLostData && this.#history.settings.losesClicks(request))
        this.exceptions.add('an emptied ledger')
      else return this.fail(`${request.name} counts twice: ${earlier.request.name} has already applied this change`)
      attempt.isExcepted = true
      earlier.isExcepted = true
    }
  }

  /** Records that the click of a change was stored in a transaction. */
  commit(request: Request): void {
    const { key } = this.#attemptOf(request)
    const committed = this.#history.attempts.findLast((each) => each.key === key && each.applied !== undefined)
    const moment = this.#mark(request, 'commits')
    if (committed !== undefined) Object.assign(committed, { known: moment, isPrompt: true, isSettled: true })
  }

  /** Records that the guard received the store's success. */
  succeed(request: Request): void {
    const attempt = this.#attemptOf(request)
    const record = recordOf(this.#history, request)
    const known = this.#mark(request, 'succeeds')
    // If the platform ignored a repeated key, an earlier attempt with this key applied the change.
    const applied =
      attempt.applied === undefined
        ? this.#history.attempts.find((each) => each.key === attempt.key && each.applied)
        : attempt
    if (applied !== undefined) this.#recordSuccess(applied, request, known)
    const isPrompt = record.responded === undefined && !request.hasLeft
    attempt.isPrompt ||= isPrompt
    attempt.isAnswered = isPrompt
    attempt.hasSucceeded = true
    if (applied !== undefined && isPrompt) applied.isPrompt = true
  }

  #recordSuccess(attempt: Attempt, by: Request, moment: Moment): void {
    attempt.known ??= moment
    attempt.pendingWrites.set(by, by.key === undefined ? 1 : 2)
  }

  /** Records that a request has written to the ledger. */
  store(request: Request): void {
    for (const attempt of this.#history.attempts) {
      const left = attempt.pendingWrites.get(request)
      if (left === undefined) continue
      attempt.pendingWrites.set(request, left - 1)
      attempt.isSettled ||= left === 1
    }
    this.#events += `${request.name} stores;`
  }

  reject(request: Request): void {
    const attempt = this.#attemptOf(request)
    // If an earlier run of the transaction has called the platform, the attempt is not over.
    if (attempt.applied === undefined) attempt.isOver = true
    this.#mark(request, 'is rejected')
  }

  reconcile(request: Request, found: 'applied' | 'not_applied' | 'unknown'): void {
    const moment = this.#mark(request, found)
    recordOf(this.#history, request).reconciled = moment
    this.#reconciled.push({ click: request.click, moment })
    for (const attempt of this.#history.attempts.filter((each) => each.request.click === request.click)) {
      if (found === 'applied' && attempt.applied !== undefined) {
        this.#recordSuccess(attempt, request, moment)
        attempt.isPrompt = true
      }
      if (found !== 'not_applied' || attempt.applied !== undefined || attempt.isOver) continue
      attempt.isDenied = true
      if (this.#history.settings.isFencing) attempt.isOver = true
      else if (recordOf(this.#history, attempt.request).isDisturbed) attempt.isOverlooked = true
    }
  }

  respond(request: Request, code: string): void {
    const record = recordOf(this.#history, request)
    const { arrived, attempts } = record
    record.responded = this.#mark(request, code)
    // A disconnected caller does not receive the response.
    record.code = request.hasLeft ? 'disconnected' : code
    const takesMs = record.responded.now - arrived.now
    if (!record.isDisturbed && takesMs > 2 * this.#history.settings.timeoutMs)
      return this.fail(`${request.name} takes ${takesMs} ms`)
    const last = attempts.at(-1)
    if (code !== '200') {
      if (last?.isAnswered === true && code !== 'store_timeout')
        return this.fail(`${request.name} succeeded, but its caller receives ${code}`)
      if (code === 'request_in_progress' && request.key === undefined)
        return this.fail(`${request.name} receives 409 without an idempotency key`)
      if (code === 'internal_error') return this.fail(`${request.name} receives 500`)
      return
    }
    if (attempts.some(({ applied }) => applied !== undefined)) return
    if (!appliedOf(this.#history, request.click).some((earlier) => mayCount(this.#history, earlier, record)))
      return this.fail(`${request.name} is swallowed: it receives 200 without a change`)
  }

  /** Returns whether `reconcile` by fingerprint should report the request's change. */
  isRecent(request: Request, windowMs: number): boolean {
    const attempt = this.#history.attempts.findLast((each) => each.request === request && each.applied !== undefined)
    if (attempt?.applied === undefined) return false
    return this.#history.world.now - attempt.applied.now < windowMs && !isBetween(this.#history, attempt, undefined)
  }

  /**
   * Returns a request of each open click. A click is open if no request succeeded and the last request was not
   * rejected.
   */
  openClicks(): readonly Request[] {
    const byClick = new Map<string, RequestRecord>()
    for (const record of this.#history.records.values()) {
      const known = byClick.get(record.request.click)
      if (known?.code !== '200') byClick.set(record.request.click, record)
    }
    return [...byClick.values()].filter(({ request }) => !this.isEnded(request)).map(({ request }) => request)
  }

  responses(): readonly { readonly name: string; readonly code: string | undefined }[] {
    return [...this.#history.records.values()].map(({ request, code }) => ({ name: request.name, code }))
  }

  /** Returns whether the caller of a request has received a final outcome. */
  isEnded(request: Request): boolean {
    const { code } = recordOf(this.#history, request)
    return code === '200' || code === 'payment_failed' || code === 'idempotency_key_reused'
  }

  #attemptOf(request: Request): Attempt {
    const attempt = recordOf(this.#history, request).attempts.at(-1)
    if (attempt === undefined) throw new Error(`${request.name} has not started.`)
    return attempt
  }

  #mark(request: Request, event: string): Moment {
    const { now, clock } = this.#history.world
    this.#order += 1
    this.#events += `${request.name} ${event} ${now} ${clock};`
    this.#history.world.log(() => `${request.name} ${event}`)
    return { order: this.#order, now, clock, lowest: clock }
  }
}
