import { type Operations, StoreError } from '@storeport/core'
import {
  type CatalogueProduct,
  getDiscount,
  getSubscription,
  type Item,
  listCancelledSubscriptions,
  listProducts,
} from '@storeport/rules'
import { findCustomer, loadCustomer } from '../account/load-customer.ts'
import { findPromotionCode } from '../shop/find-promotion-code.ts'
import {
  placeholderProduct,
  type ProductCache,
  readCachedProducts,
  readOffered,
  toCatalogueProduct,
} from '../shop/read-products.ts'
import { openSession, type Session } from '../stripe/session.ts'
import { requireCurrent, findInterval } from './context.ts'
import type { Stripe } from 'stripe'
import { idOf, oneTimeLines, previewedLines, productOfItem, sharedRates, toAccount } from '../account/to-account.ts'
import { productsOf, withCurrentPrices } from './reactivate-subscription.ts'
import type { Settings } from '../stripe/settings.ts'

/** Creates the read-only operations. */
export function createReads(
  settings: Settings,
): Pick<Operations, 'listProducts' | 'getSubscription' | 'listCancelledSubscriptions' | 'getDiscount'> {
  const { createShop } = settings
  const cache: ProductCache = { products: new Map() }

  return {
    async listProducts(input, context) {
      const session = openSession(settings, context)
      const loaded = input.email === undefined ? undefined : await findCustomer(session, input.email, 'current')
      const interval = loaded ? findInterval(loaded, session) : settings.interval
      const offered = await readOffered(session, cache, interval)
      const shop = createShop({ product: (id) => offered.find((one) => one.id === id), offered: () => offered })
      return listProducts(loaded?.account, input, shop)
    },

    async getSubscription(input, context) {
      const session = openSession(settings, context)
      const loaded = await loadCustomer(session, input.email, 'current')
      const current = requireCurrent(loaded)
      const { one_time, tax_rate, ...costs } = await readNextOrder(session, current)
      const subscriptions = loaded.account.subscriptions.map((other) =>
        other.id === current.id
          ? { ...other, ...costs, tax_rate: tax_rate ?? 0, items: [...other.items, ...one_time] }
          : other,
      )
      const titles = await readTitles(session, cache, [current], one_time)
      const account = { ...loaded.account, subscriptions }
      const { customer_tax_rate, ...subscription } = getSubscription(account, input, createShop({ product: titles }))
      return tax_rate === undefined ? subscription : { ...subscription, customer_tax_rate }
    },

    async listCancelledSubscriptions(input, context) {
      const session = openSession(settings, context)
      const loaded = await loadCustomer(session, input.email, 'all')
      const products = await readCachedProducts(session, cache, productsOf(loaded.subscriptions))
      const offered = loaded.subscriptions.map(async (one) =>
        one.status === 'canceled' ? ((await withCurrentPrices(session, one, products)) ?? []) : one,
      )
      const subscriptions = (await Promise.all(offered)).flat()
      const shop = createShop({ product: await readTitles(session, cache, subscriptions, []) })
      return listCancelledSubscriptions(toAccount({ ...loaded, subscriptions }, settings), input, shop)
    },

    async getDiscount(input, context) {
      const promotion = await findPromotionCode(openSession(settings, context), input.discount_code)
      if (promotion === undefined) throw new StoreError('discount_not_found')
      return getDiscount(undefined, input, createShop({ discount: () => promotion.terms }))
    },
  }
}

/** Returns a lookup function for product titles and images, because Stripe subscriptions contain only product ids. */
async function readTitles(
  session: Session,
  cache: ProductCache,
  subscriptions: readonly Stripe.Subscription[],
  lines: readonly Item[],
): Promise<(id: string) => CatalogueProduct> {
  const named = new Map(lines.map(({ product_id }) => [product_id, product_id]))
  for (const { items } of subscriptions) {
    for (const item of items.data) named.set(productOfItem(item, items.data), idOf(item.price.product))
  }
  const find = await readCachedProducts(session, cache, [...new Set(named.values())])
  return (id) => {
    const product = find(named.get(id) ?? id)
    return product === undefined ? placeholderProduct(id) : toCatalogueProduct(product, 0, false)
  }
}

/** Previews the next invoice, because one request then returns the one-time lines, discounts and tax. */
async function readNextOrder(session: Session, current: Stripe.Subscription) {
  const owner = { customer: idOf(current.customer), subscription: current.id }
  const preview = await session.read((options) => session.stripe.invoices.createPreview(owner, options))
  const lines = preview.lines.data
  return {
    // A preview contains at most ten lines.
    one_time: preview.lines.has_more
      ? oneTimeLines(current.id, await readPending(session, current))
      : previewedLines(current.id, lines),
    order_discount_minor: (preview.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0),
    tax_rate: current.automatic_tax.enabled ? taxRateOf(preview) : onlyTaxRate(current, lines),
  }
}

async function readPending({ stripe, read }: Session, { customer }: Stripe.Subscription) {
  const params = { customer: idOf(customer), pending: true, limit: 100 }
  const { data } = await read((options) => stripe.invoiceItems.list(params, options))
  return data.toReversed()
}

/** Returns the tax rate of all lines; `undefined` if they have different rates. The rates of a line replace the default rates. */
export function onlyTaxRate(
  { default_tax_rates, items }: Pick<Stripe.Subscription, 'default_tax_rates' | 'items'>,
  lines: readonly Pick<Stripe.InvoiceLineItem, 'parent' | 'taxes'>[],
): number | undefined {
  const own = sharedRates({ items })
  const rates = own?.length === 0 ? (default_tax_rates ?? []) : own
  const allowed = JSON.stringify(rates?.map(({ id }) => id).toSorted())
  const isSame = ({ parent, taxes }: (typeof lines)[number]) =>
    !parent?.invoice_item_details ||
    taxes === null ||
    JSON.stringify(taxes.map((tax) => tax.tax_rate_details?.tax_rate).toSorted()) === allowed
  if (rates === undefined || !lines.every(isSame)) return undefined
  return rates.reduce((sum, { inclusive, percentage }) => sum + (inclusive ? 0 : percentage), 0) / 100
}

/** Returns the tax that is added to the prices, as a fraction of the total before tax, rounded to four decimals. */
function taxRateOf({ total_taxes, total_excluding_tax }: Stripe.Invoice): number {
  const added = (total_taxes ?? []).filter(({ tax_behavior }) => tax_behavior === 'exclusive')
  const amount = added.reduce((sum, tax) => sum + tax.amount, 0)
  const untaxed = total_excluding_tax ?? 0
  return untaxed > 0 ? Math.round((amount / untaxed) * 10_000) / 10_000 : 0
}
