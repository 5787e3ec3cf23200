import type { JsonRow } from '../columns.ts'
import { type JsonExpression, jsonStatement, type JsonWriter, type ValueOf } from '../db/json-expression.ts'
import { writeDiscount, writeProduct } from './catalogue.ts'

/** The parts of an account, and what a call names besides it; of the orders only those that are open. */
export type AccountPart = keyof Parts

/** What the statement gives: the customer, and the parts that were asked for. */
export type AccountRow<Part extends AccountPart> = Omit<JsonRow<'customers'>, (typeof notRead)[number]> & {
  readonly [Name in Part]: ValueOf<Parts[Name]>
}

/**
 * One statement that reads what a rule may ask about a customer: a single look at one moment, and a single trip to the
 * server. Parameters: the email's key; for `product` and `discount`, the id of a product or null, a discount's key or null.
 */
export function accountStatement<Part extends AccountPart>(
  writer: JsonWriter,
  parts: readonly Part[],
): JsonExpression<AccountRow<Part>> {
  const all = writeParts(writer)
  const chosen = Object.fromEntries(parts.map((part) => [part, all[part]]))
  const { sql } = writer.row('customers', notRead, chosen)
  return jsonStatement({ sql, parse: JSON.parse }, `from customers where customers.email_key = ${writer.parameter(1)}`)
}

/** Columns of a customer that no rule uses. */
const notRead = ['email_key', 'version'] as const

type Parts = ReturnType<typeof writeParts>

function writeParts(writer: JsonWriter) {
  const { row, list, parameter } = writer
  const product = writeProduct(writer)
  const items = list(
    row('items', ['subscription_id'], { product }),
    'items.position',
    'from items join products on products.id = items.product_id where items.subscription_id = subscriptions.id',
  )
  const usesWhere = (condition: string) =>
    list(row('discount_uses', [], {}), 'discount_uses.id', `from discount_uses where ${condition}`)
  const subscriptions = list(
    row('subscriptions', ['customer_id'], {
      items,
      discount_uses: usesWhere('discount_uses.subscription_id = subscriptions.id'),
    }),
    'subscriptions.id',
    'from subscriptions where subscriptions.customer_id = customers.id',
  )
  const lines = list(
    row('order_lines', ['order_id', 'position'], {}),
    'order_lines.position',
    'from order_lines where order_lines.order_id = orders.id',
  )
  const orders = list(
    row('orders', ['number', 'customer_id'], {
      lines,
      discount_uses: usesWhere('discount_uses.order_id = orders.id'),
    }),
    'orders.number',
    `from orders where orders.customer_id = customers.id and orders.status = 'open'`,
  )
  const adds = list(
    row('open_adds', ['customer_id'], {}),
    'open_adds.position',
    'from open_adds where open_adds.customer_id = customers.id',
  )
  const recommended = list(
    product,
    'recommendations.rank',
    `from recommendations join products on products.id = recommendations.product_id
      where recommendations.customer_id = customers.id`,
  )
  const named = list(product, 'products.id', `from products where products.id = cast(${parameter(2)} as text)`)
  const discount = list(
    writeDiscount(writer),
    'discounts.code',
    `from discounts where discounts.code_key = cast(${parameter(3)} as text)`,
  )

  return { recommended, subscriptions, orders, adds, product: named, discount }
}
