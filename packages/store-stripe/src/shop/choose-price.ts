import type { Stripe } from 'stripe'
import { idOf } from '../account/to-account.ts'
import { isPerUnit } from '../account/unsupported.ts'
import type { Settings } from '../stripe/settings.ts'
import type { BillingInterval } from '../stripe/stripe-store-options.ts'

/** Returns the price of exactly an interval: the price that `priceOf` selects, the product's default price, or its only price. */
export function choosePrice(
  product: Stripe.Product,
  prices: readonly Stripe.Price[],
  interval: BillingInterval,
  { priceOf, stripeCurrency }: Pick<Settings, 'priceOf' | 'stripeCurrency'>,
): Stripe.Price | undefined {
  const fitting = prices.filter(
    (price) => isPerUnit(price) && price.currency === stripeCurrency && isEvery(price, interval),
  )
  const chosen = priceOf ? priceOf(product, interval, fitting) : idOf(product.default_price ?? '')
  const found = fitting.find(({ id }) => id === chosen)
  return found ?? (priceOf === undefined && fitting.length === 1 ? fitting[0] : undefined)
}

/** Reads the compare-at price in minor units from metadata, because Stripe has no field for the price. */
export function comparedPrice({ storeport_compare_at: written = '' }: Stripe.Metadata): number | undefined {
  const amount = Number(written)
  return written.trim() === '' || !Number.isSafeInteger(amount) || amount < 0 ? undefined : amount
}

/** Returns the products of prices, and for each the reason why it is not offered as its merchant expects, if any. */
export function productProblems(
  prices: readonly Stripe.Price[],
  currency: string,
): readonly (readonly [product: Stripe.Product, problem: string | undefined])[] {
  const products = new Map<string, Stripe.Product>()
  for (const { product } of prices)
    if (typeof product === 'object' && product.deleted !== true) products.set(product.id, product)
  const settings = { priceOf: undefined, stripeCurrency: currency }
  return [...products.values()].map((product) => {
    const own = prices.filter((price) => idOf(price.product) === product.id && isPerUnit(price))
    const isAmbiguous = ({ recurring, ...price }: Stripe.Price) =>
      recurring !== null &&
      price.currency === currency &&
      choosePrice(product, own, { unit: recurring.interval, count: recurring.interval_count }, settings) === undefined
    if (own.some(isAmbiguous)) return [product, 'it has several prices for an interval, and none is its default price']
    const isUnreadable =
      Boolean(product.metadata['storeport_compare_at']) && comparedPrice(product.metadata) === undefined
    return [product, isUnreadable ? 'its metadata storeport_compare_at is not an amount in minor units' : undefined]
  })
}

function isEvery({ recurring }: Stripe.Price, { unit, count }: BillingInterval): boolean {
  return recurring !== null && recurring.interval === unit && recurring.interval_count === count
}
