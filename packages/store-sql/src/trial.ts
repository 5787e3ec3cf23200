import {
  addDays,
  emailKey,
  readShopData,
  seed,
  type Shop,
  type ShopData,
  type ShopRecords,
  type ShopSettings,
} from '@storeport/rules'
import { type RawBuilder, sql } from 'kysely'
import type { DialectName, Send } from './db/connections.ts'
import type { Database, Db } from './db/database.ts'
import { insertShop } from './seed/seed-shop.ts'
import type { TrialShop } from './sql-store.ts'

/** Settings of a shop. In a trial shop, the settings use a date that can be moved. */
export interface TrialSettings extends ShopSettings {
  /** Loads the date. Each transaction calls this function before `createShop`, so that the date matches the data. */
  readonly readDate?: ((send: Send) => Promise<void>) | undefined
}

/** A shop date that can be moved to a number of days ahead of the clock. */
export interface TrialDate {
  /** Settings that use the moved date. */
  readonly settings: TrialSettings
  /** Returns the date of the clock, `YYYY-MM-DD`. */
  readonly unmoved: () => string
  /** Loads the number of days that the date is ahead of the clock. */
  readonly read: (send: Send) => Promise<void>
}

const dayMs = 86_400_000

/** Creates a date that can be moved. The database stores the number of days that the date is ahead of the clock. */
export function createTrialDate(settings: ShopSettings): TrialDate {
  let ahead = 0
  const read = async (send: Send) => {
    ahead = await readDaysAhead(send)
  }
  const move = (shop: Shop): Shop => ({
    ...shop,
    today: addDays(shop.today, ahead),
    now: shop.now === undefined ? undefined : shop.now + ahead * dayMs,
  })
  return {
    settings: {
      ...settings,
      today: () => addDays(settings.today(), ahead),
      createShop: (loaded) => move(settings.createShop(loaded)),
      readDate: read,
    },
    unmoved: settings.today,
    read,
  }
}

async function readDaysAhead(send: Send): Promise<number> {
  const { rows } = await send<{ value: string }>(`select value from settings where name = 'days_ahead'`, [])
  return Number(rows[0]?.value ?? 0)
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

/** Opens a trial shop; returns `undefined` if the database contains data that is not in the seed. */
export async function openTrial(
  database: Database,
  data: ShopData | undefined,
  { settings, unmoved }: TrialDate,
): Promise<TrialShop | undefined> {
  const { currency } = settings
  const start = () => readShopData(data ?? seed(unmoved(), currency), currency)
  const isSeedOnly = containsOnlySeed(start())
  if (!(await database.read((db) => isTrue(db, isSeedOnly)))) return undefined

  return {
    moveDate: async (to) => {
      const days = String(daysBetween(unmoved(), to))
      // Checks and moves the date in one statement, so that only one of two concurrent moves to the same date succeeds.
      const moved = await database.transaction(async (db) => {
        const { rows } = await sql`
          insert into settings (name, value) select 'days_ahead', cast(${days} as text) where ${isSeedOnly}
          on conflict (name) do update set value = excluded.value
            where cast(settings.value as integer) < cast(excluded.value as integer)
          returning name`.execute(db)
        // Deletes the stored clicks, so that the same request on the new date is a new click.
        if (rows.length > 0) await db.deleteFrom('clicks').where('id', '<>', 'storeport-age').execute()
        return rows.length > 0
      })
      if (moved) return 'moved'
      return (await database.read((db) => isTrue(db, isSeedOnly))) ? 'not_later' : 'not_alone'
    },

    reset: () =>
      database.transaction((db) => resetShop(db, database.dialect, start(), isSeedOnly), { repeatable: true }),
  }
}

async function isTrue(db: Db, condition: ReturnType<typeof containsOnlySeed>): Promise<boolean> {
  const { rows } = await sql`select 1 where ${condition}`.execute(db)
  return rows.length > 0
}

/**
 * Returns an SQL condition that is true if the database contains only the seed: each subscription in the seed exists
 * with its customer, and no other customers or products exist.
 */
function containsOnlySeed({ accounts, products }: ShopRecords): RawBuilder<boolean> {
  const subscriptions = accounts.flatMap(({ email, subscriptions: all }) =>
    all.map(
      ({ id }) => sql<boolean>`exists (
      select 1 from subscriptions join customers on customers.id = subscriptions.customer_id
      where subscriptions.id = ${id} and customers.email_key = ${emailKey(email)})`,
    ),
  )
  // Without subscriptions, the seed cannot be distinguished from an empty shop.
  if (subscriptions.length === 0) return sql<boolean>`(1 = 0)`
  return sql<boolean>`(${sql.join(subscriptions, sql` and `)}
    and not exists (select 1 from customers where email_key not in (${sql.join(accounts.map(({ email }) => emailKey(email)))}))
    and not exists (select 1 from products where id not in (${sql.join(products.map(({ id }) => id))})))`
}

/**
 * Restores the seed and the date of the clock if `condition` is true. Returns whether the shop was restored. Must run
 * in a transaction. A concurrent click takes effect entirely before or entirely after the reset.
 */
async function resetShop(
  db: Db,
  dialect: DialectName,
  records: ShopRecords,
  condition: RawBuilder<boolean>,
): Promise<boolean> {
  // Locks the table, which waits for running changes and blocks new changes. SQLite has already locked the whole file.
  if (dialect === 'postgres') await sql`lock table customers in share row exclusive mode`.execute(db)
  const { rows: found } = await sql`select 1 where ${condition}`.execute(db)
  if (found.length === 0) return false
  // Does not delete the customers, because a click that waits for a customer's lock would not find the customer.
  for (const table of ['click_records', 'actions_run', 'orders', 'subscriptions', 'products', 'discounts'] as const) {
    await db.deleteFrom(table).execute()
  }
  await db.deleteFrom('clicks').where('id', '<>', 'storeport-age').execute()
  await db.deleteFrom('settings').where('name', 'in', ['days_ahead', 'actions']).execute()
  const { rows } = await sql<{ id: string; email_key: string }>`
    update customers set last_sent_on = null, last_sent_at = null, last_add = 0, pending_charge = null, version = version + 1
    returning id, email_key`.execute(db)
  const ids = new Map(rows.map(({ id, email_key }) => [email_key, id]))
  await insertShop(db, dialect, records, (email) => ids.get(emailKey(email)))
  return true
}
