import {
  type CatalogueProduct,
  type DiscountTerms,
  type DiscountUse,
  isAvailable,
  type Item,
  type OpenAdd,
  type Order,
  type OrderLine,
  type Subscription,
} from '@storeport/rules'
import type { ProductDetails, StoredAdd } from '../db/schema.ts'
import { parseJson } from '../db/writes.ts'

/** Value of a JSON column. The PostgreSQL driver returns a parsed value, and SQLite returns a string. */
type JsonText<Value> = Value | string

/** A row in the table `products`. */
export type ProductRow = Omit<CatalogueProduct, keyof ProductDetails | 'available'> & {
  readonly available: boolean | number
  readonly details: JsonText<ProductDetails>
}

/** A row in the table `discounts`. */
export type DiscountRow = Omit<DiscountTerms, 'kind' | 'percentage' | 'amount_minor'> & {
  readonly percentage: number | null
  readonly amount_minor: number | null
}

/** A row in the table `subscriptions`. */
export interface SubscriptionRow extends Omit<
  Subscription,
  'interval' | 'items' | 'skipped' | 'status' | 'next_billing_date' | 'cancelled_on'
> {
  readonly interval_unit: Subscription['interval']['unit']
  readonly interval_count: number
  readonly status: Subscription['status']
  readonly next_billing_date: string | null
  readonly cancelled_on: string | null
  readonly skipped: JsonText<readonly string[]>
  readonly items: JsonText<readonly Item[]>
  readonly adds: JsonText<readonly StoredAdd[]>
  readonly discount_uses: JsonText<readonly DiscountUse[]>
}

/** A row in the table `orders`. */
export interface OrderRow extends Omit<Order, 'lines'> {
  readonly lines: JsonText<readonly OrderLine[]>
  readonly discount_uses: JsonText<readonly DiscountUse[]>
  readonly add_number: number | null
}

/** An addition with its sequence number among the customer's additions. */
export interface NumberedAdd {
  readonly add: OpenAdd
  readonly number: number
}

/** Returns the column names of a row. The parameter type ensures that no column is missing. */
function columnsOf<Row>(columns: Readonly<Record<keyof Row, true>>): readonly string[] {
  return Object.keys(columns)
}

/** Columns of a product. */
export const productColumns = columnsOf<ProductRow>({
  id: true,
  title: true,
  price_minor: true,
  available: true,
  details: true,
})

/** Columns of a discount code. */
export const discountColumns = columnsOf<DiscountRow>({
  code: true,
  percentage: true,
  amount_minor: true,
  expires_on: true,
  max_uses: true,
  uses: true,
})

/** Subscription columns that the rules use. */
export const subscriptionColumns = columnsOf<SubscriptionRow>({
  id: true,
  title: true,
  interval_unit: true,
  interval_count: true,
  status: true,
  next_billing_date: true,
  cancelled_on: true,
  anchor_day: true,
  skipped: true,
  shipping_minor: true,
  order_discount_minor: true,
  tax_rate: true,
  items: true,
  adds: true,
  discount_uses: true,
})

/** Order columns that the rules use. */
export const orderColumns = columnsOf<OrderRow>({
  id: true,
  kind: true,
  subscription_id: true,
  status: true,
  placed_on: true,
  items_minor: true,
  discount_minor: true,
  shipping_minor: true,
  tax_minor: true,
  total_minor: true,
  lines: true,
  discount_uses: true,
  add_number: true,
})

/** Converts a row to a product. */
export function toProduct({ details, available, ...product }: ProductRow): CatalogueProduct {
  const { max_quantity = true, ...fields } = parseJson(details)
  return { ...product, ...fields, available: Boolean(available) && max_quantity }
}

/** Converts a product to the columns of its row. */
export function productRow(product: CatalogueProduct) {
  const { id, title, price_minor, available, ...fields } = product
  const details = typeof available === 'number' ? { ...fields, max_quantity: available } : fields
  return { id, title, price_minor, available: isAvailable(product), details }
}

/** Converts a row to a discount. */
export function toDiscount({ percentage, amount_minor, ...limits }: DiscountRow): DiscountTerms {
  if (percentage !== null) return { ...limits, kind: 'percentage', percentage }
  if (amount_minor !== null) return { ...limits, kind: 'fixed_amount', amount_minor }
  throw new Error('Invalid row in discounts: expected a percentage or an amount.')
}

/** Converts a row to a subscription. */
export function toSubscription(row: SubscriptionRow): Subscription {
  const { interval_unit, interval_count, items, skipped, adds: _, discount_uses: __, ...columns } = row
  const interval = { unit: interval_unit, count: interval_count }
  return { ...columns, ...stateOf(row), interval, items: parseJson(items), skipped: parseJson(skipped) }
}

function stateOf({ next_billing_date, cancelled_on }: SubscriptionRow) {
  if (next_billing_date !== null) return { status: 'active', next_billing_date, cancelled_on: null } as const
  if (cancelled_on !== null) return { status: 'cancelled', next_billing_date: null, cancelled_on } as const
  throw new Error('Invalid row in subscriptions: expected next_billing_date or cancelled_on.')
}

/** Converts a subscription to the columns of its row. */
export function subscriptionRow(
  { interval, ...columns }: Subscription,
  adds: readonly NumberedAdd[] = [],
  discount_uses: readonly DiscountUse[] = [],
) {
  const { unit: interval_unit, count: interval_count } = interval
  return { ...columns, interval_unit, interval_count, adds: adds.map(toStoredAdd), discount_uses }
}

function toStoredAdd({ add: { subscription_id: _, order_id: __, ...add }, number }: NumberedAdd): StoredAdd {
  return { ...add, number }
}

/** Returns the additions that are stored in a subscription's row. */
export function addsOfSubscription({ id: subscription_id, adds }: SubscriptionRow): readonly NumberedAdd[] {
  return parseJson(adds).map(({ number, ...add }) => ({ number, add: { ...add, subscription_id, order_id: null } }))
}

/** Converts a row to an order. */
export function toOrder({ discount_uses: _, add_number: __, lines, ...order }: OrderRow): Order {
  return { ...order, lines: parseJson(lines) }
}

/** Returns the addition that created an open order, as a list. For any other order, the list is empty. */
export function addsOfOrder(row: OrderRow): readonly NumberedAdd[] {
  const { id, status, add_number: number } = row
  const [line] = parseJson(row.lines)
  if (number === null || status !== 'open' || line === undefined) return []
  const [use] = parseJson(row.discount_uses)
  const { product_id, quantity } = line
  const add = { product_id, quantity, subscription_id: null, item_id: null, order_id: id }
  return [{ number, add: { id, ...add, discount_use_id: use?.id ?? null } }]
}
