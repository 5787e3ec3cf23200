import { emailKey, type ShopRecords } from '@storeport/rules'
import { type RawBuilder, sql } from 'kysely'
import { tableNames, type TableName } from '../columns.ts'
import type { DialectName } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import { insertShop } from '../seed/insert-shop.ts'

/** Their rows stay: clicks wait for the lock of their customer, and would find nobody. */
const keptTables: readonly TableName[] = ['customers', 'milestones', 'settings', 'clicks']

/**
 * Puts a shop back as it was seeded, and its date, inside a transaction; returns whether it did: not where the condition
 * does not hold. Whoever clicks meanwhile comes before it or after it.
 */
export async function resetShop(
  db: Db,
  dialect: DialectName,
  records: ShopRecords,
  condition: RawBuilder<boolean>,
): Promise<boolean> {
  // Changes have ended, and none begins: each locks its customer first. SQLite has one transaction that writes at a time.
  if (dialect === 'postgres') await sql`lock table customers in share row exclusive mode`.execute(db)
  const { rows: found } = await sql`select 1 where ${condition}`.execute(db)
  if (found.length === 0) return false
  for (const table of tableNames.toReversed()) if (!keptTables.includes(table)) await db.deleteFrom(table).execute()
  await db.deleteFrom('clicks').where('id', '<>', 'storeport-age').execute()
  await db.deleteFrom('settings').where('name', '=', 'days_ahead').execute()
  const { rows } = await sql<{ id: string; email_key: string }>`
    update customers set last_sent_on = null, last_sent_at = null, version = version + 1
    returning id, email_key`.execute(db)
  const ids = new Map(rows.map(({ id, email_key }) => [email_key, id]))
  await insertShop(db, dialect, records, (email) => ids.get(emailKey(email)))
  return true
}
