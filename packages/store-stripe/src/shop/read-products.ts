import type { CatalogueProduct, Interval } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { idOf, unitAmount } from '../account/to-account.ts'
import type { Settings } from '../stripe/settings.ts'
import type { Asking } from '../stripe/ask-stripe.ts'

/** A product and the price that it has for an interval. */
export interface PricedProduct {
  /** What the rules know of it. */
  readonly product: CatalogueProduct
  /** The price, where there is one. */
  readonly price: Stripe.Price | undefined
}

/** Most ids that one list is asked for. */
const mostIds = 100

/** Returns products by their ids, offered or not, and without prices. */
export async function readProducts(
  { stripe }: Settings,
  asking: Asking,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Stripe.Product>> {
  const wanted = [...new Set(ids)]
  const pages = Array.from({ length: Math.ceil(wanted.length / mostIds) }, (_, page) =>
    wanted.slice(page * mostIds, (page + 1) * mostIds),
  )
  const found = await Promise.all(
    pages.map((some) => asking.read((options) => stripe.products.list({ ids: some, limit: mostIds }, options))),
  )
  return new Map(found.flatMap(({ data }) => data).map((product) => [product.id, product]))
}

/** Returns the product that a call names, with its price for an interval; `undefined` when there is none. */
export async function readProduct(
  settings: Settings,
  asking: Asking,
  id: string,
  interval: Interval,
): Promise<PricedProduct | undefined> {
  const { stripe, stripeCurrency: currency } = settings
  const products = await readProducts(settings, asking, [id])
  const product = products.get(id)
  if (product === undefined || id === settings.shippingProduct) return undefined
  const prices = await asking.readAll((options) =>
    stripe.prices.list({ product: id, active: true, type: 'recurring', currency, limit: 100 }, options),
  )
  return toPriced(product, prices, interval, settings)
}

/** Returns the products that are offered, in the order of the general list, at their prices for an interval. */
export async function readOffered(
  settings: Settings,
  asking: Asking,
  interval: Interval,
): Promise<readonly PricedProduct[]> {
  const { stripe, stripeCurrency: currency, offered } = settings
  const prices = await asking.readAll((options) =>
    stripe.prices.list({ active: true, type: 'recurring', currency, limit: 100, expand: ['data.product'] }, options),
  )
  const products = new Map<string, Stripe.Product>()
  // Stripe lists the latest first.
  for (const { product } of prices.toReversed()) {
    if (typeof product === 'object' && product.deleted !== true) products.set(product.id, product)
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

/** Stands in place of a product of which a rule uses nothing. */
export function nameless(id: string): CatalogueProduct {
  return toCatalogueProduct({ id, name: id, images: [], description: null, metadata: {} }, 0, false)
}

/** A product as the rules know it, at a price in minor units. */
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
    compare_at_price_minor: comparedPrice(metadata),
    images,
    description,
    available,
  }
}

function toPriced(
  product: Stripe.Product,
  prices: readonly Stripe.Price[],
  interval: Interval,
  settings: Settings,
): PricedProduct {
  const price = choosePrice(product, prices.toReversed(), interval, settings)
  const available = product.active && price !== undefined && isOffered(product, settings)
  return { product: toCatalogueProduct(product, price ? unitAmount(price) : 0, available), price }
}

/** The oldest price with just the interval, unless the merchant chooses another one. */
function choosePrice(
  product: Stripe.Product,
  prices: readonly Stripe.Price[],
  interval: Interval,
  { priceOf }: Settings,
): Stripe.Price | undefined {
  if (priceOf === undefined) return prices.find(({ recurring }) => recurring !== null && isEvery(recurring, interval))
  const chosen = priceOf(product, interval, prices)
  return prices.find(({ id }) => id === chosen)
}

function isEvery({ interval, interval_count }: Stripe.Price.Recurring, { unit, count }: Interval): boolean {
  if (interval === 'year') return unit === 'month' && count === interval_count * 12
  return unit === interval && count === interval_count
}

function isOffered(product: Stripe.Product, { offered }: Settings): boolean {
  if (offered === undefined) return true
  return typeof offered === 'function' ? offered(product) : offered.includes(product.id)
}

/** Stripe has no price to compare with: the metadata `storeport_compare_at` has it, in minor units. */
function comparedPrice(metadata: Stripe.Metadata): number | null {
  const written = metadata['storeport_compare_at']
  const amount = Number(written)
  return written === undefined || written === '' || !Number.isSafeInteger(amount) || amount < 0 ? null : amount
}
