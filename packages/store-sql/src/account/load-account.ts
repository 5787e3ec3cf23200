import { StoreError } from '@storeport/core'
import {
  type CatalogueProduct,
  codeKey,
  type CustomerAccount,
  type DiscountTerms,
  emailKey,
  isAvailable,
  type NamedInput,
} from '@storeport/rules'
import type { DialectName, Send } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import { inDialect } from '../db/writes.ts'
import { type AccountNeeds, accountStatement } from './account-statement.ts'
import {
  type AccountJson,
  type DiscountJson,
  type ProductJson,
  readAdds,
  recordExpressions,
  toDiscount,
  toProduct,
} from './records.ts'

/** A customer's account with the products and the discount that a rule may use. */
export interface LoadedAccount {
  /** The account, with only open orders and the required subscriptions. Parts that were not loaded are empty. */
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
  /** The customer's clicks; null if they were not loaded. */
  readonly clicks: string | null
  /** Time of the read, in milliseconds since 1970. */
  readonly now: number
}

interface AccountRow {
  readonly json: string
  /** Not selected without the clicks. */
  readonly clicks?: string | null
  readonly now?: number | null
}

/** The customer, product, discount code and subscription in a request. */
export interface AccountInput extends NamedInput {
  readonly email: string
}

/** Needs that load the whole account. */
export const wholeAccount: AccountNeeds = { uses: 'all', subscriptions: 'all' }

/**
 * Loads parts of a customer's account in one statement; returns `undefined` if the customer does not exist. `withClicks`
 * also loads the clicks, for a locked customer.
 */
export async function loadAccount(
  send: Send,
  dialect: DialectName,
  input: AccountInput,
  needs: AccountNeeds = wholeAccount,
  withClicks: boolean = false,
): Promise<LoadedAccount | undefined> {
  const parameters: unknown[] = [emailKey(input.email)]
  if (input.product_id !== undefined) parameters.push(input.product_id)
  if (input.discount_code !== undefined) parameters.push(codeKey(input.discount_code))
  if (needs.subscriptions.includes('named')) parameters.push(input.subscription_id)
  const { rows } = await send<AccountRow>(findStatement(dialect, input, needs, withClicks), parameters, true)
  return rows[0] && toLoadedAccount(rows[0])
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

/** Loads the available products, in the sequence of the general product list. */
export async function loadOffered(send: Send, dialect: DialectName): Promise<readonly CatalogueProduct[]> {
  const { product } = recordExpressions[dialect]
  const offered = `select cast(${product} as text) as json from products where available order by position, id`
  const { rows } = await send<{ json: string }>(offered, [])
  const products = rows.map(({ json }) => {
    const row: ProductJson = JSON.parse(json)
    return toProduct(row)
  })
  // A row with `available` can have a `max_quantity` of 0.
  return products.filter(isAvailable)
}

/** Loads a discount by its code, ignoring letter case. */
export async function loadDiscount(send: Send, dialect: DialectName, code: string): Promise<DiscountTerms | undefined> {
  const { discount } = recordExpressions[dialect]
  const found = `select cast(${discount} as text) as json from discounts where code_key = $1`
  const { rows } = await send<{ json: string }>(inDialect(dialect, found), [codeKey(code)], true)
  if (rows[0] === undefined) return undefined
  const row: DiscountJson = JSON.parse(rows[0].json)
  return toDiscount(row)
}

/** Cache of SQL strings, by needs object and by a number for the parameters. A string key would be slower to build. */
const statements = {
  sqlite: new WeakMap<AccountNeeds, Map<number, string>>(),
  postgres: new WeakMap<AccountNeeds, Map<number, string>>(),
} as const satisfies Readonly<Record<DialectName, unknown>>

function findStatement(
  dialect: DialectName,
  { product_id, discount_code }: AccountInput,
  needs: AccountNeeds,
  clicks: boolean,
): string {
  const known = statements[dialect].get(needs) ?? new Map<number, string>()
  statements[dialect].set(needs, known)
  const [product, discount] = [product_id !== undefined, discount_code !== undefined]
  const key = Number(product) + 2 * Number(discount) + 4 * Number(clicks)
  const found = known.get(key)
  if (found !== undefined) return found
  const text = accountStatement(dialect, needs, { product, discount, clicks })
  known.set(key, text)
  return text
}

function toLoadedAccount({ json, clicks = null, now }: AccountRow): LoadedAccount {
  const row: AccountJson = JSON.parse(json)
  const subscriptions = row.subscriptions ?? []
  const orders = row.orders ?? []
  const adds = readAdds(subscriptions, orders)
  const products = new Map<string, CatalogueProduct>()
  for (const list of [row.product, row.recommended, row.products])
    for (const product of list ?? []) products.set(product.id, toProduct(product))
  const [discount] = row.discount ?? []
  return {
    customer_id: row.id,
    account: {
      email: row.email,
      last_sent_on: row.last_sent_on,
      last_sent_at: row.last_sent_at,
      subscriptions: subscriptions
        .map(([subscription]) => subscription)
        .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      adds: adds.map(({ add }) => add),
      discount_uses: [...subscriptions, ...orders].flatMap(([, uses]) => uses),
      orders: orders.map(([order]) => order),
      recommended: (row.recommended ?? []).map(({ id }) => id),
      pending_charge: row.pending_charge ?? undefined,
    },
    products,
    addNumbers: new Map(adds.map(({ add, number }) => [add.id, number])),
    lastAdd: row.last_add,
    discount: discount && toDiscount(discount),
    clicks,
    now: now ?? Date.now(),
  }
}
