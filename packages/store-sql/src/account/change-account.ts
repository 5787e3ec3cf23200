import { type Click, type ClickDocument, type ClickResult, StoreError } from '@storeport/core'
import { codeKey, type CustomerAccount, type DiscountUse, type OpenAdd, type Subscription } from '@storeport/rules'
import { type RawBuilder, sql } from 'kysely'
import type { DialectName, Waiting } from '../db/connections.ts'
import { ChangedMeanwhile, type Database, type Db } from '../db/database.ts'
import type { StoredAdd } from '../db/schema.ts'
import { type AccountNeeds, orderColumns } from './account-statement.ts'
import { readDocument, withDocument } from './click-column.ts'
import { type AccountInput, loadAccount, type LoadedAccount } from './load-account.ts'

/** Data that a transaction saves. */
interface Change<Result> {
  readonly result: Result
  /** The changed account; default: the loaded account. */
  readonly after?: CustomerAccount | undefined
  /** The changed column with the customer's clicks. */
  readonly clicks?: string | undefined
  /** Further writes. */
  readonly writes?: readonly Write[]
}

/** When a change may be committed. */
export interface CommitOptions {
  /** Request whose signal cancels the transaction; by default, the transaction cannot be cancelled. */
  readonly waiting?: Waiting | undefined
  /** Time after which the change is not committed, as `performance.now()`. */
  readonly commitBy?: number
}

/**
 * Locks and loads a customer, and saves the change that `decide` returns, with its click, in one transaction. A crash never
 * separates the change from its click. `readAt` is the time before the read, as `performance.now()`.
 */
export async function changeAccount<Result>(
  { dialect, transaction }: Database,
  named: AccountInput,
  needs: AccountNeeds,
  decide: (loaded: LoadedAccount | undefined, readAt: number) => Change<Result>,
  { waiting, commitBy = Infinity }: CommitOptions = {},
): Promise<Result> {
  const { result } = await transaction(
    async (db, send) => {
      const readAt = performance.now()
      const loaded = await loadAccount(send, dialect, named, needs, true)
      const change = decide(loaded, readAt)
      return { result: change.result, hasChanges: loaded !== undefined && (await save(db, dialect, loaded, change)) }
    },
    {
      waiting,
      customer: named.email,
      // A retry is safe, because it finds a stored click, or a customer that is no longer due, if the first attempt was committed.
      repeatable: true,
      mayCommit: ({ hasChanges }) => {
        if (!hasChanges) return false
        if (commitBy === Infinity) waiting?.signal.throwIfAborted()
        // Rejects a late commit, because the commit might end after the response was sent.
        if (performance.now() < commitBy) return true
        throw new StoreError('store_timeout', undefined, { outcome: 'refused' })
      },
    },
  )
  return result
}

/** Claims a click of a locked customer. Returns the change of `run`, or the result of an earlier attempt. */
export function runClick(
  click: Click,
  { clicks, now }: LoadedAccount,
  readAt: number,
  run: () => Pick<Change<unknown>, 'after' | 'writes'>,
  isLast = true,
): Change<ClickResult> {
  const begun = performance.now()
  const withClick = (document: ClickDocument | undefined) => document && withDocument(clicks, click.customer, document)
  const { result, document } = click.claim(readDocument(clicks, click.customer), now, readAt)
  if (result !== 'run') return { result, clicks: withClick(document) }
  const change = run()
  if (!isLast) return { ...change, result: 'done' }
  const ended = now + Math.floor(performance.now() - begun)
  return { ...change, result: 'done', clicks: withClick(click.succeed(ended).document) }
}

/** A change to the rows of one table. */
interface Write {
  readonly query: RawBuilder<unknown>
  /** Creates the error to throw if the write changes no row; by default, no error is thrown. */
  readonly createError?: (() => Error) | undefined
}

/**
 * Saves a change, and returns whether anything was written. Throws ChangedMeanwhile if subscription items or an order status
 * were changed concurrently, and StoreError `invalid_discount_code` if a discount code is used up.
 */
