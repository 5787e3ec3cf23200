import { createRandom, type Interval, median, medianInterval, ratios, shuffled } from './statistics.ts'

/** A process or store that is measured. */
export interface Timed {
  /** Repeats the work `count` times and returns the mean CPU time of a repetition, in microseconds. */
  measure(work: string, count: number): Promise<number>
  end(): Promise<void>
}

/** A variant that is compared with others. */
export interface Side {
  readonly name: string
  /** Starts a new process of the variant. */
  start(round: number): Promise<Timed>
}

/** The plan of a comparison. */
export interface Turns {
  /** The variants: the base first, then the base again as the control. */
  readonly sides: readonly Side[]
  readonly works: readonly string[]
  /** Number of rounds. Each round starts new processes. */
  readonly rounds: number
  /** Repetitions of each kind of work in a process. */
  readonly count: number
  /** Repetitions of each kind of work before the measurement. */
  readonly warmUp: number
  /** Number of lots into which the repetitions are divided. The processes of a round take turns after each lot. */
  readonly lots: number
}

/** The result of one variant for one kind of work. */
export interface Measured {
  readonly variant: string
  readonly work: string
  /** CPU time of one repetition, in microseconds: median of the rounds. */
  readonly microseconds: number
  /** CPU time of the base divided by the CPU time of the variant: median of the rounds. */
  readonly ratio: number
  readonly interval: Interval
}

/** Name of the second run of the base. */
export const control = 'second run (control)'

/** Measures all variants in turn, and compares each variant with the first variant. */
export async function takeTurns(turns: Turns): Promise<Measured[]> {
  const { sides, works, rounds, lots } = turns
  const cells = sides.flatMap(({ name }, side) =>
    works.map((work) => ({ variant: name, work, side, costs: new Array<number>(), ratios: new Array<number>() })),
  )
  const random = createRandom()

  /** Returns the cost of one repetition by process and lot. */
  async function takeLots(started: readonly Timed[], work: string, count: number): Promise<number[][]> {
    const costs = started.map((): number[] => [])
    if (count === 0) return costs
    for (let lot = 0; lot < lots; lot++) {
      // Uses a random order, because the cache contents that one process leaves affect the next process.
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
      // Warms up with all kinds of work first, because V8 recompiles code when a second kind of work begins.
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
