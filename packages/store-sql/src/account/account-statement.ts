import type { AccountPart, Order, Subscription, SubscriptionNeed } from '@storeport/rules'
import type { DialectName } from '../db/connections.ts'

/**
 * The data of an account that a rule requires. Pass the same object in every call, because the object is the cache key
 * for the SQL.
 */
export interface AccountNeeds {
  /** Required parts. */
  readonly uses: readonly AccountPart[] | 'all'
  /** Required subscriptions. Ignored unless `uses` includes subscriptions. The id of a `named` one is the last parameter. */
  readonly subscriptions: readonly SubscriptionNeed[] | 'all'
}

/** What a statement selects for a request. */
interface Selection {
  /** Whether to select the product of the request, whose id is the second parameter. */
  readonly product: boolean
  /** Whether to select the request's discount. Its code key is the parameter after the email key and the product id. */
  readonly discount: boolean
  /** Whether to select the customer's clicks and the time. */
  readonly clicks: boolean
}

/** Columns of an order that have the same names as the fields. */
export const orderColumns = [
  ...(['id', 'kind', 'subscription_id', 'status', 'placed_on', 'items_minor', 'discount_minor'] as const),
  ...(['shipping_minor', 'tax_minor', 'total_minor', 'lines'] as const),
] satisfies (keyof Order)[]
/** Columns of a subscription that have the same names as the fields. `interval` is stored in two other columns. */
export const subscriptionColumns = [
  ...['id', 'title', 'status', 'next_billing_date', 'cancelled_on', 'anchor_day', 'skipped'],
  ...['shipping_minor', 'order_discount_minor', 'tax_rate', 'items', 'declined'],
] as const satisfies readonly (keyof Subscription)[]
const customerColumns = ['id', 'email', 'last_sent_on', 'last_sent_at', 'last_add', 'version', 'pending_charge']
const jsonColumns: ReadonlySet<string> = new Set(['skipped', 'items', 'lines', 'details', 'pending_charge', 'declined'])

/** SQL syntax that differs between the dialects. */
const syntax = {
  sqlite: {
    array: 'json_array',
    object: 'json_object',
    json: (column: string) => `json(${column})`,
    list: (value: string, from: string, sequence?: string) =>
      `(select json_group_array(${value}${orderBy(sequence)}) ${from})`,
    // Compares `email`, which has a covering index. SQLite never uses an index on `email_key` as a covering index.
    hasEmail: 'customers.email = $1 collate nocase',
    isAmong: (value: string, statement: string) => `${value} in (${statement})`,
    eachItem: 'json_each(subscriptions.items)',
    eachRecommended: 'json_each(customers.recommended) as wished',
    // All processes that share a SQLite file run on one machine, so they use the clock of the process.
    clock: 'null',
  },
  postgres: {
    array: 'json_build_array',
    object: 'json_build_object',
    json: (column: string) => column,
    list: (value: string, from: string, sequence?: string) => `(select json_agg(${value}${orderBy(sequence)}) ${from})`,
    hasEmail: 'customers.email_key = $1',
    // Avoids `in`, which PostgreSQL plans as a join that may run the subquery for each row.
    isAmong: (value: string, statement: string) => `${value} = any(array(${statement}))`,
    eachItem: 'jsonb_array_elements(subscriptions.items)',
    eachRecommended: 'jsonb_array_elements_text(customers.recommended) with ordinality as wished (value, key)',
    /** Time in milliseconds since 1970, after the lock of the customer. */
    clock: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
  },
} as const

function orderBy(sequence: string | undefined): string {
  return sequence === undefined ? '' : ` order by ${sequence}`
}

/** SQL expressions for rows as JSON, in the form that the rules use. Most records therefore need no conversion. */
const expressions = {
  sqlite: createExpressions('sqlite'),
  postgres: createExpressions('postgres'),
} as const satisfies Readonly<Record<DialectName, unknown>>

function createExpressions(dialect: DialectName) {
  const { array, object, json } = syntax[dialect]
  const fields = (table: string, columns: readonly string[]) =>
    columns.map((name) => `'${name}', ${jsonColumns.has(name) ? json(`${table}.${name}`) : `${table}.${name}`}`)
  const objectOf = (table: string, columns: readonly string[], others: readonly string[] = []) =>
    `${object}(${[...fields(table, columns), ...others].join(', ')})`
  const interval = `'interval', ${object}('unit', subscriptions.interval_unit, 'count', subscriptions.interval_count)`
  return {
    customer: (lists: readonly string[]) => objectOf('customers', customerColumns, lists),
    subscription: `${array}(${objectOf('subscriptions', subscriptionColumns, [interval])},
      ${json('subscriptions.discount_uses')}, ${json('subscriptions.adds')})`,
    order: `${array}(${objectOf('orders', orderColumns)}, ${json('orders.discount_uses')}, orders.add_number)`,
    product: objectOf('products', ['id', 'title', 'price_minor', 'available', 'details']),
    discount: objectOf('discounts', ['code', 'kind', 'percentage', 'amount_minor', 'expires_on', 'max_uses', 'uses']),
  }
}

