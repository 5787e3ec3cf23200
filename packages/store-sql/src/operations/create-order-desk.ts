import type { OrderLine, ShopActivity } from '@storeport/rules'
import { sql } from 'kysely'
import { findCustomerId } from '../account/find-customer-id.ts'
import type { Database, Db } from '../db/database.ts'
import type { ActionRun, OrderPage, Page, PlacedOrder, SqlStore } from '../sql-store.ts'

type Direction = 'asc' | 'desc'

/** What a fulfilment job reads and marks. */
export function createOrderDesk(
  database: Database,
): Pick<SqlStore, 'orders' | 'markOrder' | 'actionsRun' | 'latestActivity'> {
  return {
    orders: (email, page = {}) => database.read(async (db) => readOrders(db, await findIdIfNamed(db, email), page)),
    actionsRun: (email, page = {}) => database.read(async (db) => readRuns(db, await findIdIfNamed(db, email), page)),
    markOrder: (id, status) => database.transaction((db) => markOrder(db, id, status)),
    latestActivity: (limit = 50) =>
      database.read(async (db) => ({
        orders: (await readOrders(db, undefined, { limit }, 'desc')).map(({ number: _, ...order }) => order),
        discount_uses: await readLatestUses(db, limit),
        actions_run: (await readRuns(db, undefined, { limit }, 'desc')).map(({ number: _, ...run }) => run),
      })),
  }
}

/** From where an order may come; being there already is fine. */
const before = {
  processing: ['open', 'processing'],
  shipped: ['open', 'processing', 'shipped'],
  cancelled: ['open', 'processing', 'cancelled'],
} as const

async function markOrder(db: Db, id: string, status: keyof typeof before): Promise<boolean> {
  // What fulfilment has taken, the customer can no longer undo. An order that it cannot take has none of these rows. They come before
  // the order, as where a customer undoes it: otherwise each could wait for the other.
  await db.deleteFrom('open_adds').where('order_id', '=', id).execute()
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
  customer: string | undefined,
  { status, ...page }: OrderPage,
  direction: Direction = 'asc',
): Promise<readonly PlacedOrder[]> {
  const orders = await db
    .selectFrom('orders')
    .innerJoin('customers', 'customers.id', 'orders.customer_id')
    .selectAll('orders')
    .select('customers.email')
    .$if(customer !== undefined, (query) => query.where('orders.customer_id', '=', customer ?? ''))
    .$if(status !== undefined, (query) => query.where('orders.status', '=', status ?? 'open'))
    .where('orders.number', '>', page.after ?? 0)
    .orderBy('orders.number', direction)
    .limit(sql.lit(limitOf(page)))
    .execute()
  const linesOf = await readLines(
    db,
    orders.map(({ id }) => id),
  )
  return orders.map(({ customer_id: _, ...order }) => ({ ...order, lines: linesOf.get(order.id) ?? [] }))
}

async function readLines(db: Db, orders: readonly string[]): Promise<ReadonlyMap<string, readonly OrderLine[]>> {
  const linesOf = new Map(orders.map((id): [string, OrderLine[]] => [id, []]))
  if (orders.length === 0) return linesOf
  const rows = await db
    .selectFrom('order_lines')
    .selectAll()
    .where('order_id', 'in', orders)
    .orderBy('order_id')
    .orderBy('position')
    .execute()
  for (const { order_id, position: _, one_time, ...line } of rows) {
    linesOf.get(order_id)?.push({ ...line, one_time: Boolean(one_time) })
  }
  return linesOf
}

async function readRuns(
  db: Db,
  customer: string | undefined,
  page: Page,
  direction: Direction = 'asc',
): Promise<readonly ActionRun[]> {
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

/** A use has no number: within a day, it is the order that says when it was, and a use without one may still get it. */
async function readLatestUses(db: Db, limit: number): Promise<ShopActivity['discount_uses']> {
  return db
    .selectFrom('discount_uses')
    .leftJoin('orders', 'orders.id', 'discount_uses.order_id')
    .leftJoin('subscriptions', 'subscriptions.id', 'discount_uses.subscription_id')
    .innerJoin('customers', (join) =>
      join.on('customers.id', '=', ({ fn }) => fn.coalesce('orders.customer_id', 'subscriptions.customer_id')),
    )
    .selectAll('discount_uses')
    .select('customers.email')
    .orderBy('discount_uses.used_on', 'desc')
    .orderBy(sql`orders.number is null`, 'desc')
    .orderBy('orders.number', 'desc')
    .orderBy('discount_uses.id')
    .limit(sql.lit(limitOf({ limit })))
    .execute()
}

async function findIdIfNamed(db: Db, email: string | undefined): Promise<string | undefined> {
  return email === undefined ? undefined : findCustomerId(db, email)
}

function limitOf({ limit = 100 }: Page): number {
  return Math.max(1, Math.min(1000, Math.trunc(limit)))
}
