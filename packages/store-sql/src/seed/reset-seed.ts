import { emailKey, type ShopRecords } from '@storeport/rules'
import { type RawBuilder, sql } from 'kysely'
import type { DialectName } from '../db/connections.ts'
import type { Database, Db } from '../db/database.ts'
import { erasedHost } from '../privacy.ts'
import { insertShop } from './seed-shop.ts'

/** Restores the seed if the database contains only the seed and its changes. Returns whether the seed was restored. */
export async function resetSeed({ dialect, transaction }: Database, records: ShopRecords): Promise<boolean> {
  return transaction((db) => resetShop(db, dialect, records), { repeatable: true })
}

/** Condition for a customer that `eraseCustomer` has erased. */
const isErased = sql<boolean>`email_key like ${`erased-%@${erasedHost}`}`

/**
 * Returns an SQL condition that is true if the database contains only the seed: no other products, and each customer of
 * the seed with its subscriptions, or an erased customer instead.
 */
function containsOnlySeed({ accounts, products }: ShopRecords): RawBuilder<boolean> {
  const subscriptions = accounts.flatMap(({ email, subscriptions: all }) =>
    all.map(
      ({ id }) => sql<boolean>`(not exists (select 1 from customers where email_key = ${emailKey(email)}) or exists (
      select 1 from subscriptions join customers on customers.id = subscriptions.customer_id
      where subscriptions.id = ${id} and customers.email_key = ${emailKey(email)}))`,
    ),
  )
  // Without subscriptions, the seed cannot be distinguished from an empty shop.
  if (subscriptions.length === 0) return sql<boolean>`(1 = 0)`
  return sql<boolean>`(${sql.join(subscriptions, sql` and `)}
    and (select count(*) from customers) = ${accounts.length}
    and not exists (select 1 from customers where not (${isErased})
      and email_key not in (${sql.join(accounts.map(({ email }) => emailKey(email)))}))
    and not exists (select 1 from products where id not in (${sql.join(products.map(({ id }) => id))})))`
}

/**
 * Restores the seed if the database contains only the seed. Must run in a transaction. A concurrent click takes effect
 * entirely before or entirely after the reset.
 */
async function resetShop(db: Db, dialect: DialectName, records: ShopRecords): Promise<boolean> {
  // Locks the table, which waits for running changes and blocks new changes. SQLite has already locked the whole file.
  if (dialect === 'postgres') await sql`lock table customers in share row exclusive mode`.execute(db)
  const { rows: found } = await sql`select 1 where ${containsOnlySeed(records)}`.execute(db)
  if (found.length === 0) return false
  // Does not delete the customers, because a click that waits for a customer's lock would not find the customer.
  for (const table of ['click_records', 'actions_run', 'orders', 'subscriptions', 'products', 'discounts'] as const) {
    await db.deleteFrom(table).execute()
  }
  await db.deleteFrom('customers').where(isErased).execute()
  await db.deleteFrom('settings').where('name', '=', 'actions').execute()
  const { rows } = await sql<{ id: string; email_key: string }>`
    update customers set last_sent_on = null, last_sent_at = null, last_add = 0, pending_charge = null, clicks = null,
      version = version + 1
    returning id, email_key`.execute(db)
  const ids = new Map(rows.map(({ id, email_key }) => [email_key, id]))
  await insertShop(db, dialect, records, (email) => ids.get(emailKey(email)))
  return true
}
