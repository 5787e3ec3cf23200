import { type Product, StoreError } from '@storeport/core'
import type { Kept } from './every-field.ts'
import type { ProductAmount } from './money.ts'

/**
 * What a rule may use besides the customer's account.
 *
 * Everything answers at once: a store that keeps it in a database loads what the call may ask for before it calls the
 * rule (the products of the account and of the input, the discount code of the input).
 */
export interface Shop {
  /** The shop's date, `YYYY-MM-DD`; the same during one call. */
  readonly today: string
  /** The time in milliseconds since 1970; none where the date is not the real one. */
  readonly now: number | undefined
  /** Decimals of the minor unit of the shop's one currency: USD has 2, JPY 0. */
  readonly currency_digits: number
  /** Most units that one line may hold. */
  readonly max_quantity: number
  /** For how many days after its cancellation a subscription can be reactivated. */
  readonly reactivation_days: number
  /** What picture addresses that start with a slash are put behind: where the shop serves its own pictures. */
  readonly public_url: string
  /** The product with this id, offered or not. */
  product(id: string): CatalogueProduct | undefined
  /** The available products, in the order of the general list. */
  offered(): readonly CatalogueProduct[]
  /** The discount with this code, usable or not; compare codes by `codeKey`. */
  discount(code: string): DiscountTerms | undefined
  /** An id that nothing in the shop has. */
  newId(kind: IdKind): string
}

/** What a rule needs new ids for. */
export type IdKind = 'item' | 'add' | 'discount_use' | 'order'

/** A product of the shop: what the caller sees of it, and whether it can be ordered. */
export interface CatalogueProduct extends Kept<Product, ProductAmount> {
  /** Unique in the shop. */
  readonly id: string
  /** Name shown to the customer. */
  readonly title: string
  /** Price of one unit, in minor units. */
  readonly price_minor: number
  /** The price to compare it with, in minor units. */
  readonly compare_at_price_minor: number | null
  /** Addresses of pictures; one that starts with a slash is below the shop's `public_url`. */
  readonly images: readonly string[]
  /** A few words about it. */
  readonly description: string | null
  /** Whether it can be ordered; one that cannot is not listed. */
  readonly available: boolean
}

/** A discount code and what it is worth. */
export type DiscountTerms = DiscountLimits & DiscountWorth

/** When a discount code can be used. */
export interface DiscountLimits {
  /** The code, as the shop writes it. */
  readonly code: string
  /** The last day on which it can be used. */
  readonly expires_on: string | null
  /** How often it can be used, by all customers together. */
  readonly max_uses: number | null
  /** How often it has been used; an add that was taken back does not count. */
  readonly uses: number
}

/** A percentage (15 means 15 %) or a fixed amount in minor units. */
export type DiscountWorth =
  | { readonly kind: 'percentage'; readonly percentage: number }
  | { readonly kind: 'fixed_amount'; readonly amount_minor: number }

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
  if (product === undefined) throw new Error('A subscription has an item whose product is not in the catalog.')
  return product
}
