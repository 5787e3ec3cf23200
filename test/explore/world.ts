import type { Runtime } from './core.ts'

/** What a fault does to one schedule. */
export type Fault =
  /** A process ends and never runs again. */
  | 'crash'
  /** A process stops for any time. */
  | 'pause'
  /** A write to the ledger is made, and its answer is lost; a change of the store is made, and its caller gets 502. */
  | 'lost answer'
  /** A write to the ledger is made, its answer is lost, and the ledger decides and writes again. */
  | 'repeated write'
  /** The store fails with 502 and makes no change. */
  | 'failure'
  /** A write to the ledger is made at any later time. */
  | 'late write'
  /** A change of the store is made at any later time. */
  | 'late change'
  /** A read of the ledger takes place at any later time, and the write after it. */
  | 'late read'
  /** A change of the store is made, and the store answers at any later time. */
  | 'late answer'
  /** The caller leaves before the response. */
  | 'caller leaves'
  /** A transaction is rolled back, and runs again. */
  | 'rollback'
  /** A transaction is committed, its answer is lost, and it runs again. */
  | 'lost commit'
  | 'clock forward'
  | 'clock back'
  /** The ledger is emptied, and can tell. */
  | 'emptied ledger'
  /** The customer's document is lost, and the ledger cannot tell. */
  | 'partial loss'

/** How a step may go: as planned, rejected by the store, or with a fault. */
export type Variant = 'plain' | 'rejection' | Fault

export interface Process {
  readonly name: string
  isAlive: boolean
  /** When a paused process resumes at the latest. */
  pausedUntil: number | undefined
}

/** One request in its process: the owner of steps and timers. */
export interface Actor {
  readonly name: string
  readonly process: Process
  /** Digest of all that the request has seen. */
  trail: number
}

/** A point of the schedule: whatever happens between two steps happens at once. */
export interface Step {
  readonly id: string
  readonly actor: Actor
  readonly kind: 'read' | 'write' | 'effect' | 'answer' | 'commit' | 'reconcile' | 'respond'
  readonly on: string
  readonly variants: readonly Variant[]
  /** Makes the step. */
  readonly make: (variant: Variant) => void
  /** For a step at any later time, whatever becomes of its process: when it takes place at the latest. */
  readonly lateUntil: number | undefined
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly actor: Actor
  readonly run: () => void
}

/** The time, the timers, the processes and the steps that are due of one schedule. */
export class World {
  /** Monotonic time of all processes, in milliseconds. */
  now = 1_000_000
  /** What the storage's clock is ahead of `now`. */
  ahead = 0
  steps: Step[] = []
  timers: Timer[] = []
  readonly processes: Process[] = []
  /** The owner of what happens now. */
  actor: Actor | undefined
  /** Lines of the trace, where it is wanted. */
  readonly lines: string[] | undefined
  #timersMade = 0
  #ids = 0

  /** How long a process pauses, and a late step takes, at the most. */
  readonly #longestMs: number

  constructor(longestMs: number, isTraced: boolean) {
    this.#longestMs = longestMs
    this.lines = isTraced ? [] : undefined
  }

  /** The storage's clock. */
  get clock(): number {
    return this.now + this.ahead
  }

  /** When something that is late now ends at the latest. */
  get latest(): number {
    return this.now + this.#longestMs
  }

  note(line: () => string): void {
    this.lines?.push(`        ${line().replaceAll(/[0-9a-f]{58}([0-9a-f]{6})/g, '$1')}`)
  }

  startProcess(name: string): Process {
    const process = { name, isAlive: true, pausedUntil: undefined }
    this.processes.push(process)
    return process
  }

  /** Adds a step of the present actor. */
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
    if (this.actor === undefined) throw new Error('Nothing happens without an actor.')
    return this.actor
  }

  runtimeOf(process: Process): Runtime {
    return {
      now: () => this.now,
      date: () => this.now,
      random: () => 0.5,
      id: () => `${this.owner().name}#${++this.#ids}`,
      after: (ms, run) => {
        const timer = { at: this.now + ms, order: ++this.#timersMade, actor: this.owner(), run }
        if (process.isAlive) this.timers.push(timer)
        return () => {
          // The guard cancels the timer of a request as it goes on with it.
          this.actor = timer.actor
          this.timers = this.timers.filter((each) => each !== timer)
        }
      },
    }
  }

  /** The next timer of a process that runs. */
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
    this.see(timer.actor, `t${this.now}`)
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

  /** Adds to the digest of what an actor has seen. */
  see(actor: Actor, text: string): void {
    actor.trail = digest(text, actor.trail ^ this.now)
  }
}

/** A digest of 53 bits. */
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
