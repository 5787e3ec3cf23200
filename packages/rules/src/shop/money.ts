import type { Product } from '@storeport/core'

/** Minor units as an amount in major units, as the wire has it, by the decimals of the currency: 1995 is 19.95 of 2. */
export function toMajor(amountMinor: number, digits: number): number {
  return amountMinor / 10 ** digits
}

/** An amount in major units as a whole number of minor units, by the decimals of the currency: 19.95 of 2 is 1995. */
export function toMinor(amount: number, digits: number): number {
  return Math.round(amount * 10 ** digits)
}

/**
 * A part of an amount (0.08 of it; 8 of 100 of it), rounded once to a whole minor unit, half of one upwards.
 *
 * The ratio counts as it is written and the rest is done in whole numbers: 5 % of 10.10 is 0.505 and must be 0.51, which
 * floating-point numbers get wrong every now and then.
 */
export function takePart(amountMinor: number, ratio: number, of = 1): number {
  const { units, scale } = readDecimal(ratio)
  const divisor = scale * BigInt(of)
  return Number((2n * BigInt(amountMinor) * units + divisor) / (2n * divisor))
}

/** A number as it is written: 0.08 is 8 units of which 100 make one. */
function readDecimal(value: number): { readonly units: bigint; readonly scale: bigint } {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return decimals < 0
    ? { units: units * 10n ** BigInt(-decimals), scale: 1n }
    : { units, scale: 10n ** BigInt(decimals) }
}

/** The fields of a product that are money. */
export const productAmounts = ['price', 'compare_at_price'] as const satisfies readonly (keyof Product)[]

/** A field of a product that is money. */
export type ProductAmount = (typeof productAmounts)[number]
