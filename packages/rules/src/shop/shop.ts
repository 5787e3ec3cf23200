import { dateIn, isDate, minorUnitDigits, type Product, StoreError } from '@storeport/core'
import type { Stored } from './every-field.ts'

/**
 * The data of a shop that a rule can use, in addition to the customer's account.
 *
 * All functions are synchronous, so a store with a database loads the products and the discount before it calls the
 * rule.
 */
export interface Shop {
  /** The shop's date, `YYYY-MM-DD`; constant during one request. */
  readonly today: string
  /** The time in milliseconds since 1970; `undefined` if the shop has only a date and no time. */
  readonly now: number | undefined
  /** Decimals of the currency's minor unit: 2 for USD, 0 for JPY. */
  readonly currency_digits: number
  /** Maximum quantity of an item. */
  readonly max_quantity: number
  /** Number of days after cancellation during which a subscription can be reactivated. */
  readonly reactivation_days: number
  /** Base URL for image paths that start with a slash. */
  readonly public_url: string
  /** Returns the product with the given id, even if the product is unavailable. */
  product(id: string): CatalogueProduct | undefined
  /** Returns the available products, in the sequence of the general product list. */
  offered(): readonly CatalogueProduct[]
  /** Returns the discount of a code, even if the code is unusable. Compare codes by `codeKey`. */
  discount(code: string): DiscountTerms | undefined
  /** Returns a new unique id. */
  newId(kind: IdKind): string
}

/** Kinds of records that rules create. */
export type IdKind = 'item' | 'add' | 'discount_use' | 'order'

/** A product of the shop, with its availability. */
export interface CatalogueProduct extends Stored<Product, ProductAmount> {
  /** Id of the record, unique in the shop. */
  readonly id: string
  /** Name shown to the customer. */
  readonly title: string
  /** Price of one unit, in minor units. */
  readonly price_minor: number
  /** Regular price for comparison, in minor units. */
  readonly compare_at_price_minor: number | null
  /** URLs of images, or paths that start with a slash and are relative to the shop's `public_url`. */
  readonly images: readonly string[]
  /** Short description. */
  readonly description: string | null
  /**
   * Whether customers can order the product, or the maximum quantity of an item. Unavailable products are not listed.
   */
  readonly available: Availability
}

/**
 * Whether customers can order a product, or the maximum quantity of an item. A function receives the item's resulting
 * quantity. StorePort does not reserve units: update the availability when you ship an order.
 */
export type Availability = boolean | number | ((quantity: number) => boolean | number)

/** A discount code with its limits and its value. */
export type DiscountTerms = DiscountLimits & DiscountWorth

/** Limits of a discount code. */
export interface DiscountLimits {
  /** The code, in the letter case that the shop stores. */
  readonly code: string
  /** Last day of validity; null if unlimited. */
  readonly expires_on: string | null
  /** Maximum number of orders of all customers that can use the code; null if unlimited. */
  readonly max_uses: number | null
  /** Number of orders that have used the code, without the uses of undone additions. */
  readonly uses: number
}

/** Value of a discount: a percentage (15 means 15%) or a fixed amount in minor units. */
export type DiscountWorth =
  | { readonly kind: 'percentage'; readonly percentage: number }
  | { readonly kind: 'fixed_amount'; readonly amount_minor: number }

/** Returns the lookup key of a customer: the email in lowercase, trimmed. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

/** Returns the lookup key of a discount: the code in lowercase, trimmed. */
export function codeKey(code: string): string {
  return code.trim().toLowerCase()
}

/**
 * Returns the absolute URL of an image. A path that starts with a slash is relative to `publicUrl`. A URL that starts
 * with two slashes gets `https:`. Returns a value that is not a string as it is.
 */
export function imageUrl(image: string, publicUrl: string): string {
  if (typeof image !== 'string') return image
  if (image.startsWith('//')) return `https:${image}`
  return image.startsWith('/') ? publicUrl + image : image
}

/** Returns the product with the given id. Throws `product_not_found` or `product_unavailable`. */
export function findOrderable(id: string, shop: Shop): CatalogueProduct {
  const product = shop.product(id)
  if (product === undefined) throw new StoreError('product_not_found')
  requireAvailable(product, 1)
  return product
}

/** Returns whether customers can order at least one unit of a product. */
export function isAvailable(product: Pick<CatalogueProduct, 'available'>): boolean {
  return findMaximum(product, 1) >= 1
}

/** Throws `product_unavailable` if a quantity is not available. The message contains the maximum quantity, if known. */
export function requireAvailable(product: Pick<CatalogueProduct, 'available'>, quantity: number): void {
  const maximum = findMaximum(product, quantity)
  if (maximum >= quantity) return
  const message = maximum < 1 ? undefined : `quantity: at most ${Math.floor(maximum)} of this product can be ordered`
  throw new StoreError('product_unavailable', message)
}

