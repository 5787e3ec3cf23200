import type { Database, Db } from './database.ts'
import { StoreOpenError } from './store-open-error.ts'

/**
 * Returns the currency of the amounts of a database, which it keeps from when it was made; throws StoreOpenError when
 * another one is wanted: the same numbers would mean other amounts.
 */
export async function keepCurrency(database: Database, wanted: string | undefined): Promise<string> {
  const kept = (await database.read(readCurrency)) ?? (await database.transaction((db) => setCurrency(db, wanted)))
  if (wanted === undefined || wanted === kept) return kept
  throw new StoreOpenError(
    `The amounts of the database are in ${kept}, not in ${wanted}: open it with the currency ${kept}, or name another database.`,
  )
}

async function readCurrency(db: Db): Promise<string | undefined> {
  const setting = await db.selectFrom('settings').select('value').where('name', '=', 'currency').executeTakeFirst()
  return setting?.value
}

/** Sets the currency of a new database, unless somebody else has at the same moment. */
async function setCurrency(db: Db, wanted = 'USD'): Promise<string> {
  await db
    .insertInto('settings')
    .values({ name: 'currency', value: wanted })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await readCurrency(db)) ?? wanted
}
