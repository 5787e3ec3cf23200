/** The 95 % confidence interval of a median. */
export type Interval = readonly [low: number, high: number]

/** Returns the median; for an even number of values, the mean of the two middle values. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

/** Returns a quantile with linear interpolation. `share` is from 0 to 1, for example 0.99 for the 99th percentile. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

/** Divides each number by the base with the same index. */
export function ratios(numbers: readonly number[], bases: readonly number[]): number[] {
  return numbers.map((number, index) => number / (bases[index] ?? Number.NaN))
}

/** Estimates the confidence interval of the median by bootstrapping. */
export function medianInterval(numbers: readonly number[]): Interval {
  const medians = Array.from({ length: 2000 }, () =>
    median(numbers.map(() => numbers[Math.floor(Math.random() * numbers.length)] ?? Number.NaN)),
  )
  return [quantile(medians, 0.025), quantile(medians, 0.975)]
}

/** Formats a median with its confidence interval. */
export function withInterval(middle: number, [low, high]: Interval, digits: number): string {
  return `${middle.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`
}

/** Returns the items in a random sequence. */
export function shuffled<Item>(items: Iterable<Item>): Item[] {
  return Array.from(items, (item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
