import type { Product } from '@storeport/core'

/** Converts minor units to major units. With two decimals, 1995 becomes 19.95. */
export function toMajor(amountMinor: number, digits: number): number {
  return amountMinor / 10 ** digits
}

/** Converts major units to whole minor units. With two decimals, 19.95 becomes 1995. */
export function toMinor(amount: number, digits: number): number {
  return Math.round(amount * 10 ** digits)
}

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

/** The money fields of a product. */
export const productAmounts = ['price', 'compare_at_price'] as const satisfies readonly (keyof Product)[]

/** A money field of a product. */
export type ProductAmount = (typeof productAmounts)[number]
