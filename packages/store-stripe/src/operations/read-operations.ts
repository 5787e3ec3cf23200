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
import { nameless, readOffered, readProducts, toCatalogueProduct } from '../shop/read-products.ts'
import { type Asking, askStripe } from '../stripe/ask-stripe.ts'
import { currentOf, customerOf, type Desk, intervalOf } from './desk.ts'
import type { Stripe } from 'stripe'
import { idOf, pendingProduct, productOfItem } from '../account/to-account.ts'
import type { Settings } from '../stripe/settings.ts'

/** The operations that change nothing. */
export function createReads(
  desk: Desk,
): Pick<Operations, 'listProducts' | 'getSubscription' | 'listCancelledSubscriptions' | 'getDiscount'> {
  const { settings, createShop } = desk
  const pending = { settled: false }

  return {
    async listProducts(input, context) {
      const asking = askStripe(settings, context)
      const loaded = input.email === undefined ? undefined : await findCustomer(settings, asking, input.email, pending)
      const offered = await readOffered(settings, asking, loaded ? intervalOf(loaded, desk) : settings.interval)
      const products = new Map(offered.map(({ product }) => [product.id, product]))
      const shop = createShop({ product: (id) => products.get(id), offered: () => [...products.values()] })
      return listProducts(loaded?.account, input, shop)
    },

    async getSubscription(input, context) {
      const asking = askStripe(settings, context)
      const loaded = await loadCustomer(settings, asking, input.email, pending)
      const held = currentOf(loaded)
      const [titles, costs] = await Promise.all([
        readTitles(settings, asking, [held], loaded.invoiceItems),
        readNextCosts(settings, asking, held, loaded),
      ])
      return getSubscription(withCosts(loaded, held.id, costs), input, createShop({ product: titles }))
    },

    async listCancelledSubscriptions(input, context) {
      const asking = askStripe(settings, context)
      const loaded = await loadCustomer(settings, asking, input.email, pending)
      const shop = createShop({ product: await readTitles(settings, asking, loaded.subscriptions, []) })
      return listCancelledSubscriptions(loaded.account, input, shop)
    },

    async getDiscount(input, context) {
      const promotion = await findPromotionCode(settings, askStripe(settings, context), input.discount_code)
      if (promotion === undefined) throw new StoreError('discount_not_found')
      return getDiscount(undefined, input, createShop({ discount: () => promotion.terms }))
    },
  }
}

type Costs = Awaited<ReturnType<typeof readNextCosts>>

function withCosts({ account }: LoadedCustomer, id: string, costs: Costs) {
  const subscriptions = account.subscriptions.map((other) => (other.id === id ? { ...other, ...costs } : other))
  return { ...account, subscriptions }
}

/** Returns what tells the title and the pictures of the products of subscriptions, of which Stripe lists the ids alone. */
async function readTitles(
  settings: Settings,
  asking: Asking,
  subscriptions: readonly Stripe.Subscription[],
  invoiceItems: readonly Stripe.InvoiceItem[],
): Promise<(id: string) => CatalogueProduct> {
  const named = new Map<string, string>()
  for (const { items } of subscriptions) {
    for (const item of items.data) named.set(productOfItem(item, items.data), idOf(item.price.product))
  }
  for (const id of invoiceItems.flatMap((item) => pendingProduct(item) ?? [])) named.set(id, id)
  const products = await readProducts(settings, asking, [...named.values()])
  return (id) => {
    const product = products.get(named.get(id) ?? id)
    return product === undefined ? nameless(id) : toCatalogueProduct(product, 0, false)
  }
}

/** What lowers and raises the next order besides its lines. */
interface NextCosts {
  /** What all discounts take off, in minor units. */
  readonly order_discount_minor: number
  /** Tax rate as a decimal. */
  readonly tax_rate: number
}

/** Asks what the next order will cost: Stripe works it out, where anything but the prices of the lines goes into it. */
async function readNextCosts(
  { stripe }: Settings,
  asking: Asking,
  held: Stripe.Subscription,
  { customers, invoiceItems }: LoadedCustomer,
): Promise<NextCosts> {
  const rates = (held.default_tax_rates ?? []).filter(({ inclusive }) => !inclusive)
  const fixedRate = rates.reduce((sum, { percentage }) => sum + percentage, 0) / 100
  const hasDiscounts = [held, ...held.items.data, ...invoiceItems.filter(pendingProduct)].some(
    ({ discounts }) => (discounts ?? []).length > 0,
  )
  const isLowered = hasDiscounts || Boolean(customerOf(held, customers)?.discount)
  if (!isLowered && !held.automatic_tax.enabled) return { order_discount_minor: 0, tax_rate: fixedRate }
  const preview = await asking.read((options) =>
    stripe.invoices.createPreview({ customer: idOf(held.customer), subscription: held.id }, options),
  )
  const order_discount_minor = (preview.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  return { order_discount_minor, tax_rate: held.automatic_tax.enabled ? taxRateOf(preview) : fixedRate }
}

/** The part of the untaxed total that is added as tax, to four decimals. */
function taxRateOf({ total_taxes, total_excluding_tax }: Stripe.Invoice): number {
  const added = (total_taxes ?? []).filter(({ tax_behavior }) => tax_behavior === 'exclusive')
  const amount = added.reduce((sum, tax) => sum + tax.amount, 0)
  const untaxed = total_excluding_tax ?? 0
  return untaxed > 0 ? Math.round((amount / untaxed) * 10_000) / 10_000 : 0
}
