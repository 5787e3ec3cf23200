import { StoreError } from '@storeport/core'
import { LRUCache } from 'lru-cache'
import { inTime } from '../in-time.ts'

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
