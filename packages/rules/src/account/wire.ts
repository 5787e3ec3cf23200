import type { Product, SubscriptionItem } from '@storeport/core'
import { expectNothingLeft, keepPresent } from '../shop/every-field.ts'
import { toMajor, toMinor } from '../shop/money.ts'
import { type CatalogueProduct, findProduct, pictureUrl, type Shop } from '../shop/shop.ts'
import type { Item } from './customer-account.ts'
import { wireItemId } from './items.ts'

/** Returns a product as the caller sees it (PRODUCTS-1). */
export function toProduct(product: CatalogueProduct, shop: Shop): Product {
  const { compare_at_price_minor } = product
  return keepPresent<Product>({
    id: product.id,
    title: product.title,
    price: toMajor(product.price_minor, shop.currency_digits),
    images: toPictureUrls(product.images, shop),
    compare_at_price:
      compare_at_price_minor === null ? undefined : toMajor(compare_at_price_minor, shop.currency_digits),
    description: product.description ?? undefined,
  })
}

/** Returns a product of the wire as the catalogue stores it, with amounts in minor units. */
export function fromProduct(data: Readonly<Product>, digits: number): Omit<CatalogueProduct, 'available'> {
  const { id, title, price, compare_at_price, images, description, ...left } = data
  expectNothingLeft(left)
  return {
    id,
    title,
    price_minor: toMinor(price, digits),
    compare_at_price_minor: compare_at_price === undefined ? null : toMinor(compare_at_price, digits),
    images: [...images],
    description: description ?? null,
  }
}

/** Returns an item as the caller sees it, at the price the customer has (SUBSCRIPTION-1). */
export function toSubscriptionItem(item: Item, shop: Shop): SubscriptionItem {
  const { title, images, description } = findProduct(item, shop)
  return keepPresent<SubscriptionItem>({
    id: wireItemId(item),
    title,
    price: toMajor(item.price_minor, shop.currency_digits),
    images: toPictureUrls(images, shop),
    quantity: item.quantity,
    description: description ?? undefined,
  })
}

function toPictureUrls(images: readonly string[], shop: Shop): string[] {
  return images.map((image) => pictureUrl(image, shop.public_url))
}
