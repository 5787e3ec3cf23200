import { isDate, isTaxRate, taxRateMessage } from '@storeport/core'
import type { CatalogueProduct, DiscountTerms, DiscountWorth, Shop } from '../shop/shop.ts'
import type { ActiveSubscription, CustomerAccount, DiscountUse, Order, Subscription } from './customer-account.ts'

/** The records of an account that an operation uses. By default, all active subscriptions and all other records. */
interface UsedRecords {
  readonly uses?: readonly (keyof CustomerAccount | 'products')[]
  /** Selects the subscriptions whose contents and costs are used. */
  readonly select?: (active: readonly ActiveSubscription[]) => readonly Subscription[]
}

/**
 * Checks the parts of a loaded account that operations use: its active subscriptions and open orders. Throws TypeError
 * with the kind of the record, its id and the field.
 *
 * TypeScript cannot check database rows: a driver may return a `Date` for a date, or a string for a number. A broken row
 * of a cancelled or paused subscription, or of an old order, must not fail an operation that does not use it.
 */
export function checkAccount(account: Partial<CustomerAccount>, used: UsedRecords = {}): void {
  const { uses = ['adds', 'discount_uses', 'orders'], select = (active) => active } = used
  for (const [field, value] of Object.entries(account)) {
    if (lists.has(field) && !Array.isArray(value)) throw new TypeError(`account: ${field} must be a list`)
  }
  // The date of each active subscription decides which one is current.
  checkEach('subscription', account.subscriptions, findScheduleProblem)
  const selected = select(account.subscriptions?.filter(isActive) ?? [])
  checkEach('subscription', selected, findValueProblem)
  checkEach(
    'subscription_item',
    selected.flatMap(({ items }) => items),
    findItemProblem,
  )
  if (uses.includes('adds')) checkEach('add', account.adds, ({ quantity }) => integerProblem({ quantity }, 1))
  if (uses.includes('discount_uses')) checkEach('discount_use', account.discount_uses, findUseProblem)
  if (uses.includes('orders'))
    checkEach(
      'order',
      account.orders?.filter(({ status }) => status === 'open'),
      findOrderProblem,
    )
}

/** Checks a subscription that an operation uses, and its items. Throws TypeError like `checkAccount`. */
export function checkSubscription(subscription: Subscription): void {
  checkOne('subscription', subscription, (each) => scheduleProblem(each) ?? findValueProblem(each))
  checkEach('subscription_item', subscription.items, findItemProblem)
}

function isActive(subscription: Subscription): subscription is ActiveSubscription {
  return subscription.status === 'active'
}

/**
 * Returns the same shop, but with functions that throw TypeError for an invalid product or discount code, and treat null
 * as absent. A read uses `checksProducts: false`, because the integration leaves invalid products out of its response.
 */
export function checkShop(shop: Shop, { checksProducts }: { readonly checksProducts: boolean }): Shop {
  return {
    ...shop,
    product: (id) =>
      checkOne('product', shop.product(id) ?? undefined, checksProducts ? findProductProblem : () => undefined),
    discount: (code) => checkOne('discount', shop.discount(code) ?? undefined, findDiscountProblem),
  }
}

const lists = new Set(['subscriptions', 'adds', 'discount_uses', 'orders', 'recommended'])

/** Throws for the first record that has a problem, an id that is not a string, or a duplicate id. */
function checkEach<Element extends { readonly id: string }>(
  kind: string,
  list: readonly Element[] = [],
  findProblem: (element: Element) => string | undefined,
): void {
  const ids = new Set<unknown>()
  for (const element of list) {
    const { id } = element
    const problem = ids.has(id) ? 'id must be unique' : (idProblem(id) ?? findProblem(element))
    if (problem !== undefined) throw new TypeError(`${kind} ${String(id)}: ${problem}`)
    ids.add(id)
  }
}

/** Throws if the record has a problem, and otherwise returns it. */
function checkOne<Element extends { readonly id?: string; readonly code?: string }>(
  kind: string,
  element: Element | undefined,
  findProblem: (element: Element) => string | undefined,
): Element | undefined {
  const problem = element && findProblem(element)
  if (problem !== undefined) throw new TypeError(`${kind} ${element?.id ?? element?.code}: ${problem}`)
  return element
}

/** Checks the fields that a change uses. The integration leaves out invalid products in responses. */
function findProductProblem({ title, price_minor }: CatalogueProduct): string | undefined {
  return (typeof title === 'string' ? undefined : 'title must be a string') ?? integerProblem({ price_minor })
}

function findDiscountProblem(terms: DiscountTerms): string | undefined {
  const { code, expires_on, max_uses, uses } = terms
  return (
    idProblem(code, 'code') ??
    worthProblem(terms) ??
    orNull(expires_on, dateProblem('expires_on', expires_on, true)) ??
    orNull(max_uses, integerProblem({ max_uses })) ??
    integerProblem({ uses })
  )
}

