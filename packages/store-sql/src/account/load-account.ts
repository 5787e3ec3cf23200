import { CompiledQuery } from 'kysely'
import { codeKey, emailKey } from '@storeport/rules'
import type { CatalogueProduct, CustomerAccount, DiscountTerms, Order, Subscription } from '@storeport/rules'
import type { DialectName } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import { forEachDialect, readJson, type ValueOf } from '../db/json-expression.ts'
import { type AccountPart, type AccountRow, accountStatement } from './account-statement.ts'
import { toDiscountTerms } from './catalogue.ts'

/** What was read of a customer's account. */
export interface LoadedParts {
  /** What a rule uses; parts that were not read are empty. */
  readonly account: CustomerAccount
  /** The products of the account and the one of the call, by id. */
  readonly products: ReadonlyMap<string, CatalogueProduct>
}

/** A customer's account as it was read, with what a rule may ask besides it. */
export interface LoadedAccount extends LoadedParts {
  /** The account, without orders that are no longer open. */
  readonly account: CustomerAccount
  /** The customer's id. */
  readonly customer_id: string
  /** The places of items and adds in their lists, by id. */
  readonly places: ReadonlyMap<string, number>
  /** The discount of the call. */
  readonly discount: DiscountTerms | undefined
}

/** What a call names. */
export interface AccountInput {
  /** Whose account. */
  readonly email: string
  /** A product that the rule may ask about. */
  readonly product_id?: string | undefined
  /** A discount code that the rule may ask about. */
  readonly discount_code?: string | undefined
}

/** Reads a customer's account in one statement; `undefined` for an unknown customer. */
export async function loadAccount(
  db: Db,
  dialect: DialectName,
  input: AccountInput,
): Promise<LoadedAccount | undefined> {
  const [row] = await readJson(db, whole[dialect], accountParameters(input))
  return row && toLoadedAccount(row)
}

/** Reads a customer's account together with something else: an expression over CTEs, whose parameters follow. */
export async function loadAccountWith(
  db: Db,
  input: AccountInput,
  { ctes, expression, parameters }: Companion,
): Promise<{ readonly loaded: LoadedAccount | undefined; readonly value: unknown }> {
  const { sql, parse } = whole.postgres
  const statement = `with ${ctes(accountParameterCount)} select (${sql}) as json, (${expression}) as value`
  const { rows } = await db.executeQuery<{ json: string | null; value: unknown }>(
    CompiledQuery.raw(statement, [...accountParameters(input), ...parameters]),
  )
  const [row] = rows
  return { loaded: row?.json == null ? undefined : toLoadedAccount(parse(row.json)), value: row?.value }
}

/** What a statement of PostgreSQL does besides reading an account. */
export interface Companion {
  /** Common table expressions, whose parameters come after some others. */
  ctes(parametersBefore: number): string
  readonly expression: string
  readonly parameters: readonly unknown[]
}

const accountParameterCount = 3

function accountParameters({ email, product_id, discount_code }: AccountInput): readonly (string | null)[] {
  return [emailKey(email), product_id ?? null, discount_code === undefined ? null : codeKey(discount_code)]
}

function toLoadedAccount(row: ValueOf<(typeof whole)['postgres']>): LoadedAccount {
  const items = row.subscriptions.flatMap((subscription) => subscription.items)
  const [discount] = row.discount
  return {
    ...toLoadedParts(row),
    customer_id: row.id,
    places: new Map([...items, ...row.adds].map(({ id, position }) => [id, position])),
    discount: discount && toDiscountTerms(discount),
  }
}

/** Reads parts of a customer's account in one statement; `undefined` for an unknown customer. */
export async function loadParts(
  db: Db,
  dialect: DialectName,
  email: string,
  parts: readonly (keyof CustomerAccount)[],
): Promise<LoadedParts | undefined> {
  const [row] = await readJson(db, findStatements(parts)[dialect], [emailKey(email)])
  return row && toLoadedParts(row)
}

/** The parts that a rule may use; uses of codes come with the subscriptions and orders that they were used for. */
const accountParts = ['recommended', 'subscriptions', 'orders', 'adds'] as const
const whole = makeStatements([...accountParts, 'product', 'discount'])
const partial = new Map<string, ReturnType<typeof makeStatements<never>>>()

function makeStatements<Part extends AccountPart>(parts: readonly Part[]) {
  return forEachDialect((writer) => accountStatement(writer, parts))
}

/** The statements for some parts, made once. */
function findStatements(parts: readonly (keyof CustomerAccount)[]) {
  const name = parts.join(' ')
  const made = partial.get(name) ?? makeStatements(accountParts.filter((part) => isAsked(part, parts)))
  partial.set(name, made)
  return made
}

function isAsked(part: (typeof accountParts)[number], parts: readonly (keyof CustomerAccount)[]): boolean {
  return parts.includes(part) || (part === 'subscriptions' && parts.includes('discount_uses'))
}

type SubscriptionRow = AccountRow<'subscriptions'>['subscriptions'][number]
type OrderRow = AccountRow<'orders'>['orders'][number]

function toLoadedParts(row: AccountRow<never> & Partial<AccountRow<AccountPart>>): LoadedParts {
  const { subscriptions = [], orders = [], adds = [], recommended = [], product = [] } = row
  const delivered = subscriptions.flatMap(({ items }) => items.map((item) => item.product))
  return {
    account: {
      email: row.email,
      last_sent_on: row.last_sent_on,
      last_sent_at: row.last_sent_at,
      subscriptions: subscriptions.map(toSubscription),
      adds: adds.map(({ position: _, ...add }) => add),
      discount_uses: [...subscriptions, ...orders].flatMap(({ discount_uses }) => discount_uses),
      orders: orders.map(toOrder),
      recommended: recommended.map(({ id }) => id),
    } satisfies Required<CustomerAccount>,
    products: new Map([...product, ...recommended, ...delivered].map((each) => [each.id, each])),
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
