import { CompiledQuery, MIGRATION_LOCK_ID, Migrator } from 'kysely'
import type { DialectName } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import { migrationsFor } from './index.ts'
import { StoreOpenError } from '../db/store-open-error.ts'

const migrationTable = 'storeport_migrations'
const lockTable = 'storeport_migrations_lock'

/** What a migration is locked by, where the lock is a row; on PostgreSQL it is one of the server's. */
export const migrationLock = { lockTable, lockRowId: MIGRATION_LOCK_ID } as const

/** Whether the tables of a database are those of this version of the package. */
export type TableState = 'current' | 'older'

/** Returns whether the tables must be migrated; throws StoreOpenError for tables of a newer version. */
export async function readTableState(dialect: DialectName, db: Db): Promise<TableState> {
  const known = Object.keys(migrationsFor(dialect))
  const applied = await readAppliedMigrations(dialect, db)
  if (applied.some((name) => !known.includes(name))) {
    throw new StoreOpenError(
      'The database was set up by a newer version of @storeport/store-sql: update this one, or name another database.',
    )
  }
  return applied.length === known.length ? 'current' : 'older'
}

/**
 * Brings the tables up to date, all of it or nothing; another process that does the same at the same time waits. Returns what the
 * merchant must know of it.
 *
 * Kysely's migrator has a lock for PostgreSQL, and none for SQLite: there, `db` must be inside a transaction already.
 */
export async function migrateTables(dialect: DialectName, db: Db): Promise<readonly string[]> {
  const notices: string[] = []
  const schema = await readCurrentSchema(dialect, db)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrationsFor(dialect, (notice) => notices.push(notice)) }) },
    migrationTableName: migrationTable,
    migrationLockTableName: lockTable,
    disableTransactions: dialect === 'sqlite',
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return notices
}

async function readAppliedMigrations(dialect: DialectName, db: Db): Promise<readonly string[]> {
  const exists =
    dialect === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and name = '${migrationTable}'`
      : `select 1 where to_regclass('${migrationTable}') is not null`
  const { rows: found } = await db.executeQuery(CompiledQuery.raw(exists))
  if (found.length === 0) return []
  const { rows } = await db.executeQuery<{ name: string }>(CompiledQuery.raw(`select name from ${migrationTable}`))
  return rows.map(({ name }) => name)
}

/** Where PostgreSQL makes tables: another schema of the same database may hold another store's. */
async function readCurrentSchema(dialect: DialectName, db: Db): Promise<string | undefined> {
  if (dialect === 'sqlite') return undefined
  const { rows } = await db.executeQuery<{ name: string }>(CompiledQuery.raw('select current_schema() as name'))
  return rows[0]?.name
}
