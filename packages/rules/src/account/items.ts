import type { Item } from './customer-account.ts'
import { StoreError } from '@storeport/core'
import { type CatalogueProduct, requireAvailable, type Shop } from '../shop/shop.ts'

const oneTimeSuffix = '~once'
const maxProductIdLength = 255 - oneTimeSuffix.length

/**
 * Returns the id of an item in requests and responses: the product id, or `<product id>~once` for a one-time item. The
 * id is unique in a subscription, which has at most one recurring item and one one-time item for each product.
 */
export function wireItemId({ product_id, one_time }: Pick<Item, 'product_id' | 'one_time'>): string {
  return one_time ? product_id + oneTimeSuffix : product_id
}

/** Returns the reason why a product id is invalid, or `undefined` if the product id is valid. */
export function productIdProblem(id: string): string | undefined {
  if (id.endsWith(oneTimeSuffix)) return `must not end in ${oneTimeSuffix}, which marks one-time items`
  if (id.length > maxProductIdLength) return `must be at most ${maxProductIdLength} characters`
  return undefined
}

/** Returns whether a product id is valid: 1–250 characters, without the suffix `~once`. */
export function isUsableProductId(id: string): boolean {
  return id !== '' && productIdProblem(id) === undefined
}

/** Returns the recurring item or the one-time item of a product. */
export function findItem(items: readonly Item[], productId: string, oneTime: boolean): Item | undefined {
  return items.find((item) => item.product_id === productId && item.one_time === oneTime)
}

/**
 * Returns a valid quantity unchanged. Throws `invalid_request` above the shop's maximum, and `product_unavailable`
 * above the product's availability.
 */
export function limitQuantity(quantity: number, product: CatalogueProduct, shop: Shop): number {
  if (quantity > shop.max_quantity) {
    throw new StoreError('invalid_request', `quantity: the total for this product must be at most ${shop.max_quantity}`)
  }
  requireAvailable(product, quantity)
  return quantity
}

/**
 * Throws `product_unavailable` for an item without a valid `wireItemId`: a one-time item of a product with an invalid
 * id, or an item whose `wireItemId` is already in use. Older shops may contain such products.
 */
export function requireWireId(item: Item, items: readonly Item[]): void {
  const wireId = wireItemId(item)
  const isTaken = items.some((other) => other.id !== item.id && wireItemId(other) === wireId)
  if (isTaken || (item.one_time && !isUsableProductId(item.product_id))) throw new StoreError('product_unavailable')
}
