import type { SubscriptionNeed } from '@storeport/rules'
import type { DialectName } from '../db/connections.ts'
import { discountColumns, orderColumns, productColumns, subscriptionColumns } from './rows.ts'

/** What the statement reads besides the customer. */
export interface AccountWish {
  /** The subscriptions; those that are named by the last parameter. */
  readonly subscriptions: readonly SubscriptionNeed[] | 'all'
  /** The open orders: all, or the last one that an add of the product made. */
  readonly orders: 'all' | 'of product' | 'none'
  /** Whether it reads the products of the subscriptions. */
  readonly products: boolean
  /** Whether it reads the products that are recommended. */
  readonly recommended: boolean
  /** Whether it reads the product whose id is the next parameter. */
  readonly product: boolean
  /** Whether it reads the discount whose key is the next parameter. */
  readonly discount: boolean
}

/** The columns of a customer, in the order of the statement. */
export const customerColumns = ['id', 'email', 'last_sent_on', 'last_sent_at', 'last_add'] as const

/** The lists of rows after the customer's columns, in the order of the statement. */
export const listOrder = ['subscriptions', 'orders', 'products', 'recommended', 'product', 'discount'] as const

/** The columns of the rows of each list. */
export const accountLists = {
  subscriptions: subscriptionColumns,
  orders: orderColumns,
  products: productColumns,
  recommended: productColumns,
  product: productColumns,
  discount: discountColumns,
} as const satisfies Readonly<Record<(typeof listOrder)[number], readonly string[]>>

/**
 * Writes the statement that reads what a rule may ask about a customer, as JSON: one look at one moment, and one round trip.
 * A row is a list of its values, since names in every row would be most of the text. The first parameter is the email's key.
 */
export function accountStatement(dialect: DialectName, wish: AccountWish): string {
  const { array, list, parameter, hasEmail, isAmong, eachItem, eachText } = syntax[dialect]
  const productId = parameter(2)
  const code = parameter(wish.product ? 3 : 2)
  const named = parameter(2 + Number(wish.product) + Number(wish.discount))
  const rows = (table: string, columns: readonly string[], order: string, from: string) =>
    list(array(columns.map((name) => `${table}.${name}`).join(', ')), order, from)

  const found = wish.subscriptions === 'all' ? [] : wish.subscriptions.map((need) => findSubscriptions[need](named))
  const which = wish.subscriptions === 'all' ? '' : `and ${isAmong('subscriptions.id', found.join(' union all '))}`
  const owned = `subscriptions.customer_id = customers.id and subscriptions.status <> 'paused' ${which}`
  const hasSubscriptions = wish.subscriptions === 'all' || found.length > 0
  const opened = `orders.customer_id = customers.id and orders.status = 'open'`
  const lastOfProduct = `select last.id from orders as last
    where last.customer_id = customers.id and last.status = 'open' and last.added_product_id = ${productId}
    order by last.add_number desc limit 1`

  const lists: Readonly<Record<(typeof listOrder)[number], string | false>> = {
    subscriptions:
      hasSubscriptions &&
      rows('subscriptions', subscriptionColumns, 'subscriptions.id', `from subscriptions where ${owned}`),
    orders:
      wish.orders !== 'none' &&
      rows(
        'orders',
        orderColumns,
        'orders.number',
        `from orders where ${wish.orders === 'all' ? opened : isAmong('orders.id', lastOfProduct)}`,
      ),
    products:
      wish.products &&
      hasSubscriptions &&
      rows(
        'products',
        productColumns,
        'products.id',
        `from products where ${isAmong(
          'products.id',
          `select item.value ->> 'product_id' from subscriptions, ${eachItem} as item where ${owned}`,
        )}`,
      ),
    recommended:
      wish.recommended &&
      rows(
        'products',
        productColumns,
        'wished.key',
        `from ${eachText('customers.recommended')} join products on products.id = wished.value`,
      ),
    product:
      wish.product && rows('products', productColumns, 'products.id', `from products where products.id = ${productId}`),
    discount:
      wish.discount &&
      rows('discounts', discountColumns, 'discounts.code', `from discounts where discounts.code_key = ${code}`),
  }
  const values = [
    ...customerColumns.map((name) => `customers.${name}`),
    ...listOrder.map((name) => lists[name] || 'null'),
  ]
  return `select cast(${array(values.join(', '))} as text) as json from customers where ${hasEmail(parameter(1))}`
}

const ofCustomer = 'from subscriptions as own where own.customer_id = customers.id'
const findSubscriptions: Readonly<Record<SubscriptionNeed, (named: string) => string>> = {
  // As `soonest` chooses.
  current: () =>
    `select (select own.id ${ofCustomer} and own.status = 'active'
      order by own.next_billing_date, own.id limit 1)`,
  cancelled: () => `select own.id ${ofCustomer} and own.status = 'cancelled'`,
  added: () => `select own.id ${ofCustomer} and own.adds <> '[]'`,
  named: (named) => `select cast(${named} as text)`,
}

/** What the databases write differently. */
const syntax = {
  sqlite: {
    array: (values: string) => `json_array(${values})`,
    list: (value: string, order: string, from: string) =>
      `(select json_group_array(${value} order by ${order}) ${from})`,
    parameter: (number: number) => `?${number}`,
    // The index with the email itself may be all that is read of a customer: one with a generated column never is.
    hasEmail: (key: string) => `customers.email = ${key} collate nocase`,
    isAmong: (value: string, statement: string) => `${value} in (${statement})`,
    eachItem: 'json_each(subscriptions.items)',
    eachText: (list: string) => `json_each(${list}) as wished`,
  },
  postgres: {
    array: (values: string) => `json_build_array(${values})`,
    list: (value: string, order: string, from: string) => `(select json_agg(${value} order by ${order}) ${from})`,
    parameter: (number: number) => `$${number}`,
    hasEmail: (key: string) => `customers.email_key = ${key}`,
    // With `in` it is joined, and then it may run again for each row.
    isAmong: (value: string, statement: string) => `${value} = any(array(${statement}))`,
    eachItem: 'jsonb_array_elements(subscriptions.items)',
    eachText: (list: string) => `jsonb_array_elements_text(${list}) with ordinality as wished (value, key)`,
  },
} as const