function findMaximum({ available }: Pick<CatalogueProduct, 'available'>, quantity: number): number {
  const answer = typeof available === 'function' ? available(quantity) : available
  if (typeof answer === 'number') return answer
  return answer ? quantity : 0
}

/**
 * Returns the product of a subscription's item. Throws TypeError if the product is missing, because the shop's data is
 * then invalid.
 */
export function findProduct(
  { product_id }: { readonly product_id: string },
  subscription: { readonly id: string },
  shop: Shop,
): CatalogueProduct {
  const product = shop.product(product_id)
  if (product !== undefined) return product
  throw new TypeError(`subscription ${subscription.id}: its product ${product_id} is not in the catalog`)
}

/**
 * Converts minor units to major units. With two decimals, 1995 becomes 19.95. Returns a value that is not a number as it
 * is, so that the integration can report its row.
 */
export function toMajor(amountMinor: number, digits: number): number {
  return typeof amountMinor === 'number' ? amountMinor / 10 ** digits : amountMinor
}

/** The money fields of a product. */
export const productAmounts = ['price', 'compare_at_price'] as const satisfies readonly (keyof Product)[]

/** A money field of a product. */
export type ProductAmount = (typeof productAmounts)[number]

/** Options for the date of a store. */
export interface ClockOptions {
  /** The store's date, `YYYY-MM-DD`, or a function that returns the date; default: the current date in `timeZone`. */
  readonly today?: string | (() => string) | undefined
  /** Time zone of the store's date, as an IANA name; default `UTC`. */
  readonly timeZone?: string | undefined
  /**
   * Returns the time in milliseconds since 1970, from which the date is derived unless `today` is set. Default:
   * `Date.now`; if `today` is set, the shop has no time.
   */
  readonly now?: (() => number) | undefined
}

/**
 * Creates a function that returns a store's date, at the current time or at a given time. Throws for an invalid date or
 * time zone.
 */
export function createClock({ today, timeZone = 'UTC', now = Date.now }: ClockOptions): (at?: number) => string {
  if (typeof today === 'function') return () => today()
  if (today === undefined) {
    const dateOf = dateIn(timeZone)
    return (at = now()) => dateOf(new Date(at))
  }
  if (!isDate(today)) throw new Error('today: must be a date that exists, in the form YYYY-MM-DD')
  return () => today
}

/** Options of a shop. */
export interface ShopOptions extends ClockOptions {
  /** Base URL for image paths that start with a slash; default `http://localhost:3000`, as for the reference host. */
  readonly publicUrl?: string | (() => string) | undefined
  /** Currency of all amounts, as an ISO 4217 code; default `USD`. */
  readonly currency?: string | undefined
  /** Maximum quantity of an item; default 1,000. */
  readonly maxQuantity?: number | undefined
  /** Number of days after cancellation during which a subscription can be reactivated; default 365. */
  readonly reactivationDays?: number | undefined
}

/**
 * Data that a store has loaded for one request; omitted parts are empty. `newId` creates the ids of new records, by
 * default `<kind>_<uuid>`. `at` is the time on the database's clock, in milliseconds since 1970.
 */
export type LoadedShop = Partial<Pick<Shop, 'product' | 'offered' | 'discount' | 'newId'>> & {
  readonly at?: number | undefined
}

/** Result of `readShopOptions`. */
export interface ShopSettings {
  /** Returns the shop's date, `YYYY-MM-DD`. */
  readonly today: () => string
  /** Currency of all amounts, as an ISO 4217 code. */
  readonly currency: string
  /** Creates the `Shop` of one request. */
  readonly createShop: (loaded: LoadedShop) => Shop
}

/** Reads the options of a shop and adds the defaults. Throws for an invalid date, time zone or currency. */
export function readShopOptions(options: ShopOptions = {}): ShopSettings {
  const { publicUrl = 'http://localhost:3000', currency = 'USD', maxQuantity = 1000, reactivationDays = 365 } = options
  const currency_digits = minorUnitDigits(currency)
  const today = createClock(options)
  // With `today` but without `now`, the shop has no time.
  const now = options.now ?? (options.today === undefined ? Date.now : returnUndefined)
  const followsDatabase = options.now === undefined && options.today === undefined
  return {
    today,
    currency,
    createShop: ({
      product = returnUndefined,
      offered = () => [],
      discount = returnUndefined,
      newId = createId,
      at,
    }) => ({
      today: followsDatabase ? today(at) : today(),
      now: followsDatabase ? (at ?? now()) : now(),
      currency_digits,
      max_quantity: maxQuantity,
      reactivation_days: reactivationDays,
      public_url: typeof publicUrl === 'string' ? publicUrl : publicUrl(),
      product,
      offered,
      discount,
      newId,
    }),
  }
}

function createId(kind: IdKind): string {
  return `${kind}_${crypto.randomUUID()}`
}

function returnUndefined(): undefined {}
