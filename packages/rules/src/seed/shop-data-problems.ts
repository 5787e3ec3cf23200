import { CustomerInput, Discount, isDate, isTaxRate, Product, taxRateMessage } from '@storeport/core'
import { codeKey, emailKey, imageUrl, productAmounts } from '../shop/shop.ts'
import { productIdProblem, wireItemId } from '../account/subscriptions.ts'
import type { CustomerData, DiscountData, ItemData, ProductData, ShopData, SubscriptionData } from './shop-data.ts'

/** Returns one line without emails for each problem in a shop's data. Amounts have at most `moneyDigits` decimals. */
export function shopDataProblems(data: ShopData, moneyDigits: number): readonly string[] {
  const { products = [], customers, discounts, actions } = data
  const productIds = Array.isArray(products) ? products.map((product: ProductData | null) => product?.id) : []
  const report = createReport(new Set(productIds), moneyDigits)
  checkRows(products, 'products', report, checkProduct)
  checkRows(discounts, 'discounts', report, checkDiscount)
  checkRows(customers, 'customers', report, checkCustomer)
  checkEach(actions, 'actions', report, checkId)
  return report.problems
}

type Check<Element> = (element: Element, path: string, report: Report) => void

/** Checks each element of a list. Data that was read from JSON can have another value instead of the list. */
function checkEach<Element>(list: readonly Element[] = [], path: string, report: Report, check: Check<Element>): void {
  if (Array.isArray(list)) list.forEach((element: Element, at) => check(element, `${path}[${at}]`, report))
  else report.expect(false, path, 'must be a list')
}

/** Checks each row of a list, as in `checkEach`. */
function checkRows<Row extends object>(
  list: readonly Row[] | undefined,
  path: string,
  report: Report,
  check: Check<Row>,
): void {
  checkEach<Row | null>(list, path, report, (row, place) => {
    if (typeof row === 'object' && row !== null) check(row, place, report)
    else report.expect(false, place, 'must be an object')
  })
}

type Report = ReturnType<typeof createReport>

function createReport(productIds: ReadonlySet<string | undefined>, moneyDigits: number) {
  const problems: string[] = []
  const seen = new Map<string, string>()
  const expect = (isValid: boolean, path: string, message: string) => {
    if (!isValid) problems.push(`${path}: ${message}`)
  }
  return {
    problems,
    expect,
    /** Reports a problem if another record of the same kind has the same key. */
    expectNew: (kind: string, key: string, path: string) => {
      const first = seen.get(`${kind} ${key}`)
      expect(first === undefined, path, `is the same as ${first}`)
      if (first === undefined) seen.set(`${kind} ${key}`, path)
    },
    expectProduct: (id: string, path: string) =>
      expect(productIds.has(id), path, `no product has the id ${JSON.stringify(id)}`),
    /** Reports a problem unless an amount in major units is a whole number of minor units and within the limit. */
    expectMoney: (amount: number, path: string) =>
      expect(isMoney(amount, moneyDigits), path, describeMoney(moneyDigits)),
  }
}

function checkProduct(product: ProductData, path: string, report: Report): void {
  const images = Array.isArray(product.images)
    ? product.images.map((image) => imageUrl(image, 'https://shop.example'))
    : product.images
  reportIssues(Product.safeParse({ ...product, images }).error?.issues, path, report)
  report.expectNew('product', product.id, `${path}.id`)
  const idProblem = productIdProblem(String(product.id))
  report.expect(idProblem === undefined, `${path}.id`, idProblem ?? '')
  const { available = true } = product
  const isAvailability = typeof available === 'boolean' || isWholeNumber(available, 0)
  report.expect(isAvailability, `${path}.available`, 'must be true, false or a whole number, at least 0')
  for (const amount of productAmounts) report.expectMoney(product[amount] ?? 0, `${path}.${amount}`)
}

