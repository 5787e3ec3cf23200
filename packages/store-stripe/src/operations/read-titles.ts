import type { CatalogueProduct } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { idOf, pendingProduct, productOfItem } from '../account/to-account.ts'
import type { Settings } from '../read-options.ts'
import { readProducts, toCatalogueProduct } from '../shop/read-products.ts'
import type { Asking } from '../stripe/ask-stripe.ts'
import { nameless } from './desk.ts'

/** Returns what tells the title and the pictures of the products of subscriptions, of which Stripe lists the ids alone. */
export async function readTitles(
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
