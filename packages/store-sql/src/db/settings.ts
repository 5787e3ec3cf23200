import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Db } from './database.ts'
import type { Tables } from './tables.ts'
import { StoreOpenError } from './open-connections.ts'

type SettingName = Tables['settings']['name']

/** Returns a setting; `undefined` if it is not stored. */
export async function readSetting(db: Db, name: SettingName): Promise<string | undefined> {
  return (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Stores a setting if no other value is stored, or only `previous`. Returns the stored value. */
export async function claimSetting(
  database: Database,
  name: SettingName,
  value: string,
  previous: string = value,
): Promise<string> {
  const stored = await database.read((db) => readSetting(db, name))
  if (stored !== undefined && (stored === value || stored !== previous)) return stored
  return database.transaction(async (db) => {
    // Another process may have stored its value in the meantime.
    await db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }).where('settings.value', '=', previous))
      .execute()
    return (await readSetting(db, name)) ?? value
  })
}

/**
 * Returns the currency of a database; sets the currency of a new database. Throws StoreOpenError if the requested
 * currency differs from the stored currency, because the stored numbers would then mean different amounts.
 */
export async function readOrSetCurrency(database: Database, requested: string | undefined): Promise<string> {
  const stored = await claimSetting(database, 'currency', requested ?? 'USD')
  if (requested === undefined || requested === stored) return stored
  throw new StoreOpenError(
    `The database stores amounts in ${stored}, not in ${requested}. Set currency to ${stored}, or use another database.`,
  )
}

/** Maximum time for a readiness check, in milliseconds. */
const timeoutMs = 2000
/**
 * Length of the value that a readiness check writes to SQLite. A short value could fit into the space that a failed
 * change has left in the log. The check would then succeed on a full disk.
 */
const probeLength = 65_536

/**
 * Creates a function that checks whether the database can be read and accepts writes. Concurrent calls share one check.
 * Never throws. The check writes a value, because a read does not detect a full disk, a held lock or a standby server.
 */
export function createReadiness(database: Database): () => Promise<boolean> {
  let pending: Promise<boolean> | undefined
  return () =>
    (pending ??= isReady(database).finally(() => {
      pending = undefined
    }))
}

async function isReady(database: Database): Promise<boolean> {
  const waiting = { signal: AbortSignal.timeout(timeoutMs) }
  // Creates a new value for each check, because SQLite does not write unchanged pages.
  const value = randomUUID().repeat(database.dialect === 'sqlite' ? probeLength / 32 : 1)
  const write = sql`insert into settings (name, value) values ('readiness', ${value})
    on conflict (name) do update set value = excluded.value`
  const check = async () => {
    await database.read((db) => readSetting(db, 'currency'), waiting)
    await database.transaction((db) => write.execute(db), { durable: false, waiting })
    return true
  }
  return Promise.race([check().catch(() => false), pause(timeoutMs, false, { ref: false })])
}
