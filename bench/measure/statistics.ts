/** Where a median lies in 95 of 100 cases. */
export type Interval = readonly [low: number, high: number]

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

/** The number below which a share of the numbers lies, between 0 and 1. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

/** What each number is of the number at the same place. */
export function ratios(numbers: readonly number[], bases: readonly number[]): number[] {
  return numbers.map((number, index) => number / (bases[index] ?? Number.NaN))
}

/** Where the median of what some numbers were drawn from lies, by drawing from them again (bootstrap). */
export function medianInterval(numbers: readonly number[]): Interval {
  const random = createRandom()
  const medians = Array.from({ length: 2000 }, () =>
    median(numbers.map(() => numbers[Math.floor(random() * numbers.length)] ?? Number.NaN)),
  )
  return [quantile(medians, 0.025), quantile(medians, 0.975)]
}

/** How far an interval reaches to either side. */
export function halfWidth([low, high]: Interval): number {
  return (high - low) / 2
}

/** Some things in an order by chance. */
export function shuffled<Item>(items: Iterable<Item>, random: () => number): Item[] {
  return Array.from(items, (item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

/** Numbers from 0 to 1 that are the same in each run (a linear congruential generator of 32 bits), so that one measurement has one interval. */
export function createRandom(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
