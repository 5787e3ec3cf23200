import type { AccountPart, SubscriptionNeed } from '@storeport/rules'
import type { JsonRow } from '../columns.ts'
import { type JsonExpression, jsonStatement, type JsonWriter, type ValueOf } from '../db/json-expression.ts'
import { writeDiscount, writeProduct } from './catalogue.ts'

/** What the statement gives: the customer, and the parts that were asked for; of the orders only those that are open. */
export interface AccountRow
  extends
    Pick<JsonRow<'customers'>, 'id' | 'email'>,
    Partial<Pick<JsonRow<'customers'>, 'last_sent_on' | 'last_sent_at'>> {
  readonly subscriptions?: readonly SubscriptionRow[]
  readonly orders?: readonly OrderRow[]
  readonly adds?: readonly Omit<JsonRow<'open_adds'>, 'customer_id'>[]
  readonly recommended?: readonly ProductRow[]
  readonly product?: readonly ProductRow[]
  readonly discount?: readonly ValueOf<ReturnType<typeof writeDiscount>>[]
}

/** A subscription with its items; their products and the uses of codes only when they were asked for. */
export interface SubscriptionRow extends Omit<JsonRow<'subscriptions'>, 'customer_id'> {
  readonly items: readonly (Omit<JsonRow<'items'>, 'subscription_id'> & { readonly product?: ProductRow })[]
  readonly discount_uses?: readonly JsonRow<'discount_uses'>[]
}

/** An order with its lines; the uses of codes only when they were asked for. */
export interface OrderRow extends Omit<JsonRow<'orders'>, 'number' | 'customer_id'> {
  readonly lines: readonly Omit<JsonRow<'order_lines'>, 'order_id' | 'position'>[]
  readonly discount_uses?: readonly JsonRow<'discount_uses'>[]
}

type ProductRow = ValueOf<ReturnType<typeof writeProduct>>

/** What the statement reads. */
export interface AccountWish {
  /** The parts of the account. */
  readonly parts: readonly AccountPart[]
  /** The subscriptions; those that are named by the last parameter. */
  readonly subscriptions: readonly SubscriptionNeed[] | 'all'
  /** Whether it reads the product whose id is the next parameter. */
  readonly product: boolean
  /** Whether it reads the discount whose key is the next parameter. */
  readonly discount: boolean
}

/**
 * One statement that reads what a rule may ask about a customer: a single look at one moment, and a single trip to the
 * server. The first parameter is the email's key.
 */
export function accountStatement(
  writer: JsonWriter,
  { parts, subscriptions, product, discount }: AccountWish,
): JsonExpression<AccountRow> {
  const { row, list, parameter, hasEmail } = writer
  const lastParameter = 1 + Number(product) + Number(discount) + 1
  const all = writeParts(writer, parts, whichSubscriptions(writer, subscriptions, parameter(lastParameter)))
  const notRead = [...neverRead, ...sentColumns.filter((name) => !parts.includes(name))]
  const chosen = {
    ...(parts.includes('subscriptions') && { subscriptions: all.subscriptions }),
    ...(parts.includes('orders') && { orders: all.orders }),
    ...(parts.includes('adds') && { adds: all.adds }),
    ...(parts.includes('recommended') && { recommended: all.recommended }),
    ...(product && {
      product: list(writeProduct(writer), 'products.id', `from products where products.id = ${parameter(2)}`),
    }),
    ...(discount && {
      discount: list(
        writeDiscount(writer),
        'discounts.code',
        `from discounts where discounts.code_key = ${parameter(product ? 3 : 2)}`,
      ),
    }),
  }
  return jsonStatement(row('customers', notRead, chosen), `from customers where ${hasEmail(parameter(1))}`)
}

/** Columns of a customer that no rule uses, and those that few do. */
const neverRead = ['email_key', 'version'] as const
const sentColumns = ['last_sent_on', 'last_sent_at'] as const

/** The condition for the subscriptions that are read; the key finds each where all of them have to be looked at. */
function whichSubscriptions({ isAmong }: JsonWriter, needs: AccountWish['subscriptions'], named: string): string {
  if (needs === 'all') return ''
  const found = needs.map((need) => findSubscriptions[need](named))
  return `and ${isAmong('subscriptions.id', found.join(' union all '))}`
}

const ofCustomer = 'from subscriptions as own where own.customer_id = customers.id'
const findSubscriptions: Readonly<Record<SubscriptionNeed, (named: string) => string>> = {
  // As `soonest` chooses.
  current: () =>
    `select (select own.id ${ofCustomer} and own.status = 'active'
      order by own.next_billing_date, own.id limit 1)`,
  cancelled: () => `select own.id ${ofCustomer} and own.status = 'cancelled'`,
  added: () => 'select open_adds.subscription_id from open_adds where open_adds.customer_id = customers.id',
  named: (named) => `select cast(${named} as text)`,
}

function writeParts(writer: JsonWriter, parts: readonly AccountPart[], which: string) {
  const { row, list } = writer
  const product = writeProduct(writer)
  const withProducts = parts.includes('products')
  const usesWhere = (condition: string) =>
    parts.includes('discount_uses') && {
      discount_uses: list(row('discount_uses', [], {}), 'discount_uses.id', `from discount_uses where ${condition}`),
    }
  const items = list(
    row('items', ['subscription_id'], { ...(withProducts && { product }) }),
    'items.position',
    `from items ${withProducts ? 'join products on products.id = items.product_id' : ''}
      where items.subscription_id = subscriptions.id`,
  )
  const lines = list(
    row('order_lines', ['order_id', 'position'], {}),
    'order_lines.position',
    'from order_lines where order_lines.order_id = orders.id',
  )
  return {
    subscriptions: list(
      row('subscriptions', ['customer_id'], {
        items,
        ...usesWhere('discount_uses.subscription_id = subscriptions.id'),
      }),
      'subscriptions.id',
      `from subscriptions where subscriptions.customer_id = customers.id ${which}`,
    ),
    orders: list(
      row('orders', ['number', 'customer_id'], { lines, ...usesWhere('discount_uses.order_id = orders.id') }),
      'orders.number',
      `from orders where orders.customer_id = customers.id and orders.status = 'open'`,
    ),
    adds: list(
      row('open_adds', ['customer_id'], {}),
      'open_adds.position',
      'from open_adds where open_adds.customer_id = customers.id',
    ),
    recommended: list(
      product,
      'recommendations.rank',
      `from recommendations join products on products.id = recommendations.product_id
        where recommendations.customer_id = customers.id`,
    ),
  }
}
