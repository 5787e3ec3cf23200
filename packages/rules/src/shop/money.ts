import type { Product } from '@storeport/core'

export { calculatePart, toMinor } from '@storeport/core'

/**
 * Converts minor units to major units. With two decimals, 1995 becomes 19.95. Returns a value that is not a number as it
 * is, so that the integration can report its row.
 */
export function toMajor(amountMinor: number, digits: number): number {
  return typeof amountMinor === 'number' ? amountMinor / 10 ** digits : amountMinor
}

/** The money fields of a product. */
export const productAmounts = ['price', 'compare_at_price'] as const satisfies readonly (keyof Product)[]

/** A money field of a product. */
export type ProductAmount = (typeof productAmounts)[number]