/** Conditions for the subscriptions of the customer. */
const findSubscriptions: Readonly<Record<SubscriptionNeed, (named: string) => string>> = {
  // Must include the subscription that `soonest` from `@storeport/rules` selects. SQL cannot calculate the shown date of a
  // subscription with skipped dates, so all of these are included.
  current: () =>
    `(subscriptions.status = 'active' and (subscriptions.skipped <> '[]' or subscriptions.id =
      (select own.id from subscriptions as own where own.customer_id = customers.id and own.status = 'active'
        and own.skipped = '[]' order by own.next_billing_date, own.id limit 1)))`,
  cancelled: () => `subscriptions.status = 'cancelled'`,
  added: () => `subscriptions.adds <> '[]'`,
  named: (named) => `subscriptions.id = ${named}`,
}

/**
 * Returns the statement that selects a customer's data as one JSON object, `AccountJson`. One statement needs only one
 * round trip, and its data is consistent. The first parameter is the customer's email key.
 */
export function accountStatement(dialect: DialectName, needs: AccountNeeds, selection: Selection): string {
  const { list, hasEmail, isAmong, eachItem, eachRecommended, clock } = syntax[dialect]
  const { customer, subscription, order, product, discount } = expressions[dialect]
  const has = (part: AccountPart) => needs.uses === 'all' || needs.uses.includes(part)
  const named = `$${2 + Number(selection.product) + Number(selection.discount)}`

  const found =
    needs.subscriptions === 'all' ? ['1 = 1'] : needs.subscriptions.map((need) => findSubscriptions[need](named))
  const owned = `subscriptions.customer_id = customers.id and subscriptions.status <> 'paused'
    and (${found.join(' or ')})`
  const lastOfProduct = `select last.id from orders as last
    where last.customer_id = customers.id and last.status = 'open' and last.added_product_id = $2
    order by last.add_number desc limit 1`
  const opened = selection.product
    ? isAmong('orders.id', lastOfProduct)
    : `orders.customer_id = customers.id and orders.status = 'open'`
  const products = isAmong(
    'products.id',
    `select item.value ->> 'product_id' from subscriptions, ${eachItem} as item where ${owned}`,
  )
  const hasSubscriptions = has('subscriptions') && found.length > 0

  const lists: string[] = []
  const add = (name: string, value: string, from: string, sequence?: string) =>
    lists.push(`'${name}', ${list(value, from, sequence)}`)
  // Omits `order by`, because sorting the loaded subscriptions in JavaScript is faster.
  if (hasSubscriptions) add('subscriptions', subscription, `from subscriptions where ${owned}`)
  if (has('orders')) add('orders', order, `from orders where ${opened}`, 'orders.number')
  if (has('products') && hasSubscriptions) add('products', product, `from products where ${products}`)
  if (has('recommended'))
    add('recommended', product, `from ${eachRecommended} join products on products.id = wished.value`, 'wished.key')
  if (selection.product) add('product', product, `from products where products.id = $2`)
  if (selection.discount)
    add('discount', discount, `from discounts where discounts.code_key = ${selection.product ? '$3' : '$2'}`)
  const clicks = selection.clicks ? `, customers.clicks, ${clock} as now` : ''
  return inDialect(dialect, `select cast(${customer(lists)} as text) as json${clicks} from customers where ${hasEmail}`)
}

/** Returns the statement that selects the available products as JSON, in the sequence of the general product list. */
export function offeredStatement(dialect: DialectName): string {
  const { product } = expressions[dialect]
  return `select cast(${product} as text) as json from products where available order by position, id`
}

/** Returns the statement that selects a discount as JSON. The parameter is its code key. */
export function discountStatement(dialect: DialectName): string {
  const { discount } = expressions[dialect]
  return inDialect(dialect, `select cast(${discount} as text) as json from discounts where code_key = $1`)
}

/** Returns a statement with the parameters of PostgreSQL, `$1`, in the form of a dialect. */
function inDialect(dialect: DialectName, statement: string): string {
  return dialect === 'sqlite' ? statement.replaceAll('$', '?') : statement
}
