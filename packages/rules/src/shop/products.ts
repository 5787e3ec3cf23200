import { StoreError } from '@storeport/core'
import type { CatalogueProduct, Shop } from './shop.ts'

/** The product that a call asks for; throws `product_not_found` or `product_unavailable`. */
export function findOrderable(id: string, shop: Shop): CatalogueProduct {
  const product = shop.product(id)
  if (product === undefined) throw new StoreError('product_not_found')
  if (!product.available) throw new StoreError('product_unavailable')
  return product
}

/** The product of an item that a customer has; a shop that lost it is broken, which the customer cannot help. */
export function findProduct(item: { readonly product_id: string }, shop: Shop): CatalogueProduct {
  const product = shop.product(item.product_id)
  if (product === undefined) throw new Error('A subscription has an item whose product is not in the catalogue.')
  return product
}
