import {
  type CatalogueProduct,
  type CustomerAccount,
  type DiscountTerms,
  type DiscountUse,
  isAvailable,
  type OpenAdd,
  type Order,
  type Subscription,
} from '@storeport/rules'
import type { DialectName } from '../db/connections.ts'
import type { ProductDetails, StoredAdd } from '../db/schema.ts'

/** Columns of a subscription that have the same names as the fields. `interval` is stored in two other columns. */
export const subscriptionColumns = [
  ...(['id', 'title', 'status', 'next_billing_date', 'cancelled_on', 'anchor_day', 'skipped'] as const),
  ...(['shipping_minor', 'order_discount_minor', 'tax_rate', 'items', 'declined'] as const),
] satisfies (keyof Subscription)[]
const orderColumns = [
  ...(['id', 'kind', 'subscription_id', 'status', 'placed_on', 'items_minor', 'discount_minor'] as const),
  ...(['shipping_minor', 'tax_minor', 'total_minor', 'lines'] as const),
] satisfies (keyof Order)[]
const productColumns = ['id', 'title', 'price_minor', 'available', 'details']
const discountColumns = ['code', 'kind', 'percentage', 'amount_minor', 'expires_on', 'max_uses', 'uses']
const customerColumns = ['id', 'email', 'last_sent_on', 'last_sent_at', 'last_add', 'pending_charge']
const jsonColumns: ReadonlySet<string> = new Set(['skipped', 'items', 'lines', 'details', 'pending_charge', 'declined'])

/** A row of `customers` and the selected lists. PostgreSQL returns null for a list without rows. */
export interface AccountJson extends Pick<
  CustomerAccount,
  'email' | 'last_sent_on' | 'last_sent_at' | 'pending_charge'
> {
  readonly id: string
  readonly last_add: number
  readonly subscriptions?: readonly SubscriptionJson[] | null
  readonly orders?: readonly OrderJson[] | null
  readonly products?: readonly ProductJson[] | null
  readonly recommended?: readonly ProductJson[] | null
  readonly product?: readonly ProductJson[] | null
  readonly discount?: readonly DiscountJson[] | null
}

/** A subscription with its uses of discount codes and its additions. */
export type SubscriptionJson = readonly [Subscription, readonly DiscountUse[], readonly StoredAdd[]]

/** An order with its uses of discount codes and the number of the addition that created the order. */
export type OrderJson = readonly [Order, readonly DiscountUse[], number | null]

/** A row of `products`. SQLite returns a number for a boolean. */
export interface ProductJson extends Omit<CatalogueProduct, keyof ProductDetails | 'available'> {
  readonly available: boolean | number
  readonly details: ProductDetails
}

/** A row of `discounts`. */
export interface DiscountJson extends Omit<DiscountTerms, 'kind'> {
  readonly percentage: number | null
  readonly amount_minor: number | null
}

/**
 * SQL expressions that return a row as JSON, in the form that the rules use. Most records therefore need no conversion.
 */
export const recordExpressions = {
  sqlite: createExpressions('sqlite'),
  postgres: createExpressions('postgres'),
} as const satisfies Readonly<Record<DialectName, unknown>>

function createExpressions(dialect: DialectName) {
  const [array, object] =
    dialect === 'sqlite' ? ['json_array', 'json_object'] : ['json_build_array', 'json_build_object']
  const json = (column: string) => (dialect === 'sqlite' ? `json(${column})` : column)
  const fields = (table: string, columns: readonly string[]) =>
    columns.map((name) => `'${name}', ${jsonColumns.has(name) ? json(`${table}.${name}`) : `${table}.${name}`}`)
  const objectOf = (table: string, columns: readonly string[], others: readonly string[] = []) =>
    `${object}(${[...fields(table, columns), ...others].join(', ')})`
  const interval = `'interval', ${object}('unit', subscriptions.interval_unit, 'count', subscriptions.interval_count)`
  return {
    /**
     * Returns the expression for a customer with additional fields. `others` contains SQL expressions by field name.
     */
    customer: (others: Readonly<Record<string, string>>) =>
      objectOf(
        'customers',
        customerColumns,
        Object.entries(others).map(([name, expression]) => `'${name}', ${expression}`),
      ),
    subscription: `${array}(${objectOf('subscriptions', subscriptionColumns, [interval])},
      ${json('subscriptions.discount_uses')}, ${json('subscriptions.adds')})`,
    order: `${array}(${objectOf('orders', orderColumns)}, ${json('orders.discount_uses')}, orders.add_number)`,
    product: objectOf('products', productColumns),
    discount: objectOf('discounts', discountColumns),
  }
}

