import { reasons, type Topic } from './reasons.ts'

/** Where a requirement comes from: a `must` is specified by the caller, a `should` was decided where the caller says nothing. */
export type Level = 'must' | 'should'

/** One thing that a caller can see and rely on. */
export interface Requirement {
  /** What holds, in one sentence. */
  readonly sentence: string
  /** Whether it is specified or decided, and its topic: `specified: authentication`, `decided: dates`. */
  readonly source: string
  /** How binding it is. */
  readonly level: Level
  /** What usually causes a failure, in one sentence. */
  readonly cause: string
  /** Why it matters, in one sentence. */
  readonly reason: string
}

/** A requirement that the caller specifies. */
export function must(sentence: string, topic: Topic, cause: string): Requirement {
  return { sentence, source: `specified: ${topic}`, level: 'must', cause, reason: reasons[topic] }
}

/** A requirement that was decided where the caller specifies nothing. */
export function should(sentence: string, topic: Topic, cause: string): Requirement {
  return { sentence, source: `decided: ${topic}`, level: 'should', cause, reason: reasons[topic] }
}
