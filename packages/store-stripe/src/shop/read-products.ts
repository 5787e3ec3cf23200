import type { CatalogueProduct } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { idOf, unitAmount } from '../account/to-account.ts'
import type { Settings } from '../stripe/settings.ts'
import type { BillingInterval } from '../stripe/stripe-store-options.ts'
import type { StripeRequests } from '../stripe/stripe-requests.ts'
import { choosePrice, comparedPrice } from './choose-price.ts'

/** A product with its price for an interval. */
export interface PricedProduct {
  /** Product in the format that `@storeport/rules` uses. */
  readonly product: CatalogueProduct
  /** Price for the interval; `undefined` if the product has no such price. */
  readonly price: Stripe.Price | undefined
}

/** Maximum number of ids in one list request. */
const maxIds = 100

/** Loads products by id without prices, including products that are not offered. */
export async function readProducts(
  { stripe }: Settings,
  requests: StripeRequests,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Stripe.Product>> {
  const wanted = [...new Set(ids)]
  const pages = Array.from({ length: Math.ceil(wanted.length / maxIds) }, (_, page) =>
    wanted.slice(page * maxIds, (page + 1) * maxIds),
  )
  const found = await Promise.all(
    pages.map((chunk) => requests.read((options) => stripe.products.list({ ids: chunk, limit: maxIds }, options))),
  )
  return new Map(found.flatMap(({ data }) => data).map((product) => [product.id, product]))
}

/** Loads a product with its price for an interval; `undefined` if the product does not exist. */
export async function readProduct(
  settings: Settings,
  requests: StripeRequests,
  id: string,
  interval: BillingInterval,
): Promise<PricedProduct | undefined> {
  const { stripe, stripeCurrency: currency } = settings
  const products = await readProducts(settings, requests, [id])
  const product = products.get(id)
  if (product === undefined || id === settings.shippingProduct) return undefined
  const prices = await requests.readAll((options) =>
    stripe.prices.list({ product: id, active: true, type: 'recurring', currency, limit: 100 }, options),
  )
  return toPriced(product, prices, interval, settings)
}

/** Products and prices that reads use again. Changes always read the current products and prices. */
export interface ProductCache {
  readonly products: Map<string, { readonly product: Stripe.Product | undefined; readonly loadedAt: number }>
  prices?: { readonly list: readonly Stripe.Price[]; readonly loadedAt: number }
}

/** Time for which reads use the name and images of a product again, in milliseconds. */
const maxProductAgeMs = 3_600_000

/** Returns products by id, and loads the products that are not in the cache. */
export async function readCachedProducts(
  settings: Settings,
  requests: StripeRequests,
  { products }: ProductCache,
  ids: readonly string[],
): Promise<(id: string) => Stripe.Product | undefined> {
  const missing = ids.filter((id) => !isFresh(products.get(id), maxProductAgeMs, settings))
  if (missing.length > 0) {
    const found = await readProducts(settings, requests, missing)
    for (const id of missing) products.set(id, { product: found.get(id), loadedAt: settings.now() })
  }
  return (id) => products.get(id)?.product
}

function isFresh(entry: { readonly loadedAt: number } | undefined, maxAgeMs: number, { now }: Settings): boolean {
  return entry !== undefined && now() - entry.loadedAt < maxAgeMs
}

/** Returns the offered products with their prices for an interval, in list order. Loads the prices if they are not in the cache. */
export async function readOffered(
  settings: Settings,
  requests: StripeRequests,
  cache: ProductCache,
  interval: BillingInterval,
): Promise<readonly PricedProduct[]> {
  const { stripe, stripeCurrency: currency, offered } = settings
  if (cache.prices === undefined || !isFresh(cache.prices, settings.priceCacheMs, settings)) {
    const list = await requests.readAll((options) =>
      stripe.prices.list({ active: true, type: 'recurring', currency, limit: 100, expand: ['data.product'] }, options),
    )
    cache.prices = { list, loadedAt: settings.now() }
  }
  const prices = cache.prices.list
  const products = new Map<string, Stripe.Product>()
  // Stripe lists the newest prices first.
  for (const { product } of prices.toReversed()) {
    if (typeof product !== 'object' || product.deleted === true) continue
    products.set(product.id, product)
    cache.products.set(product.id, { product, loadedAt: cache.prices.loadedAt })
  }
  const priced = [...products.values()]
    .filter(({ id }) => id !== settings.shippingProduct)
    .map((product) =>
      toPriced(
        product,
        prices.filter((price) => idOf(price.product) === product.id),
        interval,
        settings,
      ),
    )
    .filter(({ product }) => product.available)
  if (typeof offered !== 'object') return priced
  const rank = (id: string) => offered.indexOf(id)
  return priced.toSorted((one, other) => rank(one.product.id) - rank(other.product.id))
}

/** Returns a placeholder for a rule that does not use the details of products. Stripe rejects products that cannot be billed. */
export function placeholderProduct(id: string): CatalogueProduct {
  return toCatalogueProduct({ id, name: id, images: [], description: null, metadata: {} }, 0, true)
}

/** Converts a Stripe product and its price in minor units to the format that `@storeport/rules` uses. */
export function toCatalogueProduct(
  product: Pick<Stripe.Product, 'id' | 'name' | 'images' | 'description' | 'metadata'>,
  price_minor: number,
  available: boolean,
): CatalogueProduct {
  const { id, name: title, images, description, metadata } = product
  return {
    id,
    title,
    price_minor,
    compare_at_price_minor: comparedPrice(metadata) ?? null,
    images,
    description,
    available,
  }
}

function toPriced(
  product: Stripe.Product,
  prices: readonly Stripe.Price[],
  interval: BillingInterval,
  settings: Settings,
): PricedProduct {
  const price = choosePrice(product, prices.toReversed(), interval, settings)
  const available = product.active && price !== undefined && isOffered(product, settings)
  return { product: toCatalogueProduct(product, price ? unitAmount(price) : 0, available), price }
}

function isOffered(product: Stripe.Product, { offered }: Settings): boolean {
  if (offered === undefined) return true
  return typeof offered === 'function' ? offered(product) : offered.includes(product.id)
}
