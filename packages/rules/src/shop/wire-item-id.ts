import type { Item } from '../account/customer-account.ts'

const oneTimeEnd = '~once'
const longestUsable = 255 - oneTimeEnd.length

/**
 * Returns the id that an item has on the wire: its product's, as listProducts has it, or `<product id>~once` for a
 * one-time line. Unique in a subscription, which has at most one item of each kind for a product.
 */
export function wireItemId({ product_id, one_time }: Pick<Item, 'product_id' | 'one_time'>): string {
  return one_time ? product_id + oneTimeEnd : product_id
}

/** Returns what is wrong with the id of a product, of which both kinds of items must be nameable; `undefined` when it can be used. */
export function productIdProblem(id: string): string | undefined {
  if (id.endsWith(oneTimeEnd)) return `must not end in ${oneTimeEnd}, which names one-time lines`
  if (id.length > longestUsable) return `must be at most ${longestUsable} characters`
  return undefined
}

/** Returns whether a product may have this id: it is not empty, at most 250 characters, and does not end in `~once`. */
export function isUsableProductId(id: string): boolean {
  return id !== '' && productIdProblem(id) === undefined
}
