import { CompiledQuery, type Migration, MIGRATION_LOCK_ID, Migrator } from 'kysely'
import type { Connections, DialectName } from '../db/connections.ts'
import { createDatabase, type Database, type Db } from '../db/database.ts'
import { openConnections, type StorePlace } from '../db/open-connections.ts'
import { StoreOpenError } from '../db/store-open-error.ts'
import { createTables } from './tables.ts'

const migrationTable = 'storeport_migrations'
const lockTable = 'storeport_migrations_lock'

/** Returns all migrations by name. Names must never change, because databases store the names of applied migrations. */
export function migrationsFor(dialect: DialectName): Readonly<Record<string, Migration>> {
  return {
    '001': runStatements(createTables(dialect)),
  }
}

function runStatements(statements: readonly string[]): Migration {
  return {
    up: async (db) => {
      for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
    },
  }
}

/** Returns whether the tables exist. Throws StoreOpenError if another version has applied an unknown migration. */
export async function hasTables(dialect: DialectName, db: Db): Promise<boolean> {
  const known = Object.keys(migrationsFor(dialect))
  const applied = await readAppliedMigrations(dialect, db)
  if (applied.some((name) => !known.includes(name))) {
    throw new StoreOpenError(
      'Another version of @storeport/store-sql created these tables. Use that version, or choose an empty database or a new data folder.',
    )
  }
  return applied.length > 0
}

/** Creates the tables in one transaction. Concurrent migrations run one after another. */
export async function bringUpToDate(place: StorePlace, { dialect, read }: Database): Promise<void> {
  if (await read((db) => hasTables(dialect, db))) return
  // Disables the statement timeout, because a migration can take longer, and others wait for its lock.
  const connections = await openConnections(place, { poolSize: 1, statementTimeoutMs: 0 })
  try {
    if (dialect === 'postgres') await migratePostgres(connections)
    // Kysely's migrator has no lock for SQLite, so the write transaction serializes migrations.
    else await createDatabase(connections).transaction((db) => migrateTables(dialect, db))
  } finally {
    await connections.close()
  }
}

async function migratePostgres(connections: Connections): Promise<void> {
  const { db, release } = await connections.reader({ signal: new AbortController().signal })
  const { adapter } = db.getExecutor()
  const lock = { lockTable, lockRowId: MIGRATION_LOCK_ID }
  try {
    await rejectForeignTables(db)
    // Acquires the migrator's lock before the migrator lists the tables. Otherwise, another process could drop tables.
    await adapter.acquireMigrationLock(db, lock)
    await migrateTables('postgres', db).finally(() => adapter.releaseMigrationLock(db, lock))
  } finally {
    release(false)
  }
}

/** Throws before the migrator creates its own tables, so that a rejected database is unchanged. */
async function rejectForeignTables(db: Db): Promise<void> {
  const names = createTables('postgres').flatMap((text) => /^create table (\w+)/.exec(text)?.slice(1) ?? [])
  const { rows } = await db.executeQuery(
    CompiledQuery.raw(
      `select 1 from pg_tables where schemaname = current_schema() and tablename = any($1) and to_regclass('${migrationTable}') is null`,
      [names],
    ),
  )
  if (rows.length > 0) throw Object.assign(new Error('A table already exists.'), { code: '42P07' })
}

async function migrateTables(dialect: DialectName, db: Db): Promise<void> {
  const schema = dialect === 'sqlite' ? undefined : await readCurrentSchema(db)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrationsFor(dialect) }) },
    migrationTableName: migrationTable,
    migrationLockTableName: lockTable,
    disableTransactions: dialect === 'sqlite',
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
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

/** Returns the schema in which PostgreSQL creates tables. Other schemas in the database may contain other stores. */
async function readCurrentSchema(db: Db): Promise<string | undefined> {
  const { rows } = await db.executeQuery<{ name: string }>(CompiledQuery.raw('select current_schema() as name'))
  return rows[0]?.name
}
