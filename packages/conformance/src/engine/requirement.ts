/** Where a requirement comes from: `must` stands in the specification, `should` was decided where it is silent. */
export type Level = 'must' | 'should'

/** One thing that a caller can see and rely on. */
export interface Requirement {
  /** What holds, in one sentence. */
  readonly sentence: string
  /** Its place in the specification (`SPEC Authentication 4`), or the topic that was decided (`decided: dates`). */
  readonly source: string
  /** How binding it is. */
  readonly level: Level
  /** What usually causes a failure, in one sentence. */
  readonly cause: string
}

/** A requirement that the specification states; `place` is its heading and number there. */
export function must(sentence: string, place: string, cause: string): Requirement {
  return { sentence, source: `SPEC ${place}`, level: 'must', cause }
}

/** A requirement that was decided where the specification is silent; `topic` is what the contract guide calls it. */
export function should(sentence: string, topic: string, cause: string): Requirement {
  return { sentence, source: `decided: ${topic}`, level: 'should', cause }
}
