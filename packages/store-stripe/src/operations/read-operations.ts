import { type Operations, StoreError } from '@storeport/core'
import {
  type CatalogueProduct,
  getDiscount,
  getSubscription,
  listCancelledSubscriptions,
  listProducts,
} from '@storeport/rules'
import { findCustomer, loadCustomer, type LoadedCustomer } from '../account/load-customer.ts'
import { findPromotionCode } from '../shop/find-promotion-code.ts'
import { placeholderProduct, readOffered, readProducts, toCatalogueProduct } from '../shop/read-products.ts'
import { type StripeRequests, createStripeRequests } from '../stripe/stripe-requests.ts'
import { requireCurrent, customerOf, type StoreContext, intervalOf } from './context.ts'
import type { Stripe } from 'stripe'
import { idOf, isOnNextInvoice, pendingProduct, productOfItem } from '../account/to-account.ts'
import type { Settings } from '../stripe/settings.ts'

/** Creates the read-only operations. */
export function createReads(
  store: StoreContext,
): Pick<Operations, 'listProducts' | 'getSubscription' | 'listCancelledSubscriptions' | 'getDiscount'> {
  const { settings, createShop } = store
  const pending = { settled: false }

  return {
    async listProducts(input, context) {
      const requests = createStripeRequests(settings, context)
      const loaded =
        input.email === undefined ? undefined : await findCustomer(settings, requests, input.email, pending)
      const offered = await readOffered(settings, requests, loaded ? intervalOf(loaded, store) : settings.interval)
      const products = new Map(offered.map(({ product }) => [product.id, product]))
      const shop = createShop({ product: (id) => products.get(id), offered: () => [...products.values()] })
      return listProducts(loaded?.account, input, shop)
    },

    async getSubscription(input, context) {
      const requests = createStripeRequests(settings, context)
      const loaded = await loadCustomer(settings, requests, input.email, pending)
      const current = requireCurrent(loaded)
      const [titles, costs] = await Promise.all([
        readTitles(settings, requests, [current], loaded.invoiceItems),
        readNextCosts(settings, requests, current, loaded),
      ])
      const account = withCosts(loaded, current.id, { ...costs, tax_rate: costs.tax_rate ?? 0 })
      const { customer_tax_rate, ...subscription } = getSubscription(account, input, createShop({ product: titles }))
      return costs.tax_rate === undefined ? subscription : { ...subscription, customer_tax_rate }
    },

    async listCancelledSubscriptions(input, context) {
      const requests = createStripeRequests(settings, context)
      const loaded = await loadCustomer(settings, requests, input.email, pending)
      const shop = createShop({ product: await readTitles(settings, requests, loaded.subscriptions, []) })
      return listCancelledSubscriptions(loaded.account, input, shop)
    },

    async getDiscount(input, context) {
      const promotion = await findPromotionCode(settings, createStripeRequests(settings, context), input.discount_code)
      if (promotion === undefined) throw new StoreError('discount_not_found')
      return getDiscount(undefined, input, createShop({ discount: () => promotion.terms }))
    },
  }
}

function withCosts({ account }: LoadedCustomer, id: string, costs: { readonly [Name in keyof NextCosts]: number }) {
  const subscriptions = account.subscriptions.map((other) => (other.id === id ? { ...other, ...costs } : other))
  return { ...account, subscriptions }
}

/** Returns a lookup function for product titles and images, because Stripe subscriptions contain only product ids. */
async function readTitles(
  settings: Settings,
  requests: StripeRequests,
  subscriptions: readonly Stripe.Subscription[],
  invoiceItems: readonly Stripe.InvoiceItem[],
): Promise<(id: string) => CatalogueProduct> {
  const named = new Map<string, string>()
  for (const { items } of subscriptions) {
    for (const item of items.data) named.set(productOfItem(item, items.data), idOf(item.price.product))
  }
  for (const id of invoiceItems.flatMap((item) => pendingProduct(item) ?? [])) named.set(id, id)
  const products = await readProducts(settings, requests, [...named.values()])
  return (id) => {
    const product = products.get(named.get(id) ?? id)
    return product === undefined ? placeholderProduct(id) : toCatalogueProduct(product, 0, false)
  }
}

/** Discounts and tax of the next order. */
interface NextCosts {
  /** Sum of all discounts, in minor units. */
  readonly order_discount_minor: number
  /** Tax rate as a fraction, for example 0.08; `undefined` if different rates apply to the items. */
  readonly tax_rate: number | undefined
}

/** Reads discounts and tax of the next order. Requests an invoice preview if a discount or automatic tax applies. */
async function readNextCosts(
  { stripe }: Settings,
  requests: StripeRequests,
  current: Stripe.Subscription,
  { customers, invoiceItems }: LoadedCustomer,
): Promise<NextCosts> {
  const lines = [...current.items.data, ...invoiceItems.filter((item) => isOnNextInvoice(item, current))]
  const fixedRate = onlyTaxRate(current, lines)
  const hasDiscounts = [current, ...lines].some(({ discounts }) => (discounts ?? []).length > 0)
  const isLowered = hasDiscounts || Boolean(customerOf(current, customers)?.discount)
  if (!isLowered && !current.automatic_tax.enabled) return { order_discount_minor: 0, tax_rate: fixedRate }
  const preview = await requests.read((options) =>
    stripe.invoices.createPreview({ customer: idOf(current.customer), subscription: current.id }, options),
  )
  const order_discount_minor = (preview.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  return { order_discount_minor, tax_rate: current.automatic_tax.enabled ? taxRateOf(preview) : fixedRate }
}

/** Returns the tax rate of all lines; `undefined` if they have different rates. The rates of a line replace the default rates. */
function onlyTaxRate(
  { default_tax_rates }: Stripe.Subscription,
  lines: readonly Pick<Stripe.SubscriptionItem, 'tax_rates'>[],
): number | undefined {
  const sums = lines.map(({ tax_rates }) =>
    (tax_rates?.length ? tax_rates : (default_tax_rates ?? []))
      .filter(({ inclusive }) => !inclusive)
      .reduce((sum, { percentage }) => sum + percentage, 0),
  )
  return new Set(sums).size === 1 ? (sums[0] ?? 0) / 100 : undefined
}

/** Returns the tax that is added to the prices, as a fraction of the total before tax, rounded to four decimals. */
function taxRateOf({ total_taxes, total_excluding_tax }: Stripe.Invoice): number {
  const added = (total_taxes ?? []).filter(({ tax_behavior }) => tax_behavior === 'exclusive')
  const amount = added.reduce((sum, tax) => sum + tax.amount, 0)
  const untaxed = total_excluding_tax ?? 0
  return untaxed > 0 ? Math.round((amount / untaxed) * 10_000) / 10_000 : 0
}
