import type { DialectName } from '../db/connections.ts'

/** The parts of an account, and what a call names beside it. */
export type AccountPart = 'recommended' | 'subscriptions' | 'open_orders' | 'adds' | 'named' | 'discounts'

/**
 * One statement that reads what a rule may ask about a customer: a single look at one moment, and a single trip to the
 * server. Parameters: the email's key; for `named` and `discounts`, the id of a product or null, a discount's key or null.
 */
export function accountStatement(dialect: DialectName, parts: readonly AccountPart[]): string {
  const { object, parameter } = wordsOf[dialect]
  const all = allParts(dialect)
  const chosen = Object.fromEntries(parts.map((part) => [part, all[part]]))
  const account = object('customers', ['id', 'email', 'last_sent_on'], chosen)
  return `select cast(${account} as text) as account from customers where customers.email_key = ${parameter(1)}`
}

function allParts(dialect: DialectName): Readonly<Record<AccountPart, string>> {
  const { object, list, array, parameter } = wordsOf[dialect]

  const product = object(
    'products',
    ['id', 'title', 'price_minor', 'compare_at_price_minor', 'description', 'available'],
    { images: array('products.images') },
  )
  const items = list(
    object('items', ['id', 'product_id', 'quantity', 'price_minor', 'one_time', 'position'], { product }),
    'items.position',
    'from items join products on products.id = items.product_id where items.subscription_id = subscriptions.id',
  )
  const usesWhere = (condition: string) =>
    list(
      object('discount_uses', [
        ...['id', 'code', 'subscription_id', 'item_id', 'order_id', 'used_on', 'kind', 'amount_minor'],
      ]),
      'discount_uses.id',
      `from discount_uses where ${condition}`,
    )
  const subscriptions = list(
    object(
      'subscriptions',
      [
        ...['id', 'title', 'interval_unit', 'interval_count', 'status', 'next_billing_date', 'cancelled_on'],
        ...['shipping_minor', 'order_discount_minor', 'tax_rate'],
      ],
      { items, discount_uses: usesWhere('discount_uses.subscription_id = subscriptions.id') },
    ),
    'subscriptions.id',
    'from subscriptions where subscriptions.customer_id = customers.id',
  )
  const lines = list(
    object('order_lines', ['product_id', 'title', 'quantity', 'price_minor', 'one_time']),
    'order_lines.position',
    'from order_lines where order_lines.order_id = orders.id',
  )
  const openOrders = list(
    object(
      'orders',
      [
        ...['id', 'kind', 'subscription_id', 'status', 'placed_on'],
        ...['items_minor', 'discount_minor', 'shipping_minor', 'tax_minor', 'total_minor'],
      ],
      { lines, discount_uses: usesWhere('discount_uses.order_id = orders.id') },
    ),
    'orders.number',
    `from orders where orders.customer_id = customers.id and orders.status = 'open'`,
  )
  const adds = list(
    object('open_adds', [
      ...['id', 'product_id', 'quantity', 'subscription_id', 'item_id', 'order_id', 'discount_use_id', 'position'],
    ]),
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
  const discounts = list(
    object('discounts', ['code', 'kind', 'percentage', 'amount_minor', 'expires_on', 'max_uses', 'uses']),
    'discounts.code',
    `from discounts where discounts.code_key = cast(${parameter(3)} as text)`,
  )

  return { recommended, subscriptions, open_orders: openOrders, adds, named, discounts }
}

interface Words {
  /** An object of columns of a table, and of other values by name. */
  object(table: string, columns: readonly string[], others?: Readonly<Record<string, string>>): string
  /** The list of a value over some rows, in an order; empty when there are none. */
  list(value: string, order: string, from: string): string
  /** A column that holds a JSON array. */
  array(column: string): string
  /** The place of a parameter. */
  parameter(number: number): string
}

const wordsOf: Readonly<Record<DialectName, Words>> = {
  sqlite: {
    object: (table, columns, others) => `json_object(${pairs(table, columns, others)})`,
    list: (value, order, from) => `json((select json_group_array(${value} order by ${order}) ${from}))`,
    array: (column) => `json(${column})`,
    parameter: (number) => `?${number}`,
  },
  postgres: {
    object: (table, columns, others) => `json_build_object(${pairs(table, columns, others)})`,
    list: (value, order, from) => `(select coalesce(json_agg(${value} order by ${order}), '[]') ${from})`,
    array: (column) => column,
    parameter: (number) => `$${number}`,
  },
}

function pairs(table: string, columns: readonly string[], others: Readonly<Record<string, string>> = {}): string {
  const own = columns.map((column) => `'${column}', ${table}.${column}`)
  return [...own, ...Object.entries(others).map(([name, value]) => `'${name}', ${value}`)].join(', ')
}
