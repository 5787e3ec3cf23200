import { errorRow, isStoreError, StoreError } from '@storeport/core'
import { LRUCache } from 'lru-cache'
import { inTime } from './take-turns.ts'

/** Numbers that are part of the name of every kept answer: another number for a subject, and its answers are never found again. */
export interface Generations {
  /** Returns the number of a subject, such as a customer. */
  current(subject: string): string | Promise<string>
  /** Gives a subject another number, which it never had. */
  next(subject: string): void | Promise<void>
}

/** Numbers of one process, of the subjects that changed last: when one is forgotten, every subject gets another number. */
export function ownGenerations(max: number): Generations {
  let latest = 0
  let ofOthers = 0
  const known = new LRUCache<string, number>({
    max,
    dispose: (_number, _subject, reason) => {
      if (reason === 'evict') ofOthers = ++latest
    },
  })
  return {
    current: (subject) => String(known.get(subject) ?? ofOthers),
    next: (subject) => void known.set(subject, ++latest),
  }
}

/** Numbers that may be in a server, asked for at most some milliseconds: throws StoreError `store_unavailable` where they do not answer. */
export function askGenerations(generations: Generations, timeoutMs: number): Generations {
  function ask<Value>(answer: () => Value | Promise<Value>): Value | Promise<Value> {
    const answered = answer()
    if (!(answered instanceof Promise)) return answered
    const late = () => new Error(`There was no answer within ${timeoutMs} ms.`)
    return inTime(answered, timeoutMs, late).catch((cause: unknown) => {
      throw new StoreError('store_unavailable', undefined, { cause })
    })
  }
  return {
    current: (subject) => ask(() => generations.current(subject)),
    next: (subject) => ask(() => generations.next(subject)),
  }
}

/** How answers are kept. */
interface AnswerOptions {
  /** How long an answer is given without asking again, in milliseconds. */
  readonly freshMs: number
  /** How old an answer may be that is given while it is asked again, in milliseconds. */
  readonly staleMs: number
  /** Most answers. */
  readonly max: number
  /** The time in milliseconds. */
  readonly now: () => number
}

/** Where an answer came from. */
type Source = 'fresh' | 'stale' | 'joined' | 'asked'

/** Gives the answer of a name: a kept one, or that of the platform; tells where from. Throws what the platform throws. */
type Answers = (name: string, ask: () => Promise<unknown>, onSource: (source: Source) => void) => Promise<unknown>

/** What the platform said: a refusal, such as that there is no such customer, is an answer as well. */
type Said = { readonly value: unknown } | { readonly refusal: Error }

/** Keeps what the platform answered: one question of a name at a time, asked again while the last answer is given. */
export function keepAnswers({ freshMs, staleMs, max, now }: AnswerOptions): Answers {
  const kept = new LRUCache<string, { readonly said: Said; readonly at: number }>({ max })
  const underWay = new Map<string, Promise<Said>>()

  function askOnce(name: string, ask: () => Promise<unknown>): Promise<Said> {
    const at = now()
    const asked = hear(ask).then((said) => {
      kept.set(name, { said, at })
      return said
    })
    underWay.set(name, asked)
    const forget = () => void underWay.delete(name)
    asked.then(forget, forget)
    return asked
  }

  return async (name, ask, onSource) => {
    const known = kept.get(name)
    const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.at
    if (known !== undefined && age < freshMs) {
      onSource('fresh')
      return repeat(known.said)
    }
    const joined = underWay.get(name)
    if (known !== undefined && age < staleMs) {
      // Who asks next gets what comes of it; a failure leaves the answer as it is.
      if (joined === undefined) askOnce(name, ask).catch(() => {})
      onSource('stale')
      return repeat(known.said)
    }
    onSource(joined === undefined ? 'asked' : 'joined')
    return repeat(await (joined ?? askOnce(name, ask)))
  }
}

async function hear(ask: () => Promise<unknown>): Promise<Said> {
  try {
    return { value: await ask() }
  } catch (error) {
    if (isStoreError(error) && errorRow(error.code).status === 404) return { refusal: error }
    throw error
  }
}

function repeat(said: Said): unknown {
  if ('refusal' in said) throw said.refusal
  return said.value
}
