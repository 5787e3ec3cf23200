import type { Database, Db } from './db/database.ts'

const name = 'public_url'

/** Stores the public URL of a database, if no other URL is stored, or only `previous`. Returns the stored URL. */
export async function claimUrl(database: Database, url: string, previous: string | undefined): Promise<string> {
  const stored = await database.read(find)
  if (stored !== undefined && stored !== previous) return stored
  return database.transaction(async (db) => {
    // Another host may have stored its URL in the meantime.
    await db
      .insertInto('settings')
      .values({ name, value: url })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ value: url })
          .where('settings.value', '=', previous ?? url),
      )
      .execute()
    return (await find(db)) ?? url
  })
}

async function find(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
}
