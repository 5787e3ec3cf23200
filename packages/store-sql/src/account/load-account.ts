import { StoreError } from '@storeport/core'
import {
  type AccountPart,
  type CatalogueProduct,
  codeKey,
  type CustomerAccount,
  type DiscountTerms,
  emailKey,
  type NamedInput,
  type SubscriptionNeed,
} from '@storeport/rules'
import type { DialectName, Send } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import { findText, parseJson, parseList } from '../db/writes.ts'
import { accountLists, accountStatement, type AccountWish, customerColumns, listOrder } from './account-statement.ts'
import {
  addsOfOrder,
  addsOfSubscription,
  type DiscountRow,
  discountColumns,
  type OrderRow,
  productColumns,
  type ProductRow,
  type SubscriptionRow,
  toDiscount,
  toOrder,
  toProduct,
  toSubscription,
} from './rows.ts'

/** A customer's account as it was read, with what a rule may ask besides it. */
export interface LoadedAccount {
  /** The account, without orders that are no longer open and subscriptions that are not needed; parts that were not read are empty. */
  readonly account: CustomerAccount
  /** The customer's id. */
  readonly customer_id: string
  /** The products of the account and the one of the call, by id. */
  readonly products: ReadonlyMap<string, CatalogueProduct>
  /** The places of the open adds among those of the customer, by id. */
  readonly addNumbers: ReadonlyMap<string, number>
  /** The place of the most recent add, which may be closed. */
  readonly lastAdd: number
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
  readonly parts: readonly AccountPart[] | 'all'
  /** The subscriptions, where they are one of the parts. */
  readonly subscriptions: readonly SubscriptionNeed[] | 'all'
}

/** All that a rule may use of an account. */
const wholeAccount: AccountNeeds = { parts: 'all', subscriptions: 'all' }

/** Reads parts of a customer's account in one statement; `undefined` for an unknown customer. */
export async function loadAccount(
  send: Send,
  dialect: DialectName,
  input: AccountInput,
  needs: AccountNeeds = wholeAccount,
): Promise<LoadedAccount | undefined> {
  const { text, parameters } = queryFor(dialect, input, needs)
  const { rows } = await send<{ json: string }>(text, parameters)
  return rows[0] && toLoadedAccount(rows[0].json)
}

/** Reads parts of a customer's account together with an expression, in one statement: each is a round trip. */
export async function loadAccountWith(
  send: Send,
  dialect: DialectName,
  input: AccountInput,
  needs: AccountNeeds,
  { name, expression, parameters: others }: Companion,
): Promise<{ readonly loaded: LoadedAccount | undefined; readonly value: unknown }> {
  const { text, parameters } = queryFor(dialect, input, needs)
  const withOthers = findText(
    `${name} ${text}`,
    () => `select (${text}) as json, ${expression(parameters.length)} as value`,
    dialect,
  )
  const { rows } = await send<{ json: string | null; value: unknown }>(withOthers, [...parameters, ...others])
  const [row] = rows
  return { loaded: row?.json == null ? undefined : toLoadedAccount(row.json), value: row?.value }
}

/** What a statement reads besides an account. */
export interface Companion {
  /** No other companion has it. */
  readonly name: string
  /** The expression, whose parameters come after some others. */
  expression(parametersBefore: number): string
  readonly parameters: readonly unknown[]
}

/** Returns the id of the customer with an email; throws StoreError `customer_not_found`. */
export async function findCustomerId(db: Db, email: string): Promise<string> {
  const customer = await db
    .selectFrom('customers')
    .select('id')
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
  if (customer === undefined) throw new StoreError('customer_not_found')
  return customer.id
}

/** Reads the products of the general list, in its order. */
export async function loadOffered(send: Send): Promise<readonly CatalogueProduct[]> {
  const { rows } = await send<ProductRow>(
    `select ${productColumns.join(', ')} from products where available order by position, id`,
    [],
  )
  return rows.map(toProduct)
}

/** Reads a discount by its code, whose letter case does not count. */
export async function loadDiscount(send: Send, dialect: DialectName, code: string): Promise<DiscountTerms | undefined> {
  const parameter = dialect === 'sqlite' ? '?1' : '$1'
  const { rows } = await send<DiscountRow>(
    `select ${discountColumns.join(', ')} from discounts where code_key = ${parameter}`,
    [codeKey(code)],
  )
  return rows[0] && toDiscount(rows[0])
}

function queryFor(
  dialect: DialectName,
  { email, product_id, discount_code, subscription_id }: AccountInput,
  { parts, subscriptions }: AccountNeeds,
) {
  const has = (part: AccountPart) => parts === 'all' || parts.includes(part)
  const product = product_id !== undefined
  const wish: AccountWish = {
    subscriptions: has('subscriptions') ? subscriptions : [],
    orders: !has('orders') ? 'none' : product ? 'of product' : 'all',
    products: has('products'),
    recommended: has('recommended'),
    product,
    discount: discount_code !== undefined,
  }
  const text = findText(JSON.stringify(wish), () => accountStatement(dialect, wish), dialect)
  const parameters = [emailKey(email)]
  if (product_id !== undefined) parameters.push(product_id)
  if (discount_code !== undefined) parameters.push(codeKey(discount_code))
  if (subscription_id !== undefined && wish.subscriptions.includes('named')) parameters.push(subscription_id)
  return { text, parameters }
}

type CustomerRow = Pick<CustomerAccount, 'email' | 'last_sent_on' | 'last_sent_at'> & {
  readonly id: string
  readonly last_add: number
}

function toLoadedAccount(json: string): LoadedAccount {
  const values: readonly unknown[] = JSON.parse(json)
  const { id, email, last_sent_on, last_sent_at, last_add } = toRecord<CustomerRow>(customerColumns, values)
  const read = <Row>(name: (typeof listOrder)[number]) =>
    parseList(values[customerColumns.length + listOrder.indexOf(name)]).map((row) =>
      toRecord<Row>(accountLists[name], parseList(row)),
    )
  const subscriptions = read<SubscriptionRow>('subscriptions')
  const orders = read<OrderRow>('orders')
  const recommended = read<ProductRow>('recommended')
  const products = [...read<ProductRow>('product'), ...recommended, ...read<ProductRow>('products')]
  const [discount] = read<DiscountRow>('discount')
  const adds = [...subscriptions.flatMap(addsOfSubscription), ...orders.flatMap(addsOfOrder)].toSorted(
    (one, other) => one.number - other.number,
  )
  return {
    customer_id: id,
    account: {
      email,
      last_sent_on,
      last_sent_at,
      subscriptions: subscriptions.map(toSubscription),
      adds: adds.map(({ add }) => add),
      discount_uses: [...subscriptions, ...orders].flatMap(({ discount_uses }) => parseJson(discount_uses)),
      orders: orders.map(toOrder),
      recommended: recommended.map((product) => product.id),
    },
    products: new Map(products.map((product) => [product.id, toProduct(product)])),
    addNumbers: new Map(adds.map(({ add, number }) => [add.id, number])),
    lastAdd: last_add,
    discount: discount && toDiscount(discount),
  }
}

function toRecord<Row>(columns: readonly string[], values: readonly unknown[]): Row {
  const record: Record<string, unknown> = {}
  let place = 0
  for (const column of columns) record[column] = values[place++]
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the columns are those of the statement
  return record as Row
}
