import type { AccountPart, SubscriptionNeed } from '@storeport/rules'
import type { DialectName } from '../db/connections.ts'
import { inDialect } from '../db/writes.ts'
import { clock } from './click-column.ts'
import { recordExpressions } from './records.ts'

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

/**
 * Returns the statement that selects a customer's data as one JSON object, `AccountJson`. One statement needs only one
 * round trip, and its data is consistent. The first parameter is the customer's email key.
 */
export function accountStatement(dialect: DialectName, needs: AccountNeeds, selection: Selection): string {
  const { list, hasEmail, isAmong, eachItem, eachText } = syntax[dialect]
  const { customer, subscription, order, product, discount } = recordExpressions[dialect]
  const has = (part: AccountPart) => needs.uses === 'all' || needs.uses.includes(part)
  const code = selection.product ? '$3' : '$2'
  const named = `$${2 + Number(selection.product) + Number(selection.discount)}`

  const found =
    needs.subscriptions === 'all' ? ['1 = 1'] : needs.subscriptions.map((need) => findSubscriptions[need](named))
  const owned = `subscriptions.customer_id = customers.id and subscriptions.status <> 'paused'
    and (${found.join(' or ')})`
  const opened = `orders.customer_id = customers.id and orders.status = 'open'`
  const lastOfProduct = `select last.id from orders as last
    where last.customer_id = customers.id and last.status = 'open' and last.added_product_id = $2
    order by last.add_number desc limit 1`
  const products = isAmong(
    'products.id',
    `select item.value ->> 'product_id' from subscriptions, ${eachItem} as item where ${owned}`,
  )
  const hasSubscriptions = has('subscriptions') && found.length > 0

  const lists: Record<string, string> = {}
  // Omits `order by`, because sorting the loaded subscriptions in JavaScript is faster.
  if (hasSubscriptions) lists['subscriptions'] = list(subscription, `from subscriptions where ${owned}`)
  if (has('orders')) {
    const condition = selection.product ? isAmong('orders.id', lastOfProduct) : opened
    lists['orders'] = list(order, `from orders where ${condition}`, 'orders.number')
  }
  if (has('products') && hasSubscriptions) lists['products'] = list(product, `from products where ${products}`)
  if (has('recommended')) {
    const wished = `from ${eachText('customers.recommended')} join products on products.id = wished.value`
    lists['recommended'] = list(product, wished, 'wished.key')
  }
  if (selection.product) lists['product'] = list(product, `from products where products.id = $2`)
  if (selection.discount) lists['discount'] = list(discount, `from discounts where discounts.code_key = ${code}`)
  const clicks = selection.clicks ? `, customers.clicks, ${clock[dialect]} as now` : ''
  const statement = `select cast(${customer(lists)} as text) as json${clicks} from customers where ${hasEmail}`
  return inDialect(dialect, statement)
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
const syntax = {
  sqlite: {
    list: (value: string, from: string, order?: string) =>
      `(select json_group_array(${value}${orderBy(order)}) ${from})`,
    // Compares `email`, which has a covering index. SQLite never uses an index on `email_key` as a covering index.
    hasEmail: 'customers.email = $1 collate nocase',
    isAmong: (value: string, statement: string) => `${value} in (${statement})`,
    eachItem: 'json_each(subscriptions.items)',
    eachText: (list: string) => `json_each(${list}) as wished`,
  },
  postgres: {
    list: (value: string, from: string, order?: string) => `(select json_agg(${value}${orderBy(order)}) ${from})`,
    hasEmail: 'customers.email_key = $1',
    // Avoids `in`, which PostgreSQL plans as a join that may run the subquery for each row.
    isAmong: (value: string, statement: string) => `${value} = any(array(${statement}))`,
    eachItem: 'jsonb_array_elements(subscriptions.items)',
    eachText: (list: string) => `jsonb_array_elements_text(${list}) with ordinality as wished (value, key)`,
  },
} as const
