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

/** The settings of a shop whose date may be moved. */
export interface TrialSettings extends ShopSettings {
  /** Reads by how much the date was moved; called in every transaction before the shop is made, so that data and date are of one moment. */
  readonly readDate?: ((send: Send) => Promise<void>) | undefined
}

/** A date that is so many days ahead of the clock's. */
export interface TrialDate {
  /** The settings with that date. */
  readonly settings: TrialSettings
  /** The date without what it was moved by, `YYYY-MM-DD`. */
  readonly unmoved: () => string
  /** Reads by how much the date was moved. */
  readonly read: (send: Send) => Promise<void>
}

const dayMs = 86_400_000

/** Makes the date of a database that keeps by how much it was moved. */
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

/** Returns how many days a date is after another one. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

/** Opens what a database is that holds the seed, and nobody else's data; `undefined` for any other. */
export async function openTrial(
  database: Database,
  data: ShopData | undefined,
  { settings, unmoved }: TrialDate,
): Promise<TrialShop | undefined> {
  const { currency } = settings
  const start = () => readShopData(data ?? seed(unmoved(), currency), currency)
  const alone = holdsSeedAlone(start())
  if (!(await database.read((db) => isTrue(db, alone)))) return undefined

  return {
    moveDate: async (to) => {
      const days = String(daysBetween(unmoved(), to))
      // All at one moment: that nobody else's data is there, that the date moves forwards, and the move.
      const moved = await database.transaction(async (db) => {
        const { rows } = await sql`
          insert into settings (name, value) select 'days_ahead', cast(${days} as text) where ${alone}
          on conflict (name) do update set value = excluded.value
            where cast(settings.value as integer) < cast(excluded.value as integer)
          returning name`.execute(db)
        // A click of a later day is a click of its own, however soon it comes by the clock.
        if (rows.length > 0) await db.deleteFrom('clicks').where('id', '<>', 'storeport-age').execute()
        return rows.length > 0
      })
      if (moved) return 'moved'
      return (await database.read((db) => isTrue(db, alone))) ? 'not_later' : 'not_alone'
    },

    reset: () => database.transaction((db) => resetShop(db, database.dialect, start(), alone), { repeatable: true }),
  }
}

async function isTrue(db: Db, condition: ReturnType<typeof holdsSeedAlone>): Promise<boolean> {
  const { rows } = await sql`select 1 where ${condition}`.execute(db)
  return rows.length > 0
}

/**
 * Writes whether a database holds the seed and nobody else's data: its subscriptions are there, each its customer's, and
 * there is no other customer and no other product.
 */
function holdsSeedAlone({ accounts, products }: ShopRecords): RawBuilder<boolean> {
  const subscriptions = accounts.flatMap(({ email, subscriptions: all }) =>
    all.map(
      ({ id }) => sql<boolean>`exists (
      select 1 from subscriptions join customers on customers.id = subscriptions.customer_id
      where subscriptions.id = ${id} and customers.email_key = ${emailKey(email)})`,
    ),
  )
  // Without a subscription nothing would tell the seed from an empty shop.
  if (subscriptions.length === 0) return sql<boolean>`(1 = 0)`
  return sql<boolean>`(${sql.join(subscriptions, sql` and `)}
    and not exists (select 1 from customers where email_key not in (${sql.join(accounts.map(({ email }) => emailKey(email)))}))
    and not exists (select 1 from products where id not in (${sql.join(products.map(({ id }) => id))})))`
}

/**
 * Puts a shop back as it was seeded, and its date, inside a transaction; returns whether it did: not where the condition
 * does not hold. Whoever clicks meanwhile comes before it or after it.
 */
async function resetShop(
  db: Db,
  dialect: DialectName,
  records: ShopRecords,
  condition: RawBuilder<boolean>,
): Promise<boolean> {
  // Changes have ended, and none begins: each locks its customer first. SQLite has one transaction that writes at a time.
  if (dialect === 'postgres') await sql`lock table customers in share row exclusive mode`.execute(db)
  const { rows: found } = await sql`select 1 where ${condition}`.execute(db)
  if (found.length === 0) return false
  // The customers' rows stay: clicks wait for their locks, and would find nobody.
  for (const table of ['actions_run', 'orders', 'subscriptions', 'products', 'discounts'] as const) {
    await db.deleteFrom(table).execute()
  }
  await db.deleteFrom('clicks').where('id', '<>', 'storeport-age').execute()
  await db.deleteFrom('settings').where('name', 'in', ['days_ahead', 'actions']).execute()
  const { rows } = await sql<{ id: string; email_key: string }>`
    update customers set last_sent_on = null, last_sent_at = null, last_add = 0, version = version + 1
    returning id, email_key`.execute(db)
  const ids = new Map(rows.map(({ id, email_key }) => [email_key, id]))
  await insertShop(db, dialect, records, (email) => ids.get(emailKey(email)))
  return true
}
