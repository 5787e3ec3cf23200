import { CustomerInput, Discount, isDate, isTaxRate, Product, taxRateMessage } from '@storeport/core'
import { codeKey, emailKey, imageUrl } from '../shop/shop.ts'
import { productIdProblem, wireItemId } from '../account/items.ts'
import { productAmounts } from '../shop/money.ts'
import type { CustomerData, DiscountData, ItemData, ProductData, ShopData, SubscriptionData } from './shop-data.ts'

/** Returns one line without emails for each problem in a shop's data. Amounts have at most `moneyDigits` decimals. */
export function shopDataProblems(data: ShopData, moneyDigits: number): readonly string[] {
  const { products = [], customers = [], discounts = [], actions = [] } = data
  const report = createReport(new Set(products.map(({ id }) => id)), moneyDigits)
  products.forEach((product, at) => checkProduct(product, `products[${at}]`, report))
  discounts.forEach((discount, at) => checkDiscount(discount, `discounts[${at}]`, report))
  customers.forEach((customer, at) => checkCustomer(customer, `customers[${at}]`, report))
  actions.forEach((action, at) => report.expect(isId(action), `actions[${at}]`, 'must be an id of 1–255 characters'))
  return report.problems
}

interface Report {
  readonly problems: string[]
  expect(isValid: boolean, path: string, message: string): void
  /** Reports a problem if another record of the same kind has the same key. */
  expectNew(kind: string, key: string, path: string): void
  expectProduct(id: string, path: string): void
  /** Reports a problem unless an amount in major units is a whole number of minor units and within the limit. */
  expectMoney(amount: number, path: string): void
}

function createReport(productIds: ReadonlySet<string>, moneyDigits: number): Report {
  const problems: string[] = []
  const seen = new Map<string, string>()
  const expect = (isValid: boolean, path: string, message: string) => {
    if (!isValid) problems.push(`${path}: ${message}`)
  }
  return {
    problems,
    expect,
    expectNew: (kind, key, path) => {
      const first = seen.get(`${kind} ${key}`)
      expect(first === undefined, path, `is the same as ${first}`)
      if (first === undefined) seen.set(`${kind} ${key}`, path)
    },
    expectProduct: (id, path) => expect(productIds.has(id), path, `no product has the id ${JSON.stringify(id)}`),
    expectMoney: (amount, path) => expect(isMoney(amount, moneyDigits), path, describeMoney(moneyDigits)),
  }
}

function checkProduct(product: ProductData, path: string, report: Report): void {
  const images = isList(product.images)
    ? product.images.map((image) => imageUrl(image, 'https://shop.example'))
    : product.images
  reportIssues(Product.safeParse({ ...product, images }), path, report)
  report.expectNew('product', product.id, `${path}.id`)
  const idProblem = productIdProblem(product.id)
  report.expect(idProblem === undefined, `${path}.id`, idProblem ?? '')
  const { available = true } = product
  const isAvailability = typeof available === 'boolean' || isWholeNumber(available, 0)
  report.expect(isAvailability, `${path}.available`, 'must be true, false or a whole number, at least 0')
  for (const amount of productAmounts) report.expectMoney(product[amount] ?? 0, `${path}.${amount}`)
}

function checkDiscount(discount: DiscountData, path: string, report: Report): void {
  const { code, expires_on, max_uses = 1, uses = 0 } = discount
  reportIssues(Discount.safeParse(discount), path, report)
  report.expect(isId(code) && code.trim() !== '', `${path}.code`, 'must be a string of 1–255 characters')
  report.expectNew('discount', codeKey(code), `${path}.code`)
  report.expect(expires_on === undefined || isDate(expires_on), `${path}.expires_on`, invalidDate)
  report.expect(isWholeNumber(max_uses, 0), `${path}.max_uses`, 'must be a whole number, 0 or more')
  report.expect(isWholeNumber(uses, 0), `${path}.uses`, 'must be a whole number, 0 or more')
  if (discount.discount_type === 'fixed_amount') report.expectMoney(discount.discount_amount, `${path}.discount_amount`)
}

function checkCustomer(customer: CustomerData, path: string, report: Report): void {
  const { email, recommended = [], subscriptions = [] } = customer
  report.expect(CustomerInput.safeParse({ email }).success, `${path}.email`, 'must be an email address')
  report.expectNew('customer', emailKey(email), `${path}.email`)
  recommended.forEach((id, at) => report.expectProduct(id, `${path}.recommended[${at}]`))
  subscriptions.forEach((subscription, at) => checkSubscription(subscription, `${path}.subscriptions[${at}]`, report))
}

