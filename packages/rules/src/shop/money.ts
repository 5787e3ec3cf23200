/** Minor units as an amount in major units, as the wire has it: 1995 is 19.95. */
export function toMajor(amountMinor: number): number {
  return amountMinor / 100
}

/** An amount in major units as a whole number of minor units: 19.95 is 1995. */
export function toMinor(amount: number): number {
  return Math.round(amount * 100)
}

/**
 * A part of an amount (0.08 of it), rounded to a whole minor unit, half of one upwards.
 *
 * The ratio counts in millionths and the rest is done in whole numbers: 5 % of 10.10 is 0.505 and must be 0.51, which
 * floating-point numbers get wrong every now and then.
 */
export function takePart(amountMinor: number, ratio: number): number {
  const millionths = BigInt(Math.round(ratio * 1_000_000))
  return Number((BigInt(amountMinor) * millionths + 500_000n) / 1_000_000n)
}
