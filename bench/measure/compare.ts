import { compile } from './compile.ts'
import { checkAnswers } from './check-answers.ts'
import { type TimedEndpoint, timedEndpointNames } from './requests.ts'
import { median, quantile, ratios } from './statistics.ts'
import type { StartSubject, Subject } from './subject.ts'

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
  /** Fresh processes of each. */
  readonly rounds: number
  /** Requests to each endpoint in a process, after a warm-up of as many to both. */
  readonly requests: number
}

/** What came out for one variant and endpoint. */
export interface Measured {
  readonly variant: string
  readonly endpoint: TimedEndpoint
  /** CPU time of a request, in microseconds: median of the processes. */
  readonly microseconds: number
  /** CPU time of the limit over the variant's, median of the rounds: 1 is as fast as the limit. */
  readonly ratio: number
  /** How far the ratio of two runs of the limit was from 1, in three rounds of four: nothing smaller is resolved. */
  readonly spread: number
}

/** The name of the second run of the limit. */
export const control = 'the same again (control)'

/** Lots into which the requests of a process are divided; the processes of a round take turns at them. */
const lots = 10

/** What one variant came to at one endpoint, round by round. */
interface Rounds {
  /** CPU time of a request, in microseconds. */
  readonly costs: number[]
  /** The limit's over the variant's. */
  readonly ratios: number[]
}

/** Measures variants against a limit, in turns, each round in fresh processes. */
export async function compare(comparison: Comparison): Promise<Measured[]> {
  const { limit, variants, start, rounds, requests } = comparison
  const all = [limit, { ...limit, name: control }, ...variants]
  const files = new Map<string, string>()
  for (const { file } of all) if (!files.has(file)) files.set(file, await compile(file))
  const startOne = (variant: Variant, environment?: Record<string, string>) =>
    start(files.get(variant.file) ?? variant.file, environment)
  await checkAll(variants, limit, startOne)

  const results = all.map(() => timedEndpointNames.map((): Rounds => ({ costs: [], ratios: [] })))
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`\rround ${round + 1} of ${rounds} `)
    const subjects: Subject[] = []
    try {
      for (const variant of all) subjects.push(await startOne(variant))
      const costs = await costsOf(subjects, requests)
      for (const [place, ofVariant] of costs.entries()) {
        for (const [index, ofEndpoint] of ofVariant.entries()) {
          results[place]?.[index]?.costs.push(median(ofEndpoint))
          results[place]?.[index]?.ratios.push(median(ratios(costs[0]?.[index] ?? [], ofEndpoint)))
        }
      }
    } finally {
      for (const subject of subjects) await subject.end()
    }
  }
  process.stderr.write('\r\u001B[K')

  return all.flatMap(({ name }, place) =>
    timedEndpointNames.map((endpoint, index) => ({
      variant: name,
      endpoint,
      microseconds: median(results[place]?.[index]?.costs ?? []),
      ratio: median(results[place]?.[index]?.ratios ?? []),
      spread: quantile(
        (results[1]?.[index]?.ratios ?? []).map((ratio) => Math.abs(ratio - 1)),
        0.75,
      ),
    })),
  )
}

/** CPU time of a request by process, endpoint and lot. */
async function costsOf(subjects: readonly Subject[], requests: number): Promise<number[][][]> {
  const costs = subjects.map(() => timedEndpointNames.map((): number[] => []))
  // Both endpoints before either counts: what is compiled for one alone is compiled again when the other comes.
  for (const subject of subjects) {
    for (const endpoint of timedEndpointNames) await subject.measure(endpoint, requests)
  }
  for (const [index, endpoint] of timedEndpointNames.entries()) {
    for (let lot = 0; lot < lots; lot++) {
      for (const turn of subjects.keys()) {
        // Each comes first as often as last.
        const place = (turn + lot) % subjects.length
        const cost = await subjects[place]?.measure(endpoint, Math.ceil(requests / lots))
        if (cost !== undefined) costs[place]?.[index]?.push(cost)
      }
    }
  }
  return costs
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
