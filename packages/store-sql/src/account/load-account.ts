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
import { getStatement, parseJson, parseList } from '../db/writes.ts'
import {
  accountLists,
  accountStatement,
  type AccountSelection,
  customerColumns,
  listOrder,
} from './account-statement.ts'
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

/** A customer's account with the products and the discount that a rule may use. */
export interface LoadedAccount {
  /** The account, with open orders and the required subscriptions only. Parts that were not loaded are empty. */
  readonly account: CustomerAccount
  /** Id of the customer. */
  readonly customer_id: string
  /** Products of the account and of the request, by id. */
  readonly products: ReadonlyMap<string, CatalogueProduct>
  /** Numbers of the additions that can be undone, by addition id. */
  readonly addNumbers: ReadonlyMap<string, number>
  /** Number of the customer's latest addition, even if that addition can no longer be undone. */
  readonly lastAdd: number
  /** Discount for the code in the request. */
  readonly discount: DiscountTerms | undefined
}

/** The customer, product, discount code and subscription in a request. */
export interface AccountInput extends NamedInput {
  readonly email: string
}

/** The data of an account that a rule requires. */
export interface AccountNeeds {
  /** Required parts. */
  readonly parts: readonly AccountPart[] | 'all'
  /** Required subscriptions. Ignored unless `parts` includes subscriptions. */
  readonly subscriptions: readonly SubscriptionNeed[] | 'all'
}

const wholeAccount: AccountNeeds = { parts: 'all', subscriptions: 'all' }

/** Loads parts of a customer's account in one statement; returns `undefined` if the customer does not exist. */
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

/** Loads parts of a customer's account and the value of an SQL expression in one statement, to save a round trip. */
export async function loadAccountWith(
  send: Send,
  dialect: DialectName,
  input: AccountInput,
  needs: AccountNeeds,
  { name, expression, parameters: others }: Companion,
): Promise<{ readonly loaded: LoadedAccount | undefined; readonly value: unknown }> {
  const { text, parameters } = queryFor(dialect, input, needs)
  const withOthers = getStatement(
    `${name} ${text}`,
    () => `select (${text}) as json, ${expression(parameters.length)} as value`,
    dialect,
  )
  const { rows } = await send<{ json: string | null; value: unknown }>(withOthers, [...parameters, ...others])
  const [row] = rows
  return { loaded: row?.json == null ? undefined : toLoadedAccount(row.json), value: row?.value }
}

/** An SQL expression that is selected together with an account. */
export interface Companion {
  /** Unique name, which identifies the SQL of the expression. */
  readonly name: string
  /** Returns the SQL of the expression. Placeholders are numbered from `parametersBefore + 1`. */
  expression(parametersBefore: number): string
  readonly parameters: readonly unknown[]
}

/** Returns the id of the customer with the given email; throws StoreError `customer_not_found`. */
export async function findCustomerId(db: Db, email: string): Promise<string> {
  const customer = await db
    .selectFrom('customers')
    .select('id')
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
  if (customer === undefined) throw new StoreError('customer_not_found')
  return customer.id
}

/** Loads the available products, in the order of the general product list. */
export async function loadOffered(send: Send): Promise<readonly CatalogueProduct[]> {
  const { rows } = await send<ProductRow>(
    `select ${productColumns.join(', ')} from products where available order by position, id`,
    [],
  )
  return rows.map(toProduct)
}

/** Loads a discount by its code, ignoring letter case. */
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
  const selection: AccountSelection = {
    subscriptions: has('subscriptions') ? subscriptions : [],
    orders: !has('orders') ? 'none' : product ? 'of product' : 'all',
    products: has('products'),
    recommended: has('recommended'),
    product,
    discount: discount_code !== undefined,
  }
  const text = getStatement(JSON.stringify(selection), () => accountStatement(dialect, selection), dialect)
  const parameters = [emailKey(email)]
  if (product_id !== undefined) parameters.push(product_id)
  if (discount_code !== undefined) parameters.push(codeKey(discount_code))
  if (subscription_id !== undefined && selection.subscriptions.includes('named')) parameters.push(subscription_id)
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
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the columns match the statement
  return record as Row
}
