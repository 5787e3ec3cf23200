import { checkAnswers } from './check-answers.ts'
import { compile } from './compile.ts'
import { type TimedEndpoint, timedEndpointNames } from './requests.ts'
import type { StartSubject } from './subject.ts'
import { type Measured, takeTurns } from './take-turns.ts'

/** Something that does the same work as the others. */
export interface Variant {
  /** What tables call it. */
  readonly name: string
  /** Its source. */
  readonly file: string
}

/** How to compare. */
export interface Comparison {
  /** The variant that the others are held against. */
  readonly limit: Variant
  readonly variants: readonly Variant[]
  readonly start: StartSubject
  /** Fresh processes of each, at least. */
  readonly rounds: number
  /** At most, where less resolves no difference of `resolved`. */
  readonly mostRounds?: number
  /** Requests to each endpoint in a process. */
  readonly requests: number
  /** Requests to each before the first that counts: V8 compiles what runs often, and is done after some twenty thousand. */
  readonly warmUp: number
}

/** Half the width that the interval of a ratio may have. */
export const resolved = 0.02

/** The name of the second run of the limit. */
export const control = 'the same again (control)'

/** Measures variants against a limit, in turns, each round in fresh processes. */
export async function compare(comparison: Comparison): Promise<Measured<TimedEndpoint>[]> {
  const { limit, variants, start, rounds, mostRounds = rounds, requests, warmUp } = comparison
  const all = [limit, { ...limit, name: control }, ...variants]
  const files = new Map<string, string>()
  for (const { file } of all) if (!files.has(file)) files.set(file, await compile(file))
  const startOne = (variant: Variant, environment?: Record<string, string>) =>
    start(files.get(variant.file) ?? variant.file, environment)
  await checkAll(variants, limit, startOne)

  const sides = all.map((variant) => ({ name: variant.name, start: () => startOne(variant) }))
  const works = timedEndpointNames
  return takeTurns({ sides, works, rounds, mostRounds, resolves: resolved, count: requests, warmUp, lots: 10 })
}

async function checkAll(
  variants: readonly Variant[],
  limit: Variant,
  start: (variant: Variant, environment: Record<string, string>) => ReturnType<StartSubject>,
): Promise<void> {
  const environment = { BENCH_STORE_TIMEOUT_MS: '300' }
  const byHand = await start(limit, environment)
  try {
    for (const variant of variants) {
      const subject = await start(variant, environment)
      await checkAnswers(variant.name, subject, byHand).finally(() => subject.end())
    }
  } finally {
    await byHand.end()
  }
}
