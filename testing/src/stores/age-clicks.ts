import type { SqlStore } from '@storeport/store-sql'

/** Names of the timestamp fields of a stored click. */
const times = ['at', 'aliveAt', 'firstAt']

/** Moves the timestamps of all stored clicks back by `milliseconds`. */
export async function ageClicks({ database }: Pick<SqlStore, 'database'>, milliseconds: number): Promise<void> {
  await database.transaction(async (db) => {
    const rows = await db.selectFrom('clicks').selectAll().where('id', '<>', 'storeport-age').execute()
    for (const { id, document, expires_at } of rows) {
      const earlier = (field: string, value: unknown) =>
        times.includes(field) && typeof value === 'number' ? value - milliseconds : value
      const changed = { document: JSON.stringify(JSON.parse(document, earlier)), expires_at: expires_at - milliseconds }
      await db.updateTable('clicks').set(changed).where('id', '=', id).execute()
    }
  })
}