function checkSubscription(subscription: SubscriptionData, path: string, report: Report): void {
  const { next_billing_date, cancelled_on, paused, interval, anchor_day = 1, skipped = [] } = subscription
  const { items = [], customer_tax_rate = 0 } = subscription
  report.expect(isId(subscription.id), `${path}.id`, 'must be an id of 1–255 characters')
  report.expectNew('subscription', subscription.id, `${path}.id`)
  const states = [next_billing_date, cancelled_on, paused].filter((each) => each !== undefined)
  const expected = 'must have exactly one of next_billing_date (active), cancelled_on (cancelled) and paused: true'
  report.expect(states.length === 1 && (paused ?? true) === true, path, expected)
  report.expect(next_billing_date === undefined || isDate(next_billing_date), `${path}.next_billing_date`, invalidDate)
  report.expect(cancelled_on === undefined || isDate(cancelled_on), `${path}.cancelled_on`, invalidDate)
  report.expect(isWholeNumber(anchor_day, 1) && anchor_day <= 31, `${path}.anchor_day`, 'must be a day from 1 to 31')
  skipped.forEach((date, at) => report.expect(isDate(date), `${path}.skipped[${at}]`, invalidDate))
  if (interval !== undefined) {
    report.expect(
      ['day', 'week', 'month'].includes(interval.unit),
      `${path}.interval.unit`,
      'must be day, week or month',
    )
    const isValidCount = isWholeNumber(interval.count, 1) && interval.count <= 999
    report.expect(isValidCount, `${path}.interval.count`, 'must be a whole number from 1 to 999')
  }
  const pathOf = (field: string) => `${path}.${field} of subscription ${subscription.id}`
  report.expectMoney(subscription.shipping_total_cost ?? 0, pathOf('shipping_total_cost'))
  report.expectMoney(subscription.order_discount_total ?? 0, pathOf('order_discount_total'))
  report.expect(isTaxRate(customer_tax_rate), pathOf('customer_tax_rate'), taxRateMessage)
  items.forEach((item, at) => checkItem(item, `${path}.items[${at}]`, report))
  checkWireItemIds(items, path, report)
}

/** Reports two items with the same product and kind, because both would have the same `wireItemId`. */
function checkWireItemIds(items: readonly ItemData[], path: string, report: Report): void {
  const ids = items.map(({ product_id, one_time = false }) => wireItemId({ product_id, one_time }))
  ids.forEach((id, at) => {
    const first = ids.indexOf(id)
    report.expect(first === at, `${path}.items[${at}]`, `has the same product and kind as items[${first}]`)
  })
}

function checkItem(item: ItemData, path: string, report: Report): void {
  report.expect(isId(item.id), `${path}.id`, 'must be an id of 1–255 characters')
  report.expectNew('item', item.id, `${path}.id`)
  report.expectProduct(item.product_id, `${path}.product_id`)
  report.expect(isWholeNumber(item.quantity ?? 1, 1), `${path}.quantity`, 'must be a whole number, 1 or more')
  report.expectMoney(item.price ?? 0, `${path}.price`)
}

const invalidDate = 'must be a date that exists, in the form YYYY-MM-DD'

/**
 * Reports data that does not match the response schema, because the integration would reject responses with that data.
 */
function reportIssues(parsed: Parsed, path: string, report: Report): void {
  for (const issue of parsed.error?.issues ?? []) report.expect(false, [path, ...issue.path].join('.'), issue.message)
}

interface Parsed {
  readonly error?:
    | { readonly issues: readonly { readonly path: PropertyKey[]; readonly message: string }[] }
    | undefined
}

/** Returns whether an amount in major units is a whole number of minor units, and small enough for exact sums. */
function isMoney(amount: unknown, digits: number): boolean {
  if (typeof amount !== 'number') return false
  const minor = amount * 10 ** digits
  return minor >= 0 && minor <= largestMinor && Math.abs(minor - Math.round(minor)) < 0.001
}

function describeMoney(digits: number): string {
  const largest = (largestMinor / 10 ** digits).toLocaleString('en-US')
  return `must be an amount from 0 to ${largest} ${digits === 0 ? 'without' : `with at most ${digits}`} decimals`
}

const largestMinor = 100_000_000_000

function isList(value: unknown): boolean {
  return Array.isArray(value)
}

function isWholeNumber(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= 255
}
