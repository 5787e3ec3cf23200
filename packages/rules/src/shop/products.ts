import { StoreError } from '@storeport/core'
import type { CatalogueProduct, Shop } from './shop.ts'

/** What a customer is looked up by: emails match whatever their letter case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

/** What a discount is looked up by: codes match whatever their letter case, without the white space around them. */
export function codeKey(code: string): string {
  return code.trim().toLowerCase()
}

/** The whole address of a picture: one that starts with a slash is below the shop's own address. */
export function pictureUrl(image: string, publicUrl: string): string {
  return image.startsWith('/') ? publicUrl + image : image
}

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
