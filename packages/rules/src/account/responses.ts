import { type Product, type SubscriptionItem, toMinor } from '@storeport/core'
import { assertNoFieldsLeft, omitUndefined } from '../shop/every-field.ts'
import { type CatalogueProduct, findProduct, imageUrl, type Shop, toMajor } from '../shop/shop.ts'
import type { Item, Subscription } from './customer-account.ts'
import { wireItemId } from './subscriptions.ts'

/** Converts a product to its form in responses (PRODUCTS-1). */
export function toProduct(product: CatalogueProduct, shop: Shop): Product {
  const { compare_at_price_minor } = product
  return omitUndefined<Product>({
    id: product.id,
    title: product.title,
    price: toMajor(product.price_minor, shop.currency_digits),
    images: toImageUrls(product.images, shop),
    compare_at_price:
      compare_at_price_minor === null ? undefined : toMajor(compare_at_price_minor, shop.currency_digits),
    description: product.description ?? undefined,
  })
}

/** Converts a product from its form in responses to its form in the catalog, with amounts in minor units. */
export function fromProduct(data: Readonly<Product>, digits: number): Omit<CatalogueProduct, 'available'> {
  const { id, title, price, compare_at_price, images, description, ...left } = data
  assertNoFieldsLeft(left)
  return {
    id,
    title,
    price_minor: toMinor(price, digits),
    compare_at_price_minor: compare_at_price === undefined ? null : toMinor(compare_at_price, digits),
    images: [...images],
    description: description ?? null,
  }
}

/** Converts the items of a subscription to their form in responses. An item of quantity 0 needs no product. */
export function toSubscriptionItems(subscription: Subscription, shop: Shop): SubscriptionItem[] {
  const { items }: { readonly items: unknown } = subscription
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the integration reports a value that is not a list
  if (!Array.isArray(items)) return items as SubscriptionItem[]
  return subscription.items
    .filter(({ quantity, product_id }) => quantity !== 0 || shop.product(product_id) !== undefined)
    .map((item) => toSubscriptionItem(item, subscription, shop))
}

/** Converts an item to its form in responses, with the customer's price (SUBSCRIPTION-1). */
function toSubscriptionItem(item: Item, subscription: Subscription, shop: Shop): SubscriptionItem {
  const { title, images, description } = findProduct(item, subscription, shop)
  return omitUndefined<SubscriptionItem>({
    id: wireItemId(item),
    title,
    price: toMajor(item.price_minor, shop.currency_digits),
    images: toImageUrls(images, shop),
    quantity: item.quantity,
    description: description ?? undefined,
  })
}

function toImageUrls(images: readonly string[], shop: Shop): string[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the integration leaves out a value that is not a list
  if (!Array.isArray(images)) return images as string[]
  return images.map((image) => imageUrl(image, shop.public_url))
}