function checkDiscount(discount: DiscountData, path: string, report: Report): void {
  const { code, expires_on, max_uses = 1, uses = 0 } = discount
  reportIssues(Discount.safeParse(discount).error?.issues, path, report)
  report.expect(isId(code) && code.trim() !== '', `${path}.code`, `must be a string of ${idCharacters}`)
  report.expectNew('discount', codeKey(String(code)), `${path}.code`)
  report.expect(expires_on === undefined || isDate(expires_on), `${path}.expires_on`, invalidDate)
  report.expect(isWholeNumber(max_uses, 0), `${path}.max_uses`, 'must be a whole number, 0 or more')
  report.expect(isWholeNumber(uses, 0), `${path}.uses`, 'must be a whole number, 0 or more')
  if (discount.discount_type === 'fixed_amount') report.expectMoney(discount.discount_amount, `${path}.discount_amount`)
}

function checkCustomer(customer: CustomerData, path: string, report: Report): void {
  const { email, recommended, subscriptions } = customer
  report.expect(CustomerInput.safeParse({ email }).success, `${path}.email`, 'must be an email address')
  report.expectNew('customer', emailKey(String(email)), `${path}.email`)
  checkEach(recommended, `${path}.recommended`, report, report.expectProduct)
  checkRows(subscriptions, `${path}.subscriptions`, report, checkSubscription)
}

function checkSubscription(subscription: SubscriptionData, path: string, report: Report): void {
  const { title, next_billing_date, cancelled_on, paused, interval, anchor_day = 1, skipped } = subscription
  const { items, customer_tax_rate = 0 } = subscription
  checkId(subscription.id, `${path}.id`, report)
  report.expectNew('subscription', subscription.id, `${path}.id`)
  const isTitle = title === undefined || (typeof title === 'string' && title !== '')
  report.expect(isTitle, `${path}.title`, 'must be a string that is not empty')
  const states = [next_billing_date, cancelled_on, paused].filter((each) => each !== undefined)
  const expected = 'must have exactly one of next_billing_date (active), cancelled_on (cancelled) and paused: true'
  report.expect(states.length === 1 && (paused ?? true) === true, path, expected)
  report.expect(next_billing_date === undefined || isDate(next_billing_date), `${path}.next_billing_date`, invalidDate)
  report.expect(cancelled_on === undefined || isDate(cancelled_on), `${path}.cancelled_on`, invalidDate)
  report.expect(isWholeNumber(anchor_day, 1) && anchor_day <= 31, `${path}.anchor_day`, 'must be a day from 1 to 31')
  checkEach(skipped, `${path}.skipped`, report, (date, place) => report.expect(isDate(date), place, invalidDate))
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
  // Two items with the same product and kind would have the same `wireItemId`.
  const wireIds: string[] = []
  checkRows(items, `${path}.items`, report, (item, place) => {
    checkItem(item, place, report)
    const { product_id, one_time = false } = item
    const first = wireIds.indexOf(wireItemId({ product_id, one_time }))
    report.expect(first === -1, place, `has the same product and kind as items[${first}]`)
    wireIds.push(wireItemId({ product_id, one_time }))
  })
}

function checkItem(item: ItemData, path: string, report: Report): void {
  const { one_time = false } = item
  checkId(item.id, `${path}.id`, report)
  report.expectNew('item', item.id, `${path}.id`)
  report.expectProduct(item.product_id, `${path}.product_id`)
  report.expect(isWholeNumber(item.quantity ?? 1, 1), `${path}.quantity`, 'must be a whole number, 1 or more')
  report.expectMoney(item.price ?? 0, `${path}.price`)
  report.expect(typeof one_time === 'boolean', `${path}.one_time`, 'must be true or false')
}

const invalidDate = 'must be a date that exists, in the form YYYY-MM-DD'

/**
 * Reports data that does not match the response schema, because the integration would reject responses with that data.
 */
function reportIssues(
  issues: readonly { readonly path: PropertyKey[]; readonly message: string }[] | undefined,
  path: string,
  report: Report,
): void {
  for (const issue of issues ?? []) report.expect(false, [path, ...issue.path].join('.'), issue.message)
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

function isWholeNumber(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least
}

const idCharacters = '1–255 characters, without control characters'

function checkId(id: unknown, path: string, report: Report): void {
  report.expect(isId(id), path, `must be an id of ${idCharacters}`)
}

/** Returns whether requests can name a value: the integration rejects control characters and half surrogates. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= 255 && !/[\p{Cc}\p{Cs}]/u.test(value)
}
