import type { Database, Db } from './db/database.ts'
import type { PublicUrl } from './sql-store.ts'

const name = 'public_url'

/** Creates the access to the public URL of a database. */
export function createPublicUrl(database: Database): PublicUrl {
  const find = async (db: Db) =>
    (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
  return {
    read: () => database.read(find),
    claim: async (url) => {
      const stored = await database.read(find)
      if (stored !== undefined) return stored
      return database.transaction(async (db) => {
        // Another host may have stored its URL in the meantime.
        const row = { name, value: url } as const
        await db
          .insertInto('settings')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute()
        return (await find(db)) ?? url
      })
    },
    adopt: async (url) => {
      await database.transaction((db) =>
        db
          .insertInto('settings')
          .values({ name, value: url })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: url }))
          .execute(),
      )
    },
  }
}
