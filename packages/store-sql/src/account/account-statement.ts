import type { SubscriptionNeed } from '@storeport/rules'
import type { DialectName } from '../db/connections.ts'
import { clock } from './click-column.ts'
import { recordExpressions } from './records.ts'

/** The data that the statement selects in addition to the customer. */
export interface AccountSelection {
  /** Selected subscriptions. The id of a `named` subscription is the last parameter. */
  readonly subscriptions: readonly SubscriptionNeed[] | 'all'
  /** Selected open orders: all, none, or the latest order that was created by adding the product. */
  readonly orders: 'all' | 'of product' | 'none'
  /** Whether to select the products of the subscriptions. */
  readonly products: boolean
  /** Whether to select the recommended products. */
  readonly recommended: boolean
  /** Whether to select the product of the request, whose id is the second parameter. */
  readonly product: boolean
  /** Whether to select the request's discount. Its code key is the parameter after the email key and the product id. */
  readonly discount: boolean
  /** Whether to select the customer's clicks and the time. */
  readonly clicks: boolean
}

/**
 * Returns the statement that selects a customer's data as one JSON object, `AccountJson`. One statement needs only one
 * round trip, and its data is consistent. The first parameter is the customer's email key.
 */
export function accountStatement(dialect: DialectName, selection: AccountSelection): string {
  const { list, parameter, hasEmail, isAmong, eachItem, eachText } = syntax[dialect]
  const { customer, subscription, order, product, discount } = recordExpressions[dialect]
  const productId = parameter(2)
  const code = parameter(selection.product ? 3 : 2)
  const named = parameter(2 + Number(selection.product) + Number(selection.discount))

  const found =
    selection.subscriptions === 'all' ? [] : selection.subscriptions.map((need) => findSubscriptions[need](named))
  const which = selection.subscriptions === 'all' ? '' : `and (${found.join(' or ')})`
  const owned = `subscriptions.customer_id = customers.id and subscriptions.status <> 'paused' ${which}`
  const hasSubscriptions = selection.subscriptions === 'all' || found.length > 0
  const opened = `orders.customer_id = customers.id and orders.status = 'open'`
  const lastOfProduct = `select last.id from orders as last
    where last.customer_id = customers.id and last.status = 'open' and last.added_product_id = ${productId}
    order by last.add_number desc limit 1`
  const products = isAmong(
    'products.id',
    `select item.value ->> 'product_id' from subscriptions, ${eachItem} as item where ${owned}`,
  )

  const lists: Record<string, string> = {}
  // Omits `order by`, because sorting the loaded subscriptions in JavaScript is faster.
  if (hasSubscriptions) lists['subscriptions'] = list(subscription, `from subscriptions where ${owned}`)
  if (selection.orders !== 'none') {
    const condition = selection.orders === 'all' ? opened : isAmong('orders.id', lastOfProduct)
    lists['orders'] = list(order, `from orders where ${condition}`, 'orders.number')
  }
  if (selection.products && hasSubscriptions) lists['products'] = list(product, `from products where ${products}`)
  if (selection.recommended) {
    const wished = `from ${eachText('customers.recommended')} join products on products.id = wished.value`
    lists['recommended'] = list(product, wished, 'wished.key')
  }
  if (selection.product) lists['product'] = list(product, `from products where products.id = ${productId}`)
  if (selection.discount) lists['discount'] = list(discount, `from discounts where discounts.code_key = ${code}`)
  const clicks = selection.clicks ? `, customers.clicks, ${clock[dialect]} as now` : ''
  return `select cast(${customer(lists)} as text) as json${clicks} from customers where ${hasEmail(parameter(1))}`
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

const orderBy = (order: string | undefined) => (order === undefined ? '' : ` order by ${order}`)

/** SQL syntax that differs between the dialects. */
export const syntax = {
  sqlite: {
    list: (value: string, from: string, order?: string) =>
      `(select json_group_array(${value}${orderBy(order)}) ${from})`,
    parameter: (number: number) => `?${number}`,
    // Compares `email`, which has a covering index. SQLite never uses an index on `email_key` as a covering index.
    hasEmail: (key: string) => `customers.email = ${key} collate nocase`,
    isAmong: (value: string, statement: string) => `${value} in (${statement})`,
    eachItem: 'json_each(subscriptions.items)',
    eachText: (list: string) => `json_each(${list}) as wished`,
  },
  postgres: {
    list: (value: string, from: string, order?: string) => `(select json_agg(${value}${orderBy(order)}) ${from})`,
    parameter: (number: number) => `$${number}`,
    hasEmail: (key: string) => `customers.email_key = ${key}`,
    // Avoids `in`, which PostgreSQL plans as a join that may run the subquery for each row.
    isAmong: (value: string, statement: string) => `${value} = any(array(${statement}))`,
    eachItem: 'jsonb_array_elements(subscriptions.items)',
    eachText: (list: string) => `jsonb_array_elements_text(${list}) with ordinality as wished (value, key)`,
  },
} as const