async function save(db: Db, dialect: DialectName, loaded: LoadedAccount, change: Change<unknown>): Promise<boolean> {
  const { account: before, customer_id } = loaded
  const { after = before, clicks, writes = [] } = change
  // Numbers new additions from `lastAdd + 1`. The loaded additions do not determine the next number, because earlier
  // additions can be missing.
  const numbers = new Map(loaded.addNumbers)
  let last = loaded.lastAdd
  for (const { id } of after.adds) if (!numbers.has(id)) numbers.set(id, ++last)
  const { last_sent_on, last_sent_at, pending_charge } = after
  const customer = changesBetween(
    { ...before, last_add: loaded.lastAdd, clicks: loaded.clicks },
    { last_sent_on, last_sent_at, last_add: last, pending_charge, clicks: clicks ?? loaded.clicks },
  )
  // Updates discount codes last, because many customers share a code and an update locks its row until the commit.
  const [count = [], ...moreCounts] = countDiscountUses(before.discount_uses, after.discount_uses).map((each) => [each])
  const all = [
    ...changeSubscriptions(dialect, before, after, numbers),
    ...changeOrders(customer_id, before, after, numbers),
    ...(Object.keys(customer).length > 0 ? [{ query: update('customers', customer_id, customer) }] : []),
    ...writes,
    ...count,
  ]
  for (const each of [all, ...moreCounts]) await applyWrites(db, dialect, each)
  return all.length > 0
}

/** Applies independent writes in sequence. PostgreSQL receives all writes in one statement, to save round trips. */
async function applyWrites(db: Db, dialect: DialectName, writes: readonly Write[]): Promise<void> {
  const check = ({ createError }: Write, changes: unknown) => {
    if (createError !== undefined && Number(changes) === 0) throw createError()
  }
  if (dialect === 'sqlite' || writes.length < 2) {
    for (const each of writes) check(each, (await each.query.execute(db)).numAffectedRows)
    return
  }
  // The sequence has no effect, because PostgreSQL checks foreign keys at the end.
  const parts = writes.map(({ query }, place) => sql`${sql.raw(`part_${place}`)} as (${query} returning 1)`)
  const counts = writes.map((_, place) => sql.raw(`(select count(*) from part_${place}) as changes_${place}`))
  const combined = sql<Readonly<Record<string, number>>>`with ${sql.join(parts)} select ${sql.join(counts)}`
  const { rows } = await combined.execute(db)
  for (const [place, each] of writes.entries()) check(each, rows[0]?.[`changes_${place}`])
}

type Row = Readonly<Record<string, unknown>>

/** Returns the changed columns, as parameters. */
function changesBetween(before: Row, after: Row): Row {
  const parameters = Object.entries(after).map(([name, value]) => [name, toParameter(value)] as const)
  return Object.fromEntries(parameters.filter(([name, value]) => value !== toParameter(before[name])))
}

function toParameter(value: unknown = null): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

function update(table: 'customers' | 'subscriptions', id: string, changes: Row): RawBuilder<unknown> {
  const columns = Object.entries(changes).map(([name, value]) => sql`${sql.raw(name)} = ${value}`)
  return sql`update ${sql.raw(table)} set ${sql.join(columns)} where id = ${id}`
}

/** Returns one write for each changed subscription, with only the changed columns, to preserve its index entries. */
function changeSubscriptions(
  dialect: DialectName,
  before: CustomerAccount,
  after: CustomerAccount,
  numbers: ReadonlyMap<string, number>,
): readonly Write[] {
  const hasOthers = before.adds !== after.adds || before.discount_uses !== after.discount_uses
  return after.subscriptions.flatMap((subscription): Write | readonly [] => {
    const known = before.subscriptions.find(({ id }) => id === subscription.id)
    if (known === undefined || (known === subscription && !hasOthers)) return []
    const changes = changesBetween(rowOf(before, known, numbers), rowOf(after, subscription, numbers))
    if (Object.keys(changes).length === 0) return []
    const query = update('subscriptions', known.id, changes)
    // On PostgreSQL, the merchant's own statements may change the items concurrently, without a lock on the customer.
    const isCompared = dialect === 'postgres' && 'items' in changes
    return {
      query: isCompared ? sql`${query} and items = cast(${toParameter(known.items)} as jsonb)` : query,
      createError: () => new ChangedMeanwhile(),
    }
  })
}

