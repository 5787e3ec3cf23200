import type { Database, Db } from './database.ts'
import { StoreOpenError } from './store-open-error.ts'

/**
 * Returns the currency of a database; sets the currency of a new database. Throws StoreOpenError if the requested
 * currency differs from the stored currency, because the stored numbers would then mean different amounts.
 */
export async function readOrSetCurrency(database: Database, requested: string | undefined): Promise<string> {
  const stored = (await database.read(readCurrency)) ?? (await database.transaction((db) => setCurrency(db, requested)))
  if (requested === undefined || requested === stored) return stored
  throw new StoreOpenError(
    `The database stores amounts in ${stored}, not in ${requested}. Set currency to ${stored}, or use another database.`,
  )
}

async function readCurrency(db: Db): Promise<string | undefined> {
  const setting = await db.selectFrom('settings').select('value').where('name', '=', 'currency').executeTakeFirst()
  return setting?.value
}

/** Sets the currency of a new database, unless another process has already set the currency. */
async function setCurrency(db: Db, currency = 'USD'): Promise<string> {
  await db
    .insertInto('settings')
    .values({ name: 'currency', value: currency })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await readCurrency(db)) ?? currency
}

/** Maximum time for a readiness check, in milliseconds. */
const timeoutMs = 2000

/**
 * Creates a function that checks whether the database accepts writes. Concurrent calls share one check. Never throws.
 *
 * The check performs a write, because only a write detects a full disk, a held lock or a standby server.
 */
export function createReadiness(database: Database): () => Promise<boolean> {
  let pending: Promise<boolean> | undefined
  return () =>
    (pending ??= isWritable(database).finally(() => {
      pending = undefined
    }))
}

async function isWritable(database: Database): Promise<boolean> {
  const waiting = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false)
      waiting.abort()
    }, timeoutMs)
  })
  const written = database.transaction(
    (db) =>
      db
        .updateTable('settings')
        .set(({ ref }) => ({ value: ref('value') }))
        .where('name', '=', 'currency')
        .execute(),
    { durable: false, waiting },
  )
  const succeeded = written.then(
    () => true,
    () => false,
  )
  return Promise.race([succeeded, timeUp]).finally(() => clearTimeout(timer))
}
