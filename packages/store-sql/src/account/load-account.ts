import { StoreError } from '@storeport/core'
import {
  type CatalogueProduct,
  codeKey,
  type CustomerAccount,
  type DiscountTerms,
  type DiscountUse,
  emailKey,
  isAvailable,
  type NamedInput,
  type OpenAdd,
  type Order,
  type Subscription,
} from '@storeport/rules'
import type { DialectName, Send } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import type { ProductDetails, StoredAdd } from '../db/tables.ts'
import { type AccountNeeds, accountStatement, discountStatement, offeredStatement } from './account-statement.ts'

/** A customer's account with the products and the discount that a rule may use. */
export type LoadedAccount = ReturnType<typeof toLoadedAccount>

/** The customer, product, discount code and subscription in a request. */
export interface AccountInput extends NamedInput {
  readonly email: string
}

/** Needs that load the whole account. */
export const wholeAccount: AccountNeeds = { uses: 'all', subscriptions: 'all' }
/** Needs that load only the customer. */
export const onlyCustomer: AccountNeeds = { uses: [], subscriptions: [] }

interface AccountRow {
  readonly json: string
  /** Not selected without the clicks. */
  readonly clicks?: string | null
  readonly now?: number | null
}

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
  const { rows } = await send<{ json: string }>(offeredStatement(dialect), [])
  const products = rows.map(({ json }) => toProduct(JSON.parse(json)))
  // A row with `available` can have a `max_quantity` of 0.
  return products.filter(isAvailable)
}

/** Loads a discount by its code, ignoring letter case. */
export async function loadDiscount(send: Send, dialect: DialectName, code: string): Promise<DiscountTerms | undefined> {
  const { rows } = await send<{ json: string }>(discountStatement(dialect), [codeKey(code)], true)
  return rows[0] && toDiscount(JSON.parse(rows[0].json))
}

/** Cache of SQL strings, by needs object and by a number for the parameters. A string key would be slower to build. */
const statements = {
  sqlite: new WeakMap<AccountNeeds, string[]>(),
  postgres: new WeakMap<AccountNeeds, string[]>(),
} as const satisfies Readonly<Record<DialectName, unknown>>

function findStatement(
  dialect: DialectName,
  { product_id, discount_code }: AccountInput,
  needs: AccountNeeds,
  clicks: boolean,
): string {
  const known = statements[dialect].get(needs) ?? []
  statements[dialect].set(needs, known)
  const [product, discount] = [product_id !== undefined, discount_code !== undefined]
  const key = Number(product) + 2 * Number(discount) + 4 * Number(clicks)
  return (known[key] ??= accountStatement(dialect, needs, { product, discount, clicks }))
}

/** A row of `customers` and the selected lists. PostgreSQL returns null for a list without rows. */
interface AccountJson extends Pick<CustomerAccount, 'email' | 'last_sent_on' | 'last_sent_at' | 'pending_charge'> {
  readonly id: string
  readonly last_add: number
  readonly version: number
  readonly subscriptions?: readonly SubscriptionJson[] | null
  readonly orders?: readonly OrderJson[] | null
  readonly products?: readonly ProductJson[] | null
  readonly recommended?: readonly ProductJson[] | null
  readonly product?: readonly ProductJson[] | null
  readonly discount?: readonly DiscountJson[] | null
}

/** A subscription with its uses of discount codes and its additions. */
type SubscriptionJson = readonly [Subscription, readonly DiscountUse[], readonly StoredAdd[]]

/** An order with its uses of discount codes and the number of the addition that created the order. */
type OrderJson = readonly [Order, readonly DiscountUse[], number | null]

/** A row of `products`. SQLite returns a number for a boolean. */
interface ProductJson extends Omit<CatalogueProduct, keyof ProductDetails | 'available'> {
  readonly available: boolean | number
  readonly details: ProductDetails
}

/** A row of `discounts`. */
interface DiscountJson extends Omit<DiscountTerms, 'kind'> {
  readonly percentage: number | null
  readonly amount_minor: number | null
}

