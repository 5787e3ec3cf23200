import type { DiscountUse, ShopActivity } from '@storeport/rules'
import { sql } from 'kysely'
import { orderColumns } from './account/account-statement.ts'
import { findCustomerId } from './account/load-account.ts'
import type { DialectName } from './db/connections.ts'
import type { Database, Db } from './db/database.ts'
import { parseJson } from './db/rows.ts'
import type { ActionRun, OrderPage, Page, PlacedOrder, SqlStore } from './sql-store.ts'

type Direction = 'asc' | 'desc'

/** Creates the fulfillment methods: lists of orders, action runs and the latest activity, and `markOrder`. */
export function createOrderMethods(
  database: Database,
): Pick<SqlStore, 'orders' | 'markOrder' | 'actionsRun' | 'latestActivity'> {
  return {
    orders: (email, page = {}) => database.read((db) => readOrders(db, email, page)),
    actionsRun: (email, page = {}) => database.read((db) => readRuns(db, email, page)),
    markOrder: (id, status) => database.transaction((db) => markOrder(db, id, status)),
    latestActivity: (limit = 50) =>
      database.read(async (db) => ({
        orders: (await readOrders(db, undefined, { limit }, 'desc')).map(({ number: _, ...order }) => order),
        discount_uses: await readLatestUses(db, database.dialect, limit),
        actions_run: (await readRuns(db, undefined, { limit }, 'desc')).map(({ number: _, ...run }) => run),
      })),
  }
}

/** Allowed previous statuses for each order status. Each list includes the status itself, so that a repeat succeeds. */
const before = {
  processing: ['open', 'processing'],
  shipped: ['open', 'processing', 'shipped'],
  cancelled: ['open', 'processing', 'cancelled'],
} as const

async function markOrder(db: Db, id: string, status: keyof typeof before): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ status })
    .where('id', '=', id)
    .where('status', 'in', before[status])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function readOrders(
  db: Db,
  email: string | undefined,
  { status, ...page }: OrderPage,
  direction: Direction = 'asc',
): Promise<readonly PlacedOrder[]> {
  const customer = email === undefined ? undefined : await findCustomerId(db, email)
  const orders = await db
    .selectFrom('orders')
    .innerJoin('customers', 'customers.id', 'orders.customer_id')
    .select(orderColumns.map((name) => `orders.${name}` as const))
    .select(['orders.number', 'orders.payment', 'customers.email'])
    .$if(customer !== undefined, (query) => query.where('orders.customer_id', '=', customer ?? ''))
    .$if(status !== undefined, (query) => query.where('orders.status', '=', status ?? 'open'))
    .where('orders.number', '>', page.after ?? 0)
    .orderBy('orders.number', direction)
    .limit(sql.lit(limitOf(page)))
    .execute()
  return orders.map(({ lines, payment, ...order }) => ({
    ...order,
    lines: parseJson(lines),
    ...(payment !== null && { payment: JSON.parse(payment) }),
  }))
}

async function readRuns(
  db: Db,
  email: string | undefined,
  page: Page,
  direction: Direction = 'asc',
): Promise<readonly ActionRun[]> {
  const customer = email === undefined ? undefined : await findCustomerId(db, email)
  return db
    .selectFrom('actions_run')
    .innerJoin('customers', 'customers.id', 'actions_run.customer_id')
    .select(['actions_run.number', 'customers.email', 'actions_run.action_id', 'actions_run.run_on'])
    .$if(customer !== undefined, (query) => query.where('actions_run.customer_id', '=', customer ?? ''))
    .where('actions_run.number', '>', page.after ?? 0)
    .orderBy('actions_run.number', direction)
    .limit(sql.lit(limitOf(page)))
    .execute()
}

/**
 * Loads the latest uses of discount codes. For each date, uses without an order precede the uses in orders, latest
 * order first.
 */
async function readLatestUses(db: Db, dialect: DialectName, limit: number): Promise<ShopActivity['discount_uses']> {
  const usesOf = (table: 'subscriptions' | 'orders', number: string) =>
    sql.raw(`
      select used.value as used, used.value ->> 'used_on' as used_on, customers.email, ${number} as number
      from ${table} join customers on customers.id = ${table}.customer_id,
        ${dialect === 'sqlite' ? 'json_each' : 'jsonb_array_elements'}(${table}.discount_uses) as used
      where ${table}.discount_uses <> '[]'`)
  const { rows } = await sql<{ used: DiscountUse | string; email: string }>`
    ${usesOf('subscriptions', 'cast(null as bigint)')} union all ${usesOf('orders', 'orders.number')}
    order by used_on desc, number desc nulls first limit ${sql.lit(limitOf({ limit }))}`.execute(db)
  return rows.map(({ used, email }) => ({ ...parseJson(used), email }))
}

function limitOf({ limit = 100 }: Page): number {
  return Math.max(1, Math.min(1000, Math.trunc(limit)))
}
