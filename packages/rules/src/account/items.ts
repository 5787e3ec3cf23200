import type { Item } from './customer-account.ts'
import { StoreError } from '@storeport/core'
import type { Shop } from '../shop/shop.ts'

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
  if (id.endsWith(oneTimeEnd)) return `must not end in ${oneTimeEnd}, which marks one-time items`
  if (id.length > longestUsable) return `must be at most ${longestUsable} characters`
  return undefined
}

/** Returns whether a product may have this id: it is not empty, at most 250 characters, and does not end in `~once`. */
export function isUsableProductId(id: string): boolean {
  return id !== '' && productIdProblem(id) === undefined
}

/** The first item of a product, among the recurring ones or among the one-time ones: what a further one joins. */
export function findItem(items: readonly Item[], productId: string, oneTime: boolean): Item | undefined {
  return items.find((item) => item.product_id === productId && item.one_time === oneTime)
}

/** The quantity of a line, unless it is more than a line may hold: throws `invalid_request`. */
export function limitQuantity(quantity: number, shop: Shop): number {
  if (quantity <= shop.max_quantity) return quantity
  throw new StoreError('invalid_request', `quantity: the total for this product must be at most ${shop.max_quantity}`)
}

/**
 * Throws `product_unavailable` for an item that the wire could not name: a one-time line of a product whose id cannot be
 * used, or one whose name another item has. A shop may have such products from before there was the rule.
 */
export function requireWireId(item: Item, items: readonly Item[]): void {
  const name = wireItemId(item)
  const isTaken = items.some((other) => other.id !== item.id && wireItemId(other) === name)
  if (isTaken || (item.one_time && !isUsableProductId(item.product_id))) throw new StoreError('product_unavailable')
}