/**
 * Converts a row to a product. Missing keys of `details` count as empty. The integration reports an invalid value with
 * the product's id. With a `max_quantity` that is not a number, nor a number as text, the product is unavailable.
 */
export function toProduct({ id, title, price_minor, available, details }: ProductJson): CatalogueProduct {
  // A row that another program wrote can have any JSON in `details`.
  const { max_quantity, ...fields } = { ...details }
  return {
    ...{ ...fields, id, title, price_minor },
    images: fields.images ?? [],
    compare_at_price_minor: fields.compare_at_price_minor ?? null,
    description: fields.description ?? null,
    available: Boolean(available) && toMaximum(max_quantity),
  }
}

function toMaximum(max_quantity: unknown): boolean | number {
  if ((max_quantity ?? null) === null) return true
  // Another program can write a number as text.
  const maximum = typeof max_quantity === 'string' && max_quantity !== '' ? Number(max_quantity) : max_quantity
  return typeof maximum === 'number' && Number.isFinite(maximum) && maximum
}

/** Converts a product to the columns of its row. */
export function productRow(product: CatalogueProduct) {
  const { id, title, price_minor, available, ...fields } = product
  const details = typeof available === 'number' ? { ...fields, max_quantity: available } : fields
  return { id, title, price_minor, available: isAvailable(product), details }
}

/** Converts a row to a discount. */
export function toDiscount({ percentage, amount_minor, ...limits }: DiscountJson): DiscountTerms {
  if (percentage !== null) return { kind: 'percentage', percentage, ...limits }
  if (amount_minor !== null) return { kind: 'fixed_amount', amount_minor, ...limits }
  throw new Error('Invalid row in discounts: expected a percentage or an amount.')
}

/** Converts a subscription to the columns of its row. */
export function subscriptionRow({ interval, ...columns }: Subscription) {
  return { ...columns, interval_unit: interval.unit, interval_count: interval.count, adds: [], discount_uses: [] }
}

/** An addition with its sequence number among the customer's additions. */
export interface NumberedAdd {
  readonly add: OpenAdd
  readonly number: number
}

/**
 * Returns the additions that can be undone, oldest first. An open order that has an addition number was created by an
 * addition.
 */
export function readAdds(
  subscriptions: readonly SubscriptionJson[],
  orders: readonly OrderJson[],
): readonly NumberedAdd[] {
  const found: NumberedAdd[] = []
  for (const [{ id: subscription_id }, , adds] of subscriptions)
    for (const { number, ...add } of adds) found.push({ number, add: { subscription_id, order_id: null, ...add } })
  for (const [{ id, status, lines }, [use], number] of orders) {
    const [line] = lines
    if (number === null || status !== 'open' || line === undefined) continue
    const { product_id, quantity } = line
    const target = { subscription_id: null, item_id: null, order_id: id }
    found.push({ number, add: { id, product_id, quantity, ...target, discount_use_id: use?.id ?? null } })
  }
  return found.toSorted((one, other) => one.number - other.number)
}

/** Converts an addition to the form in which the row of its subscription stores it. */
export function toStoredAdd(add: OpenAdd, number: number): StoredAdd {
  const { id, product_id, quantity, item_id, discount_use_id } = add
  return { id, product_id, quantity, item_id, discount_use_id, number }
}