function toLoadedAccount({ json, clicks = null, now }: AccountRow) {
  const row: AccountJson = JSON.parse(json)
  const { id, email, last_sent_on, last_sent_at, last_add, version } = row
  const subscriptions = row.subscriptions ?? []
  const orders = row.orders ?? []
  const recommended = row.recommended ?? []
  const adds = readAdds(subscriptions, orders)
  const products = new Map<string, CatalogueProduct>()
  for (const list of [row.product, recommended, row.products])
    for (const product of list ?? []) products.set(product.id, toProduct(product))
  const [discount] = row.discount ?? []
  /** The account, with only open orders and the required subscriptions. Parts that were not loaded are empty. */
  const account: CustomerAccount = {
    email,
    last_sent_on,
    last_sent_at,
    pending_charge: row.pending_charge ?? undefined,
    subscriptions: subscriptions
      .map(([subscription]) => subscription)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    adds: adds.map(({ add }) => add),
    discount_uses: [...subscriptions, ...orders].flatMap(([, uses]) => uses),
    orders: orders.map(([order]) => order),
    recommended: recommended.map((product) => product.id),
  }
  return {
    customer_id: id,
    /** Change counter of the customer. */
    version,
    account,
    /** Products of the account and of the request, by id. */
    products,
    /** Numbers of the additions that can be undone, by addition id. */
    addNumbers: new Map(adds.map(({ add, number }) => [add.id, number])),
    /** Number of the customer's latest addition, even if that addition can no longer be undone. */
    lastAdd: last_add,
    /** Discount for the code in the request. */
    discount: discount && toDiscount(discount),
    /** The customer's clicks; null if they were not loaded. */
    clicks,
    /** Time of the read, in milliseconds since 1970. */
    now: now ?? Date.now(),
  }
}

/**
 * Returns the additions that can be undone with their sequence numbers, oldest first. An open order that has an addition
 * number was created by an addition.
 */
function readAdds(subscriptions: readonly SubscriptionJson[], orders: readonly OrderJson[]) {
  const found: { readonly add: OpenAdd; readonly number: number }[] = []
  for (const [{ id: subscription_id }, , adds] of subscriptions)
    for (const { number, ...add } of adds) found.push({ number, add: { subscription_id, order_id: null, ...add } })
  for (const [{ id, status, lines }, [use], number] of orders) {
    const [line] = lines
    if (number === null || status !== 'open' || line === undefined) continue
    const { product_id, quantity } = line
    const target = { subscription_id: null, item_id: null, order_id: id }
    found.push({ number, add: { id, product_id, quantity, ...target, discount_use_id: use?.id ?? null } })
  }
  return found.toSorted((one, other) => one.number - other.number)
}

/**
 * Converts a row to a product. Missing keys of `details` count as empty. The integration reports an invalid value with
 * the product's id. With a `max_quantity` that is not a number, nor a number as text, the product is unavailable.
 */
function toProduct({ id, title, price_minor, available, details }: ProductJson): CatalogueProduct {
  // A row that another program wrote can have any JSON in `details`.
  const { max_quantity, ...fields } = details ?? {}
  return {
    ...{ ...fields, id, title, price_minor },
    images: fields.images ?? [],
    compare_at_price_minor: fields.compare_at_price_minor ?? null,
    description: fields.description ?? null,
    available: Boolean(available) && toMaximum(max_quantity),
  }
}

function toMaximum(max_quantity: unknown): boolean | number {
  if ((max_quantity ?? null) === null) return true
  // Another program can write a number as text.
  const maximum = typeof max_quantity === 'string' && max_quantity !== '' ? Number(max_quantity) : max_quantity
  return typeof maximum === 'number' && Number.isFinite(maximum) && maximum
}

/** Converts a row to a discount. */
function toDiscount({ percentage, amount_minor, ...limits }: DiscountJson): DiscountTerms {
  if (percentage !== null) return { kind: 'percentage', percentage, ...limits }
  if (amount_minor !== null) return { kind: 'fixed_amount', amount_minor, ...limits }
  throw new Error('Invalid row in discounts: expected a percentage or an amount.')
}
