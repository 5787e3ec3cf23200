/**
 * Returns a fraction of an amount, rounded half up. The ratio 0.08 means 8%, as does the ratio 8 with `of` set to 100.
 *
 * Calculates with the decimal digits of the ratio as integers, because floats are inexact: 5% of 10.10 must be 0.51.
 */
export function calculatePart(amountMinor: number, ratio: number, of = 1): number {
  const { units, scale } = readDecimal(ratio)
  const divisor = scale * BigInt(of)
  return Number((2n * BigInt(amountMinor) * units + divisor) / (2n * divisor))
}

/** Converts a decimal number to two integers: 0.08 becomes 8 units at a scale of 100. */
function readDecimal(value: number): { readonly units: bigint; readonly scale: bigint } {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return decimals < 0
    ? { units: units * 10n ** BigInt(-decimals), scale: 1n }
    : { units, scale: 10n ** BigInt(decimals) }
}

/**
 * Converts major units to whole minor units, rounded half up on the decimal value. With two decimals, 19.95 becomes
 * 1995, and 1.005 becomes 101.
 */
export function toMinor(amount: number, digits: number): number {
  const scale = 10 ** digits
  const minor = Math.round(amount * scale)
  // Most amounts have no more decimals than their currency, and are negative, infinite or NaN only by mistake.
  if (minor / scale === amount || !(amount >= 0 && amount < Infinity)) return minor
  return calculatePart(scale, amount)
}
