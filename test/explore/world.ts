import type { Runtime } from './core.ts'

export type Fault =
  /** A process crashes and never runs again. */
  | 'crash'
  /** A process pauses for any duration. */
  | 'pause'
  /** A ledger write succeeds and its response is lost, or a change succeeds and the guard receives 502. */
  | 'lost response'
  /** A ledger write succeeds, its response is lost, and the ledger runs the change function again. */
  | 'repeated write'
  /** The store makes no change and fails with 502. */
  | 'failure'
  /** A ledger write takes effect at any later time. */
  | 'late write'
  /** A change takes effect at any later time. */
  | 'late change'
  /** A ledger read and the following write run at any later time. */
  | 'late read'
  /** A change takes effect, and the store responds at any later time. */
  | 'late response'
  /** The caller disconnects before the response. */
  | 'caller disconnects'
  /** A transaction is rolled back and runs again. */
  | 'rollback'
  /** A transaction commits, the response to the commit is lost, and the transaction runs again. */
  | 'lost commit'
  | 'clock forward'
  | 'clock back'
  /** The ledger loses all documents, and detects the loss. */
  | 'emptied ledger'
  /** The customer's document is lost, and the ledger does not detect the loss. */
  | 'partial loss'
  /** All stored documents have an unsupported version until the end of the schedule. */
  | 'unsupported version'

/** How a step runs: as planned, rejected by the store, or with a fault. */
export type Variant = 'plain' | 'rejection' | Fault

export interface Process {
  readonly name: string
  isAlive: boolean
  /** Latest time at which a paused process resumes. */
  pausedUntil: number | undefined
}

/** A request, as observed by its caller and by the shop. */
export interface Request {
  readonly name: string
  readonly customer: string
  /** Id of the click, derived from its endpoint, product, customer and idempotency key. */
  readonly click: string
  readonly key: string | undefined
  readonly endpoint: string
  readonly windowMs: number
  hasLeft: boolean
}

/** A request and its process. Each step and timer belongs to an actor. */
export interface Actor {
  readonly name: string
  readonly request: Request
  readonly process: Process
  /** Digest of everything that the request has observed. */
  trail: number
}

/** A step of the schedule. Code between two steps runs atomically. */
export interface Step {
  readonly id: string
  readonly actor: Actor
  readonly kind: 'read' | 'write' | 'effect' | 'response' | 'commit' | 'reconcile' | 'respond'
  readonly on: string
  readonly variants: readonly Variant[]
  readonly make: (variant: Variant) => void
  /** Latest time at which a late step runs. A late step runs even if its process has crashed. */
  readonly lateUntil: number | undefined
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly actor: Actor
  readonly run: () => void
}

/** Time, timers, processes and pending steps of one schedule. */
export class World {
  /** Monotonic time of all processes, in milliseconds. */
  now = 1_000_000
  /** Difference between the storage's clock and `now`, in milliseconds. */
  ahead = 0
  steps: Step[] = []
  timers: Timer[] = []
  readonly processes: Process[] = []
  /** Actor whose code is running. */
  actor: Actor | undefined
  /** Lines of the trace, if enabled. */
  readonly lines: string[] | undefined
  #timerCount = 0
  #ids = 0

  /** Maximum duration of a pause and maximum delay of a late step, in milliseconds. */
  readonly #maxDelayMs: number

  constructor(maxDelayMs: number, isTraced: boolean) {
    this.#maxDelayMs = maxDelayMs
    this.lines = isTraced ? [] : undefined
  }

  /** Time of the storage's clock, in milliseconds. */
  get clock(): number {
    return this.now + this.ahead
  }

  /** Latest time at which a pause or a late step that begins now can end. */
  get latest(): number {
    return this.now + this.#maxDelayMs
  }

  log(line: () => string): void {
    this.lines?.push(`        ${line().replaceAll(/[0-9a-f]{58}([0-9a-f]{6})/g, '$1')}`)
  }

  startProcess(name: string): Process {
    const process = { name, isAlive: true, pausedUntil: undefined }
    this.processes.push(process)
    return process
  }

  plan(
    kind: Step['kind'],
    on: string,
    make: (variant: Variant) => void,
    variants: readonly Variant[] = [],
    lateUntil?: number,
  ): void {
    const actor = this.owner()
    if (!actor.process.isAlive) return
    const name = `${actor.name}.${kind}:${on}`
    let id = name
    for (let twin = 2; this.steps.some((each) => each.id === id); twin++) id = `${name}#${twin}`
    this.steps.push({ id, actor, kind, on, variants, make, lateUntil })
  }

  owner(): Actor {
    if (this.actor === undefined) throw new Error('There is no current actor.')
    return this.actor
  }

  runtimeOf(process: Process): Runtime {
    return {
      now: () => this.now,
      date: () => this.now,
      random: () => 0.5,
      id: () => `${this.owner().name}#${++this.#ids}`,
      after: (ms, run) => {
        const timer = { at: this.now + ms, order: ++this.#timerCount, actor: this.owner(), run }
        if (process.isAlive) this.timers.push(timer)
        return () => {
          // The guard cancels a timer when it resumes the request, so the request's actor is running again.
          this.actor = timer.actor
          this.timers = this.timers.filter((each) => each !== timer)
        }
      },
    }
  }

  nextTimer(ofProcess?: Process): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.timers) {
      const { process } = timer.actor
      if (process.pausedUntil !== undefined || (ofProcess !== undefined && process !== ofProcess)) continue
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer
    }
    return next
  }

  fire(timer: Timer): void {
    this.timers = this.timers.filter((each) => each !== timer)
    this.actor = timer.actor
    this.observe(timer.actor, `t${this.now}`)
    timer.run()
  }

  make(step: Step, variant: Variant): void {
    this.steps = this.steps.filter((each) => each !== step)
    this.actor = step.actor
    if (variant === 'late write' || variant === 'late change' || variant === 'late read')
      this.steps.push({ ...step, lateUntil: this.latest })
    else step.make(variant)
  }

  crash(process: Process): void {
    process.isAlive = false
    process.pausedUntil = undefined
    this.steps = this.steps.filter(({ actor, lateUntil }) => actor.process !== process || lateUntil !== undefined)
    this.timers = this.timers.filter(({ actor }) => actor.process !== process)
  }

  /** Adds an observation to the digest of an actor. */
  observe(actor: Actor, text: string): void {
    actor.trail = digest(text, actor.trail ^ this.now)
  }
}

export function digest(text: string, seed = 0): number {
  let one = 0xdeadbeef ^ seed
  let two = 0x41c6ce57 ^ (seed / 0x1_0000_0000)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    two = Math.imul(two ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return 4294967296 * (2097151 & two) + (one >>> 0)
}
