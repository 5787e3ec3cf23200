import { type Interval, median, medianInterval, ratios, shuffled } from './statistics.ts'

/** A process or store to measure. */
export interface Timed {
  /** Runs the work `count` times and returns the mean CPU time of one run, in microseconds. */
  measure(work: string, count: number): Promise<number>
  end(): Promise<void>
}

/** A variant to compare, such as StorePort or hand-written code. */
export interface Side {
  readonly name: string
  /** Starts the variant for a round. */
  start(round: number): Promise<Timed>
}

/** Options of a comparison. */
export interface Turns {
  /** Variants to compare. The first variant is the base, and the second variant is the base again as a control. */
  readonly sides: readonly Side[]
  readonly works: readonly string[]
  /** Number of rounds. Each round starts all variants again. */
  readonly rounds: number
  /** Number of measured runs of each kind of work per round. */
  readonly count: number
  /** Number of runs of each kind of work before the measurement. */
  readonly warmUp: number
  /** Number of lots (batches of runs) per round. In each lot, all variants are measured in a random sequence. */
  readonly lots: number
}

/** The result of one variant for one kind of work. */
export interface Measured {
  readonly variant: string
  readonly work: string
  /** CPU time of one run in microseconds, as the median of all rounds. */
  readonly microseconds: number
  /** CPU time of the base divided by the CPU time of the variant, as the median of all rounds. */
  readonly ratio: number
  readonly interval: Interval
}

/** Name of the control, which is the base measured a second time. */
export const control = 'second run (control)'

/** Measures all variants in turn, and compares each variant with the first variant. */
export async function takeTurns(turns: Turns): Promise<Measured[]> {
  const { sides, works, rounds, lots } = turns
  const cells = sides.flatMap(({ name }, side) =>
    works.map((work) => ({ variant: name, work, side, costs: new Array<number>(), ratios: new Array<number>() })),
  )

  /** Returns the mean CPU time of one run in microseconds, by variant and lot. */
  async function takeLots(started: readonly Timed[], work: string, count: number): Promise<number[][]> {
    const costs = started.map((): number[] => [])
    if (count === 0) return costs
    for (let lot = 0; lot < lots; lot++) {
      // Shuffles the variants, because the CPU cache contents from one process affect the next process.
      for (const [index, timed] of shuffled(started.entries())) {
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
      // Warms up with all kinds of work first, because V8 recompiles code when the second kind of work starts.
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
