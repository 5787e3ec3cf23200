import { codeKey, emailKey } from '@storeport/rules'
import type { CatalogueProduct, CustomerAccount, DiscountTerms, Order, Subscription } from '@storeport/rules'
import type { DialectName } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import { forEachDialect, readJson } from '../db/json-expression.ts'
import { type AccountPart, type AccountRow, accountStatement } from './account-statement.ts'
import { toDiscountTerms } from './catalogue.ts'

/** What was read of a customer's account. */
export interface Loaded<Account> {
  /** What a rule is to look at. */
  readonly account: Account
  /** The products of the account and the one of the call, by id. */
  readonly products: ReadonlyMap<string, CatalogueProduct>
}

/** A customer's account as it was read, with what a rule may ask beside it. */
export interface LoadedAccount extends Loaded<CustomerAccount> {
  /** The account, without orders that are no longer open. */
  readonly account: CustomerAccount
  /** The customer's id. */
  readonly customer_id: string
  /** The places of items and adds in their lists, by id. */
  readonly places: ReadonlyMap<string, number>
  /** The discount of the call. */
  readonly discount: DiscountTerms | undefined
}

/** The part of an account that most reads look at; only the discounts of next orders are in it. */
export type SubscriptionsOf = Pick<CustomerAccount, 'subscriptions' | 'discount_uses'>

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
  { email, product_id, discount_code }: AccountInput,
): Promise<LoadedAccount | undefined> {
  const codeOrNull = discount_code === undefined ? null : codeKey(discount_code)
  const [row] = await readJson(db, whole[dialect], [emailKey(email), product_id ?? null, codeOrNull])
  return row && toLoadedAccount(row)
}

/** Reads a customer's subscriptions alone; `undefined` for an unknown customer. */
export async function loadSubscriptions(
  db: Db,
  dialect: DialectName,
  email: string,
): Promise<Loaded<SubscriptionsOf> | undefined> {
  const [row] = await readJson(db, subscriptionsAlone[dialect], [emailKey(email)])
  return row && { account: toSubscriptions(row), products: productsById(productsIn(row)) }
}

/** Reads a customer's subscriptions and recommendations alone; `undefined` for an unknown customer. */
export async function loadRecommendations(
  db: Db,
  dialect: DialectName,
  email: string,
): Promise<Loaded<SubscriptionsOf & Pick<CustomerAccount, 'recommended'>> | undefined> {
  const [row] = await readJson(db, recommendations[dialect], [emailKey(email)])
  if (row === undefined) return undefined
  return {
    account: { ...toSubscriptions(row), recommended: row.recommended.map(({ id }) => id) },
    products: productsById([...row.recommended, ...productsIn(row)]),
  }
}

const whole = statementsOf(['recommended', 'subscriptions', 'open_orders', 'adds', 'named', 'discounts'])
const subscriptionsAlone = statementsOf(['subscriptions'])
const recommendations = statementsOf(['recommended', 'subscriptions'])

function statementsOf<Part extends AccountPart>(parts: readonly Part[]) {
  return forEachDialect((writer) => accountStatement(writer, parts))
}

type SubscriptionsRow = Pick<AccountRow<'subscriptions'>, 'subscriptions'>
type SubscriptionRow = SubscriptionsRow['subscriptions'][number]
type OrderRow = AccountRow<'open_orders'>['open_orders'][number]

function toLoadedAccount(row: AccountRow<AccountPart>): LoadedAccount {
  const { open_orders, adds, recommended, named, discounts } = row
  const { subscriptions, discount_uses } = toSubscriptions(row)
  const items = row.subscriptions.flatMap((subscription) => subscription.items)
  const [discount] = discounts
  return {
    customer_id: row.id,
    account: {
      email: row.email,
      last_sent_on: row.last_sent_on,
      subscriptions,
      adds: adds.map(({ position: _, ...add }) => add),
      discount_uses: [...discount_uses, ...open_orders.flatMap((order) => order.discount_uses)],
      orders: open_orders.map(toOrder),
      recommended: recommended.map(({ id }) => id),
    } satisfies Required<CustomerAccount>,
    places: new Map([...items, ...adds].map(({ id, position }) => [id, position])),
    products: productsById([...named, ...recommended, ...productsIn(row)]),
    discount: discount && toDiscountTerms(discount),
  }
}

function toSubscriptions({ subscriptions }: SubscriptionsRow): SubscriptionsOf {
  return {
    subscriptions: subscriptions.map(toSubscription),
    discount_uses: subscriptions.flatMap(({ discount_uses }) => discount_uses),
  }
}

function productsIn({ subscriptions }: SubscriptionsRow): readonly CatalogueProduct[] {
  return subscriptions.flatMap(({ items }) => items.map(({ product }) => product))
}

function productsById(products: readonly CatalogueProduct[]): ReadonlyMap<string, CatalogueProduct> {
  return new Map(products.map((product) => [product.id, product]))
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
