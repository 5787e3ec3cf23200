import { join } from 'node:path'
import { openSqlStore } from '@storeport/store-sql'

/** Runs a statement in the SQLite database of a host's data folder. */
export async function runSql(data: string, text: string): Promise<void> {
  const store = await openSqlStore({ url: `sqlite:${join(data, 'store.db')}` })
  try {
    await store.database.transaction((_db, send) => send(text, []))
  } finally {
    await store.close()
  }
}
