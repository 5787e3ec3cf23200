import { dayMs } from './case.ts'
import type { Core, Ledger, StoredClicks } from './core.ts'
import type { Fault, Request, World } from './world.ts'

const writeFaults: readonly Fault[] = ['lost response', 'late write', 'repeated write']

/**
 * Wraps the memory ledger in a ledger that reads and writes in two steps. Like the Redis and SQL ledgers, the wrapper
 * writes only if the document has not changed since the read.
 */
export class Storage {
  readonly #memory: ReturnType<Core['memoryLedger']>
  readonly #world: World
  readonly #onWrite: (request: Request) => void
  readonly #keys = new Set<string>()
  readonly #texts = new WeakMap<StoredClicks, string>()
  #youngUntil = -Infinity
  /** Number of times that the ledger lost its data. */
  #generation = 0

  /** Calls `onWrite` with the request after each write through the ledger. */
  constructor(core: Core, world: World, onWrite: (request: Request) => void) {
    this.#world = world
    this.#onWrite = onWrite
    this.#memory = core.memoryLedger({ now: () => world.clock })
  }

  get isYoung(): boolean {
    return this.#world.clock < this.#youngUntil
  }

  read(key: string): StoredClicks | undefined {
    return this.#memory.update(key, (stored) => ({ result: stored }))
  }

  write(key: string, document: StoredClicks, ttlMs: number): void {
    const text = JSON.stringify(document)
    const copy: StoredClicks = JSON.parse(text)
    this.#texts.set(copy, text)
    this.#keys.add(key)
    this.#memory.update(key, () => ({ result: undefined, document: copy, ttlMs }))
  }

  forget(key: string): void {
    this.#memory.update(key, (stored) => ({ result: undefined, document: stored ?? { v: 1 }, ttlMs: 0 }))
  }

  forgetAll(): void {
    for (const key of this.#keys) this.forget(key)
    this.becomeYoung()
  }

  forgetCustomers(): void {
    for (const key of this.#keys) if (key.includes(':customer:')) this.forget(key)
  }

  /** Replaces the version of every stored document, as another version of StorePort would. */
  setVersion(v: number): void {
    for (const key of this.#keys) {
      const stored = this.read(key)
      if (stored !== undefined && stored.v !== v) this.write(key, { ...stored, v }, 2 * dayMs)
    }
  }

  becomeYoung(): void {
    this.#generation += 1
    this.#youngUntil = this.#world.clock + dayMs
  }

  /** Returns the documents as a string, for the digest. */
  text(): string {
    let text = this.isYoung ? 'young' : ''
    for (const key of [...this.#keys].toSorted()) {
      const stored = this.read(key)
      if (stored !== undefined) text += `|${key}${this.#texts.get(stored)}`
    }
    return text
  }

  /** Returns the stored JSON of a document. */
  textOf(stored: StoredClicks | undefined): string {
    return stored === undefined ? '' : (this.#texts.get(stored) ?? '')
  }

  readonly ledger: Ledger = {
    update: (key, change) =>
      new Promise((resolve, reject) => {
        const world = this.#world
        const actor = world.owner()
        const start = () => world.plan('read', key, read, ['late read'])
        const read = () => {
          const stored = this.read(key)
          const generation = this.#generation
          const before = actor.trail
          world.observe(actor, `${key}${world.clock}${this.isYoung}${this.textOf(stored)}`)
          const after = actor.trail
          try {
            const { result, document, ttlMs = 0, hasLostData } = change(stored, world.clock, this.isYoung)
            world.log(() => `${key} is ${this.textOf(stored) || 'absent'}`)
            if (document === undefined) {
              if (hasLostData === true) this.becomeYoung()
              return resolve(result)
            }
            const write = (variant: string) => {
              // Emptying the ledger changes the generation, so a read from before the loss never matches.
              if (this.read(key) !== stored || this.#generation !== generation) {
                world.log(() => `${key} has changed: retry`)
                // The retry discards the observations of this read.
                if (actor.trail === after) actor.trail = before
                return start()
              }
              this.write(key, document, ttlMs)
              this.#onWrite(actor.request)
              if (hasLostData === true) this.becomeYoung()
              world.log(() => `${key} becomes ${JSON.stringify(document)}`)
              world.observe(actor, variant)
              if (variant === 'repeated write') return start()
              if (variant !== 'lost response') resolve(result)
            }
            world.plan('write', key, write, writeFaults)
          } catch (error) {
            reject(error)
          }
        }
        start()
      }),
  }
}
