import type { CatalogueProduct } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { idOf, unitAmount } from '../account/to-account.ts'
import type { Settings } from '../stripe/settings.ts'
import type { BillingInterval } from '../stripe/stripe-store-options.ts'
import type { Session } from '../stripe/session.ts'
import { choosePrice, comparedPrice } from './choose-price.ts'

/** Loads a product with its price for an interval; `undefined` if the product does not exist. */
export async function readProduct(session: Session, id: string, interval: BillingInterval) {
  const { stripe, stripeCurrency: currency, shippingProduct } = session
  const [product] = await readProducts(session, [id])
  if (product === undefined || id === shippingProduct) return undefined
  const prices = await session.readAll((options) =>
    stripe.prices.list({ product: id, active: true, type: 'recurring', currency, limit: 100 }, options),
  )
  return toPriced(product, prices, interval, session)
}

/** Loads at most 100 products by id without prices, including products that are not offered. */
async function readProducts({ stripe, read }: Session, ids: readonly string[]): Promise<readonly Stripe.Product[]> {
  const some = ids.slice(0, 100)
  return (await read((options) => stripe.products.list({ ids: some, limit: 100 }, options))).data
}

/** Parameters of a list of all prices that can be offered, with their products. */
export const offeredPrices: Stripe.PriceListParams = {
  active: true,
  type: 'recurring',
  limit: 100,
  expand: ['data.product'],
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
  session: Session,
  { products }: ProductCache,
  ids: readonly string[],
): Promise<(id: string) => Stripe.Product | undefined> {
  const missing = ids.filter((id) => !isFresh(products.get(id), maxProductAgeMs, session))
  if (missing.length > 0) {
    const found = await readProducts(session, missing)
    for (const id of missing)
      products.set(id, { product: found.find((product) => product.id === id), loadedAt: session.now() })
  }
  return (id) => products.get(id)?.product
}

function isFresh(entry: { readonly loadedAt: number } | undefined, maxAgeMs: number, { now }: Settings): boolean {
  return entry !== undefined && now() - entry.loadedAt < maxAgeMs
}

/** Returns the offered products with their prices for an interval, in list order. Loads the prices if they are not in the cache. */
export async function readOffered(
  session: Session,
  cache: ProductCache,
  interval: BillingInterval,
): Promise<readonly CatalogueProduct[]> {
  const { stripe, stripeCurrency: currency, offered, priceCacheMs, shippingProduct } = session
  if (cache.prices === undefined || !isFresh(cache.prices, priceCacheMs, session)) {
    const list = await session.readAll((options) => stripe.prices.list({ ...offeredPrices, currency }, options))
    cache.prices = { list, loadedAt: session.now() }
  }
  const { list: prices, loadedAt } = cache.prices
  const products = new Map<string, CatalogueProduct>()
  // Stripe lists the newest prices first.
  for (const { product } of prices.toReversed()) {
    if (typeof product !== 'object' || product.deleted === true || product.id === shippingProduct) continue
    const own = prices.filter((price) => idOf(price.product) === product.id)
    cache.products.set(product.id, { product, loadedAt })
    products.set(product.id, toPriced(product, own, interval, session).product)
  }
  const available = [...products.values()].filter((product) => product.available)
  if (typeof offered !== 'object') return available
  return available.toSorted((one, other) => offered.indexOf(one.id) - offered.indexOf(other.id))
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
  const compare_at_price_minor = comparedPrice(metadata) ?? null
  return { id, title, price_minor, compare_at_price_minor, images, description, available }
}

/** Returns a product in the format that `@storeport/rules` uses, and its price for an interval, if any. */
function toPriced(
  product: Stripe.Product,
  prices: readonly Stripe.Price[],
  interval: BillingInterval,
  settings: Settings,
) {
  const price = choosePrice(product, prices.toReversed(), interval, settings)
  const { offered = () => true } = settings
  const isOffered = typeof offered === 'function' ? offered(product) : offered.includes(product.id)
  const available = product.active && price !== undefined && isOffered
  return { product: toCatalogueProduct(product, price ? unitAmount(price) : 0, available), price }
}
