import {
  createRandom,
  halfWidth,
  type Interval,
  median,
  medianInterval,
  quantile,
  ratios,
  shuffled,
} from './statistics.ts'

/** A process that is measured. */
export interface Timed<Work extends string> {
  /** CPU time of one piece of work, in microseconds, over a number of them. */
  measure(work: Work, count: number): Promise<number>
  /** Ends the process. */
  end(): Promise<void>
}

/** Something that does the same work as the others. */
export interface Side<Work extends string> {
  readonly name: string
  /** Starts a fresh process of it. */
  start(): Promise<Timed<Work>>
}

/** How to take turns. */
export interface Turns<Work extends string> {
  /** The one that the others are held against comes first, then the same again as the control. */
  readonly sides: readonly Side<Work>[]
  readonly works: readonly Work[]
  /** Fresh processes of each, at least. */
  readonly rounds: number
  /** At most, where less leaves an interval wider than `resolves`; default `rounds`. */
  readonly mostRounds?: number
  /** Half the width that the interval of a ratio may have. */
  readonly resolves?: number
  /** Pieces of each work in a process. */
  readonly count: number
  /** Pieces of each work before the first that counts. */
  readonly warmUp: number
  /** Lots into which the work of a process is divided; the processes of a round take turns at them. */
  readonly lots: number
}

/** What came out for one variant and work. */
export interface Measured<Work extends string> {
  readonly variant: string
  readonly work: Work
  /** CPU time of a piece, in microseconds: median of the processes. */
  readonly microseconds: number
  /** CPU time of the limit over the variant's, median of the rounds: 1 is as fast as the limit. */
  readonly ratio: number
  /** Where the ratio lies in 95 of 100 cases: bootstrap over the rounds. */
  readonly interval: Interval
  /** How far the ratio of two runs of the limit was from 1, in three rounds of four: nothing smaller is resolved. */
  readonly spread: number
}

/** What one variant came to at one work, round by round. */
interface Rounds {
  /** CPU time of a piece, in microseconds. */
  readonly costs: number[]
  /** The limit's over the variant's. */
  readonly ratios: number[]
}

/** Measures variants against a limit, in turns, each round in fresh processes. */
export async function takeTurns<Work extends string>(turns: Turns<Work>): Promise<Measured<Work>[]> {
  const { sides, works, rounds, mostRounds = rounds, resolves = 0 } = turns
  const results = sides.map(() => works.map((): Rounds => ({ costs: [], ratios: [] })))
  const random = createRandom()
  const isResolved = () => results.flat().every((each) => halfWidth(medianInterval(each.ratios)) <= resolves)
  for (let round = 0; round < rounds || (round < mostRounds && !isResolved()); round++) {
    process.stderr.write(`\rround ${round + 1} of ${mostRounds === rounds ? rounds : `${rounds} to ${mostRounds}`} `)
    const subjects: Timed<Work>[] = []
    try {
      for (const side of sides) subjects.push(await side.start())
      const costs = await costsOf(subjects, turns, random)
      for (const [place, ofVariant] of costs.entries()) {
        for (const [index, ofWork] of ofVariant.entries()) {
          results[place]?.[index]?.costs.push(median(ofWork))
          results[place]?.[index]?.ratios.push(median(ratios(costs[0]?.[index] ?? [], ofWork)))
        }
      }
    } finally {
      for (const subject of subjects) await subject.end()
    }
  }
  process.stderr.write('\r\u001B[K')

  return sides.flatMap(({ name }, place) =>
    works.map((work, index) => ({
      variant: name,
      work,
      microseconds: median(results[place]?.[index]?.costs ?? []),
      ratio: median(results[place]?.[index]?.ratios ?? []),
      interval: medianInterval(results[place]?.[index]?.ratios ?? []),
      spread: quantile(
        (results[1]?.[index]?.ratios ?? []).map((ratio) => Math.abs(ratio - 1)),
        0.75,
      ),
    })),
  )
}

/** CPU time of a piece by process, work and lot. */
async function costsOf<Work extends string>(
  subjects: readonly Timed<Work>[],
  { works, count, warmUp, lots }: Turns<Work>,
  random: () => number,
): Promise<number[][][]> {
  const costs = subjects.map(() => works.map((): number[] => []))
  const takeLots = async (work: Work, inAll: number, keep: (place: number, cost: number) => void) => {
    for (let lot = 0; lot < lots; lot++) {
      // By chance: what always comes behind the same other one pays for what that has left in the caches.
      for (const place of shuffled(subjects.keys(), random)) {
        const cost = await subjects[place]?.measure(work, Math.ceil(inAll / lots))
        if (cost !== undefined) keep(place, cost)
      }
    }
  }
  // All works before any counts: what is compiled for one alone is compiled again when the other comes. In turns as well: V8
  // tidies up in a process that has nothing to do, which then would be the one that was warm first.
  for (const work of works) await takeLots(work, warmUp, () => {})
  for (const [index, work] of works.entries()) {
    await takeLots(work, count, (place, cost) => costs[place]?.[index]?.push(cost))
  }
  return costs
}