/** Converts a subscription to the columns of its row. */
export function subscriptionRow({ interval, ...columns }: Subscription) {
  return { ...columns, interval_unit: interval.unit, interval_count: interval.count, adds: [], discount_uses: [] }
}

function rowOf(
  { adds, discount_uses }: CustomerAccount,
  subscription: Subscription,
  numbers: ReadonlyMap<string, number>,
): Row {
  const isOwn = ({ subscription_id }: OpenAdd | DiscountUse) => subscription_id === subscription.id
  return {
    ...subscriptionRow(subscription),
    adds: adds.filter(isOwn).map(({ id, product_id, quantity, item_id, discount_use_id }): StoredAdd => {
      return { id, product_id, quantity, item_id, discount_use_id, number: numbers.get(id) ?? 0 }
    }),
    discount_uses: discount_uses.filter(isOwn),
  }
}

/** Returns the writes for new orders and for orders with a changed status. */
function changeOrders(
  customer_id: string,
  before: CustomerAccount,
  after: CustomerAccount,
  numbers: ReadonlyMap<string, number>,
): readonly Write[] {
  if (before.orders === after.orders) return []
  const unchanged = new Set(before.orders)
  return after.orders.flatMap((order): Write | readonly [] => {
    if (unchanged.has(order)) return []
    const known = before.orders.find(({ id }) => id === order.id)
    const uses = JSON.stringify(after.discount_uses.filter(({ order_id }) => order_id === order.id))
    if (known !== undefined) {
      // Fulfillment does not lock the customer, so the order status may have changed since the read.
      const query = sql`update orders set status = ${order.status}, discount_uses = ${uses}
        where id = ${order.id} and status = ${known.status}`
      return { query, createError: () => new ChangedMeanwhile() }
    }
    const add = after.adds.find(({ order_id }) => order_id === order.id)
    const payment = order.payment === undefined ? null : JSON.stringify(order.payment)
    const values = orderColumns.map((name) => toParameter(order[name]))
    values.push(payment, customer_id, uses, add?.product_id ?? null, add === undefined ? null : numbers.get(add.id))
    const query = sql`insert into orders
      (${sql.raw(orderColumns.join(', '))}, payment, customer_id, discount_uses, added_product_id, add_number)
      values (${sql.join(values)})`
    return { query }
  })
}

/**
 * Returns the writes for added and removed uses of discount codes. A write throws StoreError `invalid_discount_code` if
 * the code is used up, even if several customers use the code concurrently.
 */
function countDiscountUses(before: readonly DiscountUse[], after: readonly DiscountUse[]): readonly Write[] {
  if (after === before) return []
  const changes = new Map<string, number>()
  const count = (uses: readonly DiscountUse[], others: readonly DiscountUse[], change: number) => {
    const known = new Set(others.map(({ id }) => id))
    for (const { id, code } of uses)
      if (!known.has(id)) changes.set(codeKey(code), (changes.get(codeKey(code)) ?? 0) + change)
  }
  count(after, before, 1)
  count(before, after, -1)

  // Sorts the keys, to prevent deadlocks between transactions that update the same codes.
  const keys = [...changes].filter(([, change]) => change !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return keys.map(([key, change]) => {
    const query = sql`update discounts set uses = uses + ${change} where code_key = ${key}`
    if (change < 0) return { query: sql`${query} and uses >= ${-change}` }
    const createError = () => new StoreError('invalid_discount_code')
    return { query: sql`${query} and (max_uses is null or uses + ${change} <= max_uses)`, createError }
  })
}
