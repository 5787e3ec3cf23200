import { codeKey, emailKey } from '@storeport/rules'
import type {
  ActiveSubscription,
  CatalogueProduct,
  CustomerAccount,
  DiscountTerms,
  DiscountUse,
  EndedSubscription,
  Item,
  OpenAdd,
  Order,
  OrderLine,
  Subscription,
  SubscriptionTerms,
} from '@storeport/rules'
import { CompiledQuery } from 'kysely'
import { type AccountPart, accountStatement } from './account-statement.ts'
import type { DialectName } from '../db/connections.ts'
import type { Db } from '../db/database.ts'

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
  const row = await readRow<AccountRow>(db, whole[dialect], [emailKey(email), product_id ?? null, codeOrNull])
  return row && toLoadedAccount(row)
}

/** Reads a customer's subscriptions alone; `undefined` for an unknown customer. */
export async function loadSubscriptions(
  db: Db,
  dialect: DialectName,
  email: string,
): Promise<Loaded<SubscriptionsOf> | undefined> {
  const row = await readRow<SubscriptionsRow>(db, subscriptionsAlone[dialect], [emailKey(email)])
  return row && { account: toSubscriptions(row), products: productsById(productsIn(row)) }
}

/** Reads a customer's subscriptions and recommendations alone; `undefined` for an unknown customer. */
export async function loadRecommendations(
  db: Db,
  dialect: DialectName,
  email: string,
): Promise<Loaded<SubscriptionsOf & Pick<CustomerAccount, 'recommended'>> | undefined> {
  const row = await readRow<RecommendationsRow>(db, recommendations[dialect], [emailKey(email)])
  if (row === undefined) return undefined
  return {
    account: { ...toSubscriptions(row), recommended: row.recommended.map(({ id }) => id) },
    products: productsById([...row.recommended, ...productsIn(row)]),
  }
}

const whole = statements(['recommended', 'subscriptions', 'open_orders', 'adds', 'named', 'discounts'])
const subscriptionsAlone = statements(['subscriptions'])
const recommendations = statements(['recommended', 'subscriptions'])

function statements(parts: readonly AccountPart[]): Readonly<Record<DialectName, string>> {
  return { sqlite: accountStatement('sqlite', parts), postgres: accountStatement('postgres', parts) }
}

async function readRow<Row>(
  db: Db,
  statement: string,
  parameters: readonly (string | null)[],
): Promise<Row | undefined> {
  const { rows } = await db.executeQuery<{ account: string }>(CompiledQuery.raw(statement, [...parameters]))
  return rows[0] && JSON.parse(rows[0].account)
}

/** What the statements answer. SQLite gives 0 and 1 for false and true. */
interface SubscriptionsRow {
  readonly subscriptions: readonly SubscriptionRow[]
}

interface RecommendationsRow extends SubscriptionsRow {
  readonly recommended: readonly ProductRow[]
}

interface AccountRow extends RecommendationsRow {
  readonly id: string
  readonly email: string
  readonly last_sent_on: string | null
  readonly open_orders: readonly OrderRow[]
  readonly adds: readonly (OpenAdd & Placed)[]
  /** The product that the call names. */
  readonly named: readonly ProductRow[]
  readonly discounts: readonly DiscountRow[]
}

/** A check of the table holds status and dates together. */
type SubscriptionRow = Omit<SubscriptionTerms, 'interval' | 'items'> &
  (Pick<ActiveSubscription, keyof State> | Pick<EndedSubscription, keyof State>) & {
    readonly interval_unit: SubscriptionTerms['interval']['unit']
    readonly interval_count: number
    readonly items: readonly ItemRow[]
    readonly discount_uses: readonly DiscountUse[]
  }

type State = Pick<Subscription, 'status' | 'next_billing_date' | 'cancelled_on'>

type OrderRow = Omit<Order, 'lines'> & {
  readonly lines: readonly (Omit<OrderLine, 'one_time'> & { readonly one_time: Flag })[]
  readonly discount_uses: readonly DiscountUse[]
}

/** A check of the table holds the kind and the amounts together. */
type DiscountRow = Omit<DiscountTerms, 'kind'> &
  (
    | { readonly kind: 'percentage'; readonly percentage: number }
    | { readonly kind: 'fixed_amount'; readonly amount_minor: number }
  )

type ItemRow = Omit<Item, 'one_time'> & Placed & { readonly one_time: Flag; readonly product: ProductRow }

type ProductRow = Omit<CatalogueProduct, 'available'> & { readonly available: Flag }

type Flag = boolean | 0 | 1

interface Placed {
  readonly position: number
}

function toLoadedAccount(row: AccountRow): LoadedAccount {
  const { open_orders, adds, recommended, named, discounts } = row
  const { subscriptions, discount_uses } = toSubscriptions(row)
  const items = row.subscriptions.flatMap((subscription) => subscription.items)
  return {
    customer_id: row.id,
    account: {
      email: row.email,
      subscriptions,
      adds: adds.map(({ position: _, ...add }) => add),
      discount_uses: [...discount_uses, ...open_orders.flatMap((order) => order.discount_uses)],
      orders: open_orders.map(toOrder),
      last_sent_on: row.last_sent_on,
      recommended: recommended.map(({ id }) => id),
    },
    places: new Map([...items, ...adds].map(({ id, position }) => [id, position])),
    products: productsById([...named, ...recommended, ...productsIn(row)]),
    discount: discounts[0],
  }
}

function toSubscriptions({ subscriptions }: SubscriptionsRow): SubscriptionsOf {
  return {
    subscriptions: subscriptions.map(toSubscription),
    discount_uses: subscriptions.flatMap(({ discount_uses }) => discount_uses),
  }
}

function productsIn({ subscriptions }: SubscriptionsRow): readonly ProductRow[] {
  return subscriptions.flatMap(({ items }) => items.map(({ product }) => product))
}

function productsById(products: readonly ProductRow[]): ReadonlyMap<string, CatalogueProduct> {
  return new Map(products.map((product) => [product.id, { ...product, available: Boolean(product.available) }]))
}

function toSubscription(row: SubscriptionRow): Subscription {
  const { interval_unit, interval_count, items, discount_uses: _, ...rest } = row
  return {
    ...rest,
    interval: { unit: interval_unit, count: interval_count },
    items: items.map(({ position: __, product: ___, one_time, ...item }) => ({ ...item, one_time: Boolean(one_time) })),
  }
}

function toOrder({ discount_uses: _, lines, ...order }: OrderRow): Order {
  return { ...order, lines: lines.map((line) => ({ ...line, one_time: Boolean(line.one_time) })) }
}
