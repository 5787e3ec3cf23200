import { toMinor } from '../shop/money.ts'
import type { CustomerAccount, Interval, Item, Subscription } from '../account/customer-account.ts'
import type { CatalogueProduct, DiscountTerms } from '../shop/shop.ts'
import type { CustomerData, DiscountData, ItemData, ProductData, ShopData, SubscriptionData } from './shop-data.ts'
import { shopDataProblems } from './shop-data-problems.ts'

/** A shop as the rules need it, in minor units. */
export interface ShopRecords {
  /** Products, in the order of the general list. */
  readonly products: readonly CatalogueProduct[]
  /** Discount codes. */
  readonly discounts: readonly DiscountTerms[]
  /** One account for each customer. */
  readonly accounts: readonly CustomerAccount[]
  /** Ids of the custom actions. */
  readonly actions: readonly string[]
}

/** Checks the data of a shop and turns it into what the rules work on; throws an Error that lists all that is wrong. */
export function readShopData(data: ShopData): ShopRecords {
  const problems = shopDataProblems(data)
  if (problems.length > 0) throw new Error(`The shop data is not valid:\n  ${problems.join('\n  ')}`)
  const products = (data.products ?? []).map(toCatalogueProduct)
  const prices = new Map(products.map((product) => [product.id, product.price_minor]))
  return {
    products,
    discounts: (data.discounts ?? []).map(toTerms),
    accounts: (data.customers ?? []).map((customer) => toAccount(customer, prices)),
    actions: [...(data.actions ?? [])],
  }
}

function toCatalogueProduct(data: ProductData): CatalogueProduct {
  return {
    id: data.id,
    title: data.title,
    price_minor: toMinor(data.price),
    compare_at_price_minor: data.compare_at_price === undefined ? null : toMinor(data.compare_at_price),
    images: [...data.images],
    description: data.description ?? null,
    available: data.available ?? true,
  }
}

function toTerms(data: DiscountData): DiscountTerms {
  const limits = {
    code: data.code.trim(),
    expires_on: data.expires_on ?? null,
    max_uses: data.max_uses ?? null,
    uses: data.uses ?? 0,
  }
  return data.discount_type === 'percentage'
    ? { ...limits, kind: 'percentage', percentage: data.discount_percentage }
    : { ...limits, kind: 'fixed_amount', amount_minor: toMinor(data.discount_amount) }
}

function toAccount(data: CustomerData, prices: ReadonlyMap<string, number>): CustomerAccount {
  return {
    email: data.email.trim(),
    subscriptions: (data.subscriptions ?? []).map((subscription) => toSubscription(subscription, prices)),
    adds: [],
    discount_uses: [],
    orders: [],
    last_sent_on: null,
    recommended: [...(data.recommended ?? [])],
  }
}

function toSubscription(data: SubscriptionData, prices: ReadonlyMap<string, number>): Subscription {
  const interval = data.interval ?? { unit: 'month', count: 1 }
  const terms = {
    id: data.id,
    title: data.title ?? inWords(interval),
    interval: { ...interval },
    items: (data.items ?? []).map((item) => toItem(item, prices)),
    shipping_minor: toMinor(data.shipping_total_cost ?? 0),
    order_discount_minor: toMinor(data.order_discount_total ?? 0),
    tax_rate: data.customer_tax_rate ?? 0,
  }
  return data.cancelled_on === undefined
    ? { ...terms, status: 'active', next_billing_date: data.next_billing_date, cancelled_on: null }
    : { ...terms, status: 'cancelled', next_billing_date: null, cancelled_on: data.cancelled_on }
}

function toItem(data: ItemData, prices: ReadonlyMap<string, number>): Item {
  return {
    id: data.id,
    product_id: data.product_id,
    quantity: data.quantity ?? 1,
    price_minor: data.price === undefined ? (prices.get(data.product_id) ?? 0) : toMinor(data.price),
    one_time: data.one_time ?? false,
  }
}

function inWords({ unit, count }: Interval): string {
  return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`
}
