import { randomUUID } from 'node:crypto'
import type { Database, Db } from './db/database.ts'
import { findCustomerId } from './account/load-account.ts'
import { sql } from 'kysely'
import type { SqlStore } from './sql-store.ts'

/** Host of the random address that replaces the email of an erased customer. */
export const erasedHost = 'erased.invalid'

/** Creates the methods for requests of customers about their data. */
export function createPrivacyMethods(
  database: Database,
  today: () => string,
): Pick<SqlStore, 'exportCustomer' | 'eraseCustomer'> {
  return {
    exportCustomer: (email) =>
      database.read(async (db) => {
        const id = await findCustomerId(db, email)
        const own = (table: 'subscriptions' | 'orders' | 'actions_run') =>
          db.selectFrom(table).selectAll().where('customer_id', '=', id).execute()
        return {
          customers: await db.selectFrom('customers').selectAll().where('id', '=', id).execute(),
          subscriptions: await own('subscriptions'),
          orders: await own('orders'),
          actions_run: await own('actions_run'),
        }
      }),
    eraseCustomer: (email, { force = false } = {}) =>
      database.transaction((db) => erase(db, email, today(), force), { customer: email }),
  }
}

/** Deletes the person, and preserves the orders. The transaction has locked the customer. */
async function erase(db: Db, email: string, today: string, force: boolean): ReturnType<SqlStore['eraseCustomer']> {
  const id = await findCustomerId(db, email)
  const { obstacle } = await db
    .selectFrom('customers')
    .select(
      sql<'charge_pending' | 'order_open' | null>`case when pending_charge is not null then 'charge_pending'
        when exists (select 1 from orders where customer_id = ${id} and status in ('open', 'processing'))
        then 'order_open' end`.as('obstacle'),
    )
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (obstacle === 'charge_pending' || (obstacle === 'order_open' && !force)) return obstacle
  await sql`delete from subscriptions where customer_id = ${id}
    and id not in (select subscription_id from orders where customer_id = ${id} and subscription_id is not null)`.execute(
    db,
  )
  // Orders reference these subscriptions.
  await db
    .updateTable('subscriptions')
    .set({ status: 'cancelled', next_billing_date: null, items: '[]', adds: '[]', skipped: '[]' })
    .set({ cancelled_on: sql<string>`coalesce(cancelled_on, ${today})`, anchor_day: null, declined: null })
    .where('customer_id', '=', id)
    .execute()
  await db.deleteFrom('actions_run').where('customer_id', '=', id).execute()
  await db
    .updateTable('customers')
    .set({ email: `erased-${randomUUID()}@${erasedHost}`, last_sent_on: null, last_sent_at: null, recommended: '[]' })
    .set({ clicks: null })
    .where('id', '=', id)
    .execute()
  return 'erased'
}
