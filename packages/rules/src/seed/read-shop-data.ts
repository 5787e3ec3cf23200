import { type Discount, minorUnitDigits, toMinor } from '@storeport/core'
import type { CustomerAccount, Interval, Item, Subscription, SubscriptionTerms } from '../account/customer-account.ts'
import { nextBillingAfter } from '../account/subscriptions.ts'
import { fromProduct } from '../account/responses.ts'
import { assertNoFieldsLeft } from '../shop/every-field.ts'
import type { CatalogueProduct, DiscountTerms, DiscountWorth } from '../shop/shop.ts'
import { shopDataProblems } from './shop-data-problems.ts'
import type {
  CustomerData,
  DiscountData,
  ItemData,
  ProductData,
  ShopData,
  SubscriptionData,
  SubscriptionTermsData,
} from './shop-data.ts'

/** The data of a shop in the form that the rules use, in minor units. */
export interface ShopRecords {
  /** Products, in the sequence of the general product list. */
  readonly products: readonly CatalogueProduct[]
  /** Discount codes. */
  readonly discounts: readonly DiscountTerms[]
  /** One account for each customer. */
  readonly accounts: readonly CustomerAccount[]
  /** Ids of the custom actions. */
  readonly actions: readonly string[]
}

/**
 * Validates the data of a shop and converts it to the form that the rules use. `currency` is an ISO 4217 code.
 *
 * `null` in a field counts as absent. Throws a TypeError that lists all problems, or for an invalid currency.
 */
export function readShopData(given: ShopData, currency: string): ShopRecords {
  const data = withoutNulls(given)
  const digits = minorUnitDigits(currency)
  const problems = shopDataProblems(data, digits)
  if (problems.length > 0) throw new TypeError(`The shop data is not valid:\n  ${problems.join('\n  ')}`)
  const { products: listed = [], discounts = [], customers = [], actions = [], ...left } = data
  assertNoFieldsLeft(left)
  const products = listed.map((product) => toProduct(product, digits))
  const prices = new Map(products.map((product) => [product.id, product.price_minor]))
  const money = { prices, digits }
  return {
    products,
    discounts: discounts.map((discount) => toTerms(discount, digits)),
    accounts: customers.map((customer) => toAccount(customer, money)),
    actions: [...actions],
  }
}

/** Returns a copy of a JSON value without the fields that are null. */
function withoutNulls<Value>(value: Value): Value {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a copy has the type of its original
  if (Array.isArray(value)) return value.map(withoutNulls) as Value
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== null)
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a null field counts as an absent optional field
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)])) as Value
}

function toProduct({ available = true, ...data }: ProductData, digits: number): CatalogueProduct {
  return { ...fromProduct(data, digits), available }
}

function toTerms(data: DiscountData, digits: number): DiscountTerms {
  const { code, expires_on = null, max_uses = null, uses = 0, ...worth } = data
  return { code: code.trim(), expires_on, max_uses, uses, ...toWorth(worth, digits) }
}

function toWorth(data: Discount, digits: number): DiscountWorth {
  if (data.discount_type === 'percentage') {
    const { discount_type: kind, discount_percentage: percentage, ...left } = data
    assertNoFieldsLeft(left)
    return { kind, percentage }
  }
  const { discount_type: kind, discount_amount, ...left } = data
  assertNoFieldsLeft(left)
  return { kind, amount_minor: toMinor(discount_amount, digits) }
}

interface Money {
  /** Prices of the products in minor units, by product id. */
  readonly prices: ReadonlyMap<string, number>
  /** Decimals of the currency. */
  readonly digits: number
}

function toAccount(data: CustomerData, money: Money): CustomerAccount {
  const { email, recommended = [], subscriptions = [], ...left } = data
  assertNoFieldsLeft(left)
  return {
    email: email.trim(),
    subscriptions: subscriptions.map((subscription) => toSubscription(subscription, money)),
    adds: [],
    discount_uses: [],
    orders: [],
    last_sent_on: null,
    last_sent_at: null,
    recommended: [...recommended],
  }
}

function toSubscription(data: SubscriptionData, money: Money): Subscription {
  const { next_billing_date, cancelled_on, paused: _, ...termsData } = data
  const terms = toSubscriptionTerms(termsData, money)
  if (next_billing_date !== undefined) {
    const active = { ...terms, status: 'active', next_billing_date, cancelled_on: null } as const
    // A stored date is never skipped, so that a database can sort by it.
    return { ...active, ...nextBillingAfter('', active) }
  }
  if (cancelled_on !== undefined) return { ...terms, status: 'cancelled', next_billing_date: null, cancelled_on }
  return { ...terms, status: 'paused', next_billing_date: null, cancelled_on: null }
}

function toSubscriptionTerms(data: SubscriptionTermsData, money: Money): SubscriptionTerms {
  const { id, interval = { unit: 'month', count: 1 }, title = describeInterval(interval), ...terms } = data
  const { anchor_day = null, skipped = [], items = [], ...costs } = terms
  const { shipping_total_cost = 0, order_discount_total = 0, customer_tax_rate: tax_rate = 0, ...left } = costs
  assertNoFieldsLeft(left)
  return {
    id,
    title,
    interval: { ...interval },
    anchor_day,
    skipped: [...skipped],
    items: items.map((item) => toItem(item, money)),
    shipping_minor: toMinor(shipping_total_cost, money.digits),
    order_discount_minor: toMinor(order_discount_total, money.digits),
    tax_rate,
  }
}

function toItem(data: ItemData, { prices, digits }: Money): Item {
  const { id, product_id, quantity = 1, price, one_time = false, ...left } = data
  assertNoFieldsLeft(left)
  const price_minor = price === undefined ? (prices.get(product_id) ?? 0) : toMinor(price, digits)
  return { id, product_id, quantity, price_minor, one_time }
}

function describeInterval({ unit, count }: Interval): string {
  return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`
}
