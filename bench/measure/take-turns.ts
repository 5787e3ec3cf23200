import { createRandom, type Interval, median, medianInterval, ratios, shuffled } from './statistics.ts'

/** A process or store that is measured. */
export interface Timed {
  /** Returns the CPU time of one piece of work, in microseconds: the mean of `count` pieces. */
  measure(work: string, count: number): Promise<number>
  end(): Promise<void>
}

/** A variant that does the same work as the others. */
export interface Side {
  readonly name: string
  /** Starts a new process of it. */
  start(round: number): Promise<Timed>
}

/** How the sides take turns. */
export interface Turns {
  /** The base comes first, then the base again as the control. */
  readonly sides: readonly Side[]
  readonly works: readonly string[]
  /** Number of rounds; each starts new processes. */
  readonly rounds: number
  /** Pieces of each work in a process. */
  readonly count: number
  /** Pieces of each work before the first that counts. */
  readonly warmUp: number
  /** Number of lots of each work; the processes of a round take turns at them. */
  readonly lots: number
}

/** The result of one side at one work. */
export interface Measured {
  readonly variant: string
  readonly work: string
  /** CPU time of a piece, in microseconds: median of the rounds. */
  readonly microseconds: number
  /** CPU time of the base divided by that of the variant: median of the rounds. */
  readonly ratio: number
  readonly interval: Interval
}

/** Name of the second run of the base. */
export const control = 'the same again (control)'

/** Measures the sides in turns, and each against the first. */
export async function takeTurns(turns: Turns): Promise<Measured[]> {
  const { sides, works, rounds, lots } = turns
  const cells = sides.flatMap(({ name }, side) =>
    works.map((work) => ({ variant: name, work, side, costs: new Array<number>(), ratios: new Array<number>() })),
  )
  const random = createRandom()

  /** Returns the cost of a piece by process and lot. */
  async function takeLots(started: readonly Timed[], work: string, count: number): Promise<number[][]> {
    const costs = started.map((): number[] => [])
    if (count === 0) return costs
    for (let lot = 0; lot < lots; lot++) {
      // Random order: a process that always follows the same one pays for what that one left in the caches.
      for (const [index, timed] of shuffled(started.entries(), random)) {
        costs[index]?.push(await timed.measure(work, Math.ceil(count / lots)))
      }
    }
    return costs
  }

  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`\rround ${round + 1} of ${rounds} `)
    const started: Timed[] = []
    try {
      for (const side of sides) started.push(await side.start(round))
      // Every work before any counts: V8 compiles code again when a second kind of work follows.
      for (const work of works) await takeLots(started, work, turns.warmUp)
      for (const work of works) {
        const costs = await takeLots(started, work, turns.count)
        for (const cell of cells.filter((each) => each.work === work)) {
          cell.costs.push(median(costs[cell.side] ?? []))
          cell.ratios.push(median(ratios(costs[0] ?? [], costs[cell.side] ?? [])))
        }
      }
    } finally {
      for (const timed of started) await timed.end()
    }
  }
  process.stderr.write('\r\u001B[K')
  return cells.map((cell) => ({
    variant: cell.variant,
    work: cell.work,
    microseconds: median(cell.costs),
    ratio: median(cell.ratios),
    interval: medianInterval(cell.ratios),
  }))
}
