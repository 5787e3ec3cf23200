import { type Click, type ClickDocument, type ClickResult, StoreError } from '@storeport/core'
import { codeKey, type CustomerAccount, type DiscountUse, type OpenAdd, type Subscription } from '@storeport/rules'
import type { DialectName, Send, Waiting } from '../db/connections.ts'
import { ChangedMeanwhile, type Database } from '../db/database.ts'
import type { StoredAdd } from '../db/tables.ts'
import { type AccountNeeds, orderColumns, subscriptionColumns } from './account-statement.ts'
import { readColumn } from './click-column.ts'
import { type AccountInput, loadAccount, type LoadedAccount } from './load-account.ts'

/** Data that a transaction saves. */
export interface Change<Result> {
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
    async (_, send) => {
      const readAt = performance.now()
      const loaded = await loadAccount(send, dialect, named, needs, true)
      const change = decide(loaded, readAt)
      return { result: change.result, hasChanges: loaded !== undefined && (await save(send, dialect, loaded, change)) }
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
  const column = readColumn(clicks, click.customer)
  const withClick = (document: ClickDocument | undefined) => document && column.withDocument(document)
  const { result, document } = click.claim(column.document, now, readAt)
  if (result !== 'run') return { result, clicks: withClick(document) }
  const change = run()
  if (!isLast) return { ...change, result: 'done' }
  const ended = now + Math.floor(performance.now() - begun)
  return { ...change, result: 'done', clicks: withClick(click.succeed(ended).document) }
}

/** A change to the rows of one table. */
interface Write {
  /** SQL with `?` for each parameter. Building the statement with Kysely takes almost as long as running it on SQLite. */
  readonly statement: string
  readonly parameters: readonly unknown[]
  /** Creates the error to throw if the write changes no row; by default, no error is thrown. */
  readonly createError?: (() => Error) | undefined
}

/**
 * Saves a change, and returns whether anything was written. Throws ChangedMeanwhile if subscription items or an order status
 * were changed concurrently, and StoreError `invalid_discount_code` if a discount code is used up.
 */
async function save(
  send: Send,
  dialect: DialectName,
  loaded: LoadedAccount,
  change: Change<unknown>,
): Promise<boolean> {
  const { account: before, customer_id } = loaded
  const { after = before, clicks, writes = [] } = change
  // Numbers new additions from `lastAdd + 1`. The loaded additions do not determine the next number, because earlier
  // additions can be missing.
  const numbers = new Map(loaded.addNumbers)
  let last = loaded.lastAdd
  for (const { id } of after.adds) if (!numbers.has(id)) numbers.set(id, ++last)
  const customer = {
    ...changesBetween(['last_sent_on', 'last_sent_at', 'pending_charge'], before, after),
    ...(last !== loaded.lastAdd && { last_add: last }),
    ...(clicks !== undefined && { clicks }),
  }
  // Updates discount codes last, because many customers share a code and an update locks its row until the commit.
  const [count = [], ...moreCounts] = countDiscountUses(before.discount_uses, after.discount_uses).map((each) => [each])
  const all = [
    ...changeSubscriptions(dialect, before, after, numbers),
    ...changeOrders(customer_id, before, after, numbers),
    ...(Object.keys(customer).length > 0 ? [update('customers', customer_id, customer)] : []),
    ...writes,
    ...count,
  ]
  for (const each of [all, ...moreCounts]) await applyWrites(send, dialect, each)
  return all.length > 0
}

/** Applies independent writes in sequence. PostgreSQL receives all writes in one statement, to save round trips. */
async function applyWrites(send: Send, dialect: DialectName, writes: readonly Write[]): Promise<void> {
  const check = ({ createError }: Write, changes: number | undefined) => {
    if (createError !== undefined && changes === 0) throw createError()
  }
  if (dialect === 'sqlite') {
    for (const each of writes) check(each, (await send(each.statement, each.parameters)).changes)
    return
  }
  if (writes.length === 0) return
  // The sequence has no effect, because PostgreSQL checks foreign keys at the end.
  const parts = writes.map(({ statement }, place) => `part_${place} as (${statement} returning 1)`)
  const counts = writes.map((_, place) => `(select count(*) from part_${place}) as changes_${place}`)
  const { rows } = await send<Readonly<Record<string, number>>>(
    numberParameters(`with ${parts.join(', ')} select ${counts.join(', ')}`),
    writes.flatMap(({ parameters }) => parameters),
  )
  for (const [place, each] of writes.entries()) check(each, rows[0]?.[`changes_${place}`])
}

function numberParameters(statement: string): string {
  let number = 0
  return statement.replaceAll('?', () => `$${++number}`)
}

type Row = Readonly<Record<string, unknown>>

/** Returns the changed columns, as parameters. Compares by identity first, because rules do not copy unchanged values. */
function changesBetween<Columns extends object>(
  names: readonly (string & keyof Columns)[],
  before: Columns,
  after: Columns,
): Row {
  const changes: Record<string, unknown> = {}
  for (const name of names) {
    if (before[name] === after[name]) continue
    const value = toParameter(after[name])
    if (value !== toParameter(before[name])) changes[name] = value
  }
  return changes
}

function toParameter(value: unknown = null): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

function update(table: 'customers' | 'subscriptions', id: string, changes: Row): Write {
  const columns = Object.keys(changes).map((name) => `${name} = ?`)
  const statement = `update ${table} set ${columns.join(', ')} where id = ?`
  return { statement, parameters: [...Object.values(changes), id] }
}

/** Returns one write for each changed subscription, with only the changed columns, to preserve its index entries. */
function changeSubscriptions(
  dialect: DialectName,
  before: CustomerAccount,
  after: CustomerAccount,
  numbers: ReadonlyMap<string, number>,
): readonly Write[] {
  const hasOthers = before.adds !== after.adds || before.discount_uses !== after.discount_uses
  const listsOf = ({ adds, discount_uses }: CustomerAccount, { id: subscription_id }: Subscription) => {
    const isOwn = (each: OpenAdd | DiscountUse) => each.subscription_id === subscription_id
    return {
      adds: adds.filter(isOwn).map(({ id, product_id, quantity, item_id, discount_use_id }): StoredAdd => {
        return { id, product_id, quantity, item_id, discount_use_id, number: numbers.get(id) ?? 0 }
      }),
      discount_uses: discount_uses.filter(isOwn),
    }
  }
  return after.subscriptions.flatMap((subscription): Write | readonly [] => {
    const known = before.subscriptions.find(({ id }) => id === subscription.id)
    if (known === undefined || (known === subscription && !hasOthers)) return []
    const changes = {
      ...changesBetween(subscriptionColumns, known, subscription),
      ...(known.interval !== subscription.interval && intervalColumns(subscription.interval)),
      ...(hasOthers && changesBetween(['adds', 'discount_uses'], listsOf(before, known), listsOf(after, known))),
    }
    if (Object.keys(changes).length === 0) return []
    const write = { ...update('subscriptions', known.id, changes), createError: () => new ChangedMeanwhile() }
    if (dialect === 'sqlite' || !('items' in changes)) return write
    // On PostgreSQL, the merchant's own statements may change the items concurrently, without a lock on the customer.
    const statement = `${write.statement} and items = cast(? as jsonb)`
    return { ...write, statement, parameters: [...write.parameters, toParameter(known.items)] }
  })
}

/** Converts a subscription without additions to the columns of its row. */
export function subscriptionRow({ interval, ...columns }: Subscription) {
  return { ...columns, ...intervalColumns(interval), adds: [], discount_uses: [] }
}

function intervalColumns({ unit, count }: Subscription['interval']) {
  return { interval_unit: unit, interval_count: count }
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
      const statement = 'update orders set status = ?, discount_uses = ? where id = ? and status = ?'
      const parameters = [order.status, uses, order.id, known.status]
      return { statement, parameters, createError: () => new ChangedMeanwhile() }
    }
    const add = after.adds.find(({ order_id }) => order_id === order.id)
    const payment = order.payment === undefined ? null : JSON.stringify(order.payment)
    const row: Row = {
      ...Object.fromEntries(orderColumns.map((name) => [name, toParameter(order[name])])),
      ...{ payment, customer_id, discount_uses: uses, added_product_id: add?.product_id ?? null },
      add_number: add === undefined ? null : numbers.get(add.id),
    }
    const names = Object.keys(row)
    const statement = `insert into orders (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
    return { statement, parameters: Object.values(row) }
  })
}

/**
 * Returns the writes for added and removed uses of discount codes. A write throws StoreError `invalid_discount_code` if
 * the code is used up, even if several customers use the code concurrently.
 */
function countDiscountUses(before: readonly DiscountUse[], after: readonly DiscountUse[]): readonly Write[] {
  if (after === before) return []
  const changes = new Map<string, number>()
  const count = (uses: readonly DiscountUse[], change: number) => {
    for (const key of uses.map(({ code }) => codeKey(code))) changes.set(key, (changes.get(key) ?? 0) + change)
  }
  count(after, 1)
  count(before, -1)

  // Sorts the keys, to prevent deadlocks between transactions that update the same codes.
  const keys = [...changes].filter(([, change]) => change !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return keys.map(([key, change]) => {
    const statement = 'update discounts set uses = uses + ? where code_key = ?'
    if (change < 0) return { statement: `${statement} and uses >= ?`, parameters: [change, key, -change] }
    const createError = () => new StoreError('invalid_discount_code')
    const limited = `${statement} and (max_uses is null or uses + ? <= max_uses)`
    return { statement: limited, parameters: [change, key, change], createError }
  })
}
