import type { Connections } from '../db/connections.ts'
import { createDatabase, type Database } from '../db/database.ts'
import { migrateTables, migrationLock, readTableState } from './migrate-tables.ts'
import { openConnections } from '../db/open-connections.ts'
import type { StorePlace } from '../db/store-url.ts'

/** Migrates the tables of a database that are older than this version; returns what the merchant must know of it. */
export async function bringUpToDate(place: StorePlace, database: Database): Promise<readonly string[]> {
  const { dialect } = database
  const state = await database.read((db) => readTableState(dialect, db))
  if (state === 'current') return []
  // A large table takes longer than any statement of a call may; one that is made anew is dropped first.
  const connections = await openConnections(place, { poolSize: 1, statementTimeoutMs: 0, checksKeys: false })
  try {
    if (dialect === 'postgres') return await migrateOver(connections)
    return await createDatabase(connections).transaction((db) => migrateTables(dialect, db))
  } finally {
    await connections.close()
  }
}

async function migrateOver(connections: Connections): Promise<readonly string[]> {
  const { db, release } = await connections.reader({ signal: new AbortController().signal })
  const { adapter } = db.getExecutor()
  try {
    // The migrator takes this lock too, but first looks at all tables, of which another host may be dropping one. A session
    // may hold it twice.
    await adapter.acquireMigrationLock(db, migrationLock)
    return await migrateTables(connections.dialect, db).finally(() => adapter.releaseMigrationLock(db, migrationLock))
  } finally {
    release(false)
  }
}
