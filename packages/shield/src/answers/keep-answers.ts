import { errorRow, isStoreError } from '@storeport/core'
import { LRUCache } from 'lru-cache'

/** How answers are kept. */
export interface AnswerOptions {
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
export type Source = 'fresh' | 'stale' | 'joined' | 'asked'

/** Gives the answer of a name: a kept one, or that of the platform; tells where from. Throws what the platform throws. */
export type Answers = (
  name: string,
  ask: () => Promise<unknown>,
  onSource: (source: Source) => void,
) => Promise<unknown>

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
