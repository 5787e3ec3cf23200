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
