import { StoreError } from '@storeport/core'
import type { Item } from './customer-account.ts'
import type { Shop } from '../shop/shop.ts'
import { isUsableProductId, wireItemId } from '../shop/wire-item-id.ts'

/** The first item of a product, among the recurring ones or among the one-time ones: what a further one joins. */
export function findItem(items: readonly Item[], productId: string, oneTime: boolean): Item | undefined {
  return items.find((item) => item.product_id === productId && item.one_time === oneTime)
}

/** The quantity of a line, unless it is more than a line may hold: throws `invalid_request`. */
export function limitQuantity(quantity: number, shop: Shop): number {
  if (quantity <= shop.max_quantity) return quantity
  throw new StoreError('invalid_request', `quantity: the line would be more than ${shop.max_quantity}`)
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