function findUseProblem(use: DiscountUse): string | undefined {
  const { code, items } = use
  return (
    idProblem(code, 'code') ??
    worthProblem(use) ??
    listProblem({ items }) ??
    items
      .map(({ quantity }) => integerProblem({ 'items.quantity': quantity }, 1))
      .find((problem) => problem !== undefined)
  )
}

function worthProblem(worth: DiscountWorth): string | undefined {
  if (worth.kind === 'fixed_amount') return integerProblem({ amount_minor: worth.amount_minor })
  const { kind, percentage } = worth
  if (kind !== 'percentage') return 'kind must be percentage or fixed_amount'
  return typeof percentage === 'number' && percentage > 0 && percentage <= 100
    ? undefined
    : 'percentage must be a number above 0 and at most 100'
}

function idProblem(id: unknown, field = 'id'): string | undefined {
  return typeof id === 'string' && id !== '' ? undefined : `${field} must be a string that is not empty`
}

function findScheduleProblem(subscription: Subscription): string | undefined {
  if (isActive(subscription)) return scheduleProblem(subscription)
  const isKnown = ['cancelled', 'paused'].includes(subscription.status)
  return isKnown ? undefined : 'status must be active, cancelled or paused'
}

function scheduleProblem(subscription: Subscription): string | undefined {
  const { interval, anchor_day, items, skipped } = subscription
  // Spreads `interval`, because an incorrect mapping can set it to null, and spreading null does not throw.
  const { unit, count } = { ...interval }
  return (
    listProblem({ items, skipped }) ??
    stateProblem(subscription) ??
    (['day', 'week', 'month'].includes(unit) ? undefined : 'interval.unit must be day, week or month') ??
    integerProblem({ 'interval.count': count }, 1) ??
    orNull(anchor_day, integerProblem({ anchor_day }, 1))
  )
}

function findValueProblem({ shipping_minor, order_discount_minor, tax_rate, items }: Subscription): string | undefined {
  return (
    integerProblem({ shipping_minor, order_discount_minor }) ?? taxRateProblem(tax_rate) ?? repeatedItemProblem(items)
  )
}

function taxRateProblem(rate: unknown): string | undefined {
  return isTaxRate(rate) ? undefined : `tax_rate ${taxRateMessage}`
}

/** Returns a problem if the dates do not match the status. */
function stateProblem({ status, next_billing_date, cancelled_on, skipped }: Subscription): string | undefined {
  return (
    dateProblem('next_billing_date', next_billing_date, status === 'active') ??
    dateProblem('cancelled_on', cancelled_on, status === 'cancelled') ??
    skipped.map((date) => dateProblem('skipped', date, true)).find((problem) => problem !== undefined)
  )
}

function dateProblem(field: string, value: unknown, isRequired: boolean): string | undefined {
  if (!isRequired) return value === null ? undefined : `${field} must be null for this status`
  return typeof value === 'string' && isDate(value) ? undefined : `${field} must be a date in the form YYYY-MM-DD`
}

function repeatedItemProblem(items: Subscription['items']): string | undefined {
  const repeated = items.find(
    ({ product_id, one_time }, index) =>
      items.findIndex((each) => each.product_id === product_id && each.one_time === one_time) < index,
  )
  return (
    repeated &&
    `items must have at most one ${repeated.one_time ? 'one-time' : 'recurring'} item of ${repeated.product_id}`
  )
}

function findItemProblem(item: Subscription['items'][number]): string | undefined {
  const isFlag = typeof item.one_time === 'boolean'
  return (
    findLineProblem(item) ??
    idProblem(item.product_id, 'product_id') ??
    (isFlag ? undefined : 'one_time must be true or false')
  )
}

function findLineProblem({ quantity, price_minor }: Pick<Subscription['items'][number], 'quantity' | 'price_minor'>) {
  // Platforms allow items without units. Orders and responses omit them.
  return integerProblem({ quantity, price_minor })
}

function findOrderProblem({ lines, items_minor, discount_minor, shipping_minor, tax_minor, total_minor }: Order) {
  return (
    listProblem({ lines }) ??
    integerProblem({ items_minor, discount_minor, shipping_minor, tax_minor, total_minor }) ??
    lines.map((line) => findLineProblem(line)).find((problem) => problem !== undefined)
  )
}

function listProblem(fields: Readonly<Record<string, unknown>>): string | undefined {
  for (const field in fields) if (!Array.isArray(fields[field])) return `${field} must be a list`
  return undefined
}

/** Returns the problem of a value that can also be null. */
function orNull(value: unknown, problem: string | undefined): string | undefined {
  return value === null || problem === undefined ? undefined : `${problem}, or null`
}

/** Returns a problem for the first field that is not an integer of at least `minimum`. */
function integerProblem(fields: Readonly<Record<string, unknown>>, minimum = 0): string | undefined {
  for (const field in fields) {
    const value = fields[field]
    const isValid = typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum
    if (!isValid) return `${field} must be an integer of at least ${minimum}`
  }
  return undefined
}
