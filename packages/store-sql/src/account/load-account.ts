import {
  type AccountPart,
  type CatalogueProduct,
  codeKey,
  type CustomerAccount,
  type DiscountTerms,
  emailKey,
  type NamedInput,
  type Order,
  type Subscription,
  type SubscriptionNeed,
} from '@storeport/rules'
import type { DialectName, Send } from '../db/connections.ts'
import { forEachDialect, type JsonExpression, readJson, readText } from '../db/json-expression.ts'
import { type AccountRow, accountStatement, type OrderRow, type SubscriptionRow } from './account-statement.ts'
import { toDiscountTerms } from './catalogue.ts'

/** A customer's account as it was read, with what a rule may ask besides it. */
export interface LoadedAccount {
  /** The account, without orders that are no longer open and subscriptions that are not needed; parts that were not read are empty. */
  readonly account: CustomerAccount
  /** The customer's id. */
  readonly customer_id: string
  /** The products of the account and the one of the call, by id. */
  readonly products: ReadonlyMap<string, CatalogueProduct>
  /** The places of items in their lists, by id. */
  readonly places: ReadonlyMap<string, number>
  /** The discount of the call. */
  readonly discount: DiscountTerms | undefined
}

/** What a call names: whose account it is, and what the rule may ask for besides it. */
export interface AccountInput extends NamedInput {
  readonly email: string
}

/** What is read of an account. */
export interface AccountNeeds {
  /** The parts. */
  readonly parts: readonly AccountPart[]
  /** The subscriptions, where they are one of the parts. */
  readonly subscriptions: readonly SubscriptionNeed[] | 'all'
}

/** All that a rule may use of an account. */
const wholeAccount: AccountNeeds = {
  parts: [
    'recommended',
    'subscriptions',
    'products',
    'discount_uses',
    'orders',
    'adds',
    'last_sent_on',
    'last_sent_at',
  ],
  subscriptions: 'all',
}

/** Reads parts of a customer's account in one statement; `undefined` for an unknown customer. */
export async function loadAccount(
  send: Send,
  dialect: DialectName,
  input: AccountInput,
  needs: AccountNeeds = wholeAccount,
): Promise<LoadedAccount | undefined> {
  const { statements, parameters } = queryFor(input, needs)
  const [row] = await readJson(send, statements[dialect], parameters)
  return row && toLoadedAccount(row)
}

/** Reads parts of a customer's account together with an expression, in one statement: each is a round trip. */
export async function loadAccountWith(
  send: Send,
  dialect: DialectName,
  input: AccountInput,
  needs: AccountNeeds,
  { name, expression, parameters: others }: Companion,
): Promise<{ readonly loaded: LoadedAccount | undefined; readonly value: unknown }> {
  const { key, statements, parameters } = queryFor(input, needs)
  const statement = statements[dialect]
  const place = `${dialect} ${name} ${key}`
  const text = together.get(place) ?? `select (${statement.sql}) as json, ${expression(parameters.length)} as value`
  together.set(place, text)
  const { rows } = await send<{ json: string | null; value: unknown }>(text, [...parameters, ...others])
  const [row] = rows
  return { loaded: row?.json == null ? undefined : toLoadedAccount(readText(statement, row.json)), value: row?.value }
}

/** What a statement reads besides an account. */
export interface Companion {
  /** No other companion has it. */
  readonly name: string
  /** The expression, whose parameters come after some others. */
  expression(parametersBefore: number): string
  readonly parameters: readonly unknown[]
}

/** Texts that were made: the same text finds its prepared statement. */
const together = new Map<string, string>()
const made = new Map<string, Readonly<Record<DialectName, JsonExpression<AccountRow>>>>()

function queryFor(
  { email, product_id, discount_code, subscription_id }: AccountInput,
  { parts, subscriptions }: AccountNeeds,
) {
  const wish = { parts, subscriptions, product: product_id !== undefined, discount: discount_code !== undefined }
  const key = `${parts.join(' ')} ${String(subscriptions)} ${wish.product} ${wish.discount}`
  const statements = made.get(key) ?? forEachDialect((writer) => accountStatement(writer, wish))
  made.set(key, statements)
  const parameters = [emailKey(email)]
  if (product_id !== undefined) parameters.push(product_id)
  if (discount_code !== undefined) parameters.push(codeKey(discount_code))
  if (subscription_id !== undefined && subscriptions.includes('named')) parameters.push(subscription_id)
  return { key, statements, parameters }
}

function toLoadedAccount(row: AccountRow): LoadedAccount {
  const { subscriptions = [], orders = [], adds = [], recommended = [], product = [], discount = [] } = row
  const items = subscriptions.flatMap((subscription) => subscription.items)
  const delivered = items.flatMap((item) => item.product ?? [])
  const [terms] = discount
  return {
    customer_id: row.id,
    account: {
      email: row.email,
      last_sent_on: row.last_sent_on ?? null,
      last_sent_at: row.last_sent_at ?? null,
      subscriptions: subscriptions.map(toSubscription),
      adds: adds.map(({ position: _, ...add }) => add),
      discount_uses: [...subscriptions, ...orders].flatMap(({ discount_uses = [] }) => discount_uses),
      orders: orders.map(toOrder),
      recommended: recommended.map(({ id }) => id),
    } satisfies Required<CustomerAccount>,
    products: new Map([...product, ...recommended, ...delivered].map((each) => [each.id, each])),
    places: new Map(items.map(({ id, position }) => [id, position])),
    discount: terms && toDiscountTerms(terms),
  }
}

function toSubscription(row: SubscriptionRow): Subscription {
  const { interval_unit, interval_count, items, discount_uses: _, ...columns } = row
  return {
    ...columns,
    ...stateOf(row),
    interval: { unit: interval_unit, count: interval_count },
    items: items.map(({ position: __, product: ___, ...item }) => item),
  }
}

function stateOf({ next_billing_date, cancelled_on }: SubscriptionRow) {
  if (next_billing_date !== null) return { status: 'active', next_billing_date, cancelled_on: null } as const
  if (cancelled_on !== null) return { status: 'cancelled', next_billing_date: null, cancelled_on } as const
  throw new Error('A subscription has no date at all, which its table refuses.')
}

function toOrder({ discount_uses: _, ...order }: OrderRow): Order {
  return order
}
