import type { Product, SubscriptionItem } from '@storeport/core'
import type { Item } from '../account/customer-account.ts'
import { toMajor } from './money.ts'
import { pictureUrl } from './picture-url.ts'
import { productOf } from './products.ts'
import type { CatalogueProduct, Shop } from './shop.ts'

/** A product as the caller sees it (SPEC "Product"). */
export function toProduct(product: CatalogueProduct, shop: Shop): Product {
  const { compare_at_price_minor, description } = product
  return {
    id: product.id,
    title: product.title,
    price: toMajor(product.price_minor),
    images: pictures(product.images, shop),
    ...(compare_at_price_minor !== null && { compare_at_price: toMajor(compare_at_price_minor) }),
    ...(description !== null && { description }),
  }
}

/** An item as the caller sees it, at the price the customer has (SPEC "SubscriptionItem"). */
export function toSubscriptionItem(item: Item, shop: Shop): SubscriptionItem {
  const { title, images, description } = productOf(item, shop)
  return {
    id: item.id,
    title,
    price: toMajor(item.price_minor),
    images: pictures(images, shop),
    quantity: item.quantity,
    ...(description !== null && { description }),
  }
}

function pictures(images: readonly string[], shop: Shop): string[] {
  return images.map((image) => pictureUrl(image, shop.public_url))
}
