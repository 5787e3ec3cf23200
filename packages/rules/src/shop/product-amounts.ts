import type { Product } from '@storeport/core'

/** The fields of a product that are money. */
export const productAmounts = ['price', 'compare_at_price'] as const satisfies readonly (keyof Product)[]

/** A field of a product that is money. */
export type ProductAmount = (typeof productAmounts)[number]
