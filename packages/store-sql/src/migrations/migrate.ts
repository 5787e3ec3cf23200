import { sql } from 'kysely'
import type { DialectName } from '../db/connections.ts'
import { createDatabase, type Database, type Db } from '../db/database.ts'
import { openConnections, StoreOpenError, type StorePlace } from '../db/open-connections.ts'
import { createTables } from './tables.ts'

/** Returns the statements of all migrations by name. Names must never change, because databases store the applied names. */
function migrationsOf(dialect: DialectName): ReadonlyMap<string, readonly string[]> {
  return new Map([['001', createTables(dialect)]])
}

/** Returns the names of missing migrations. Throws StoreOpenError if another version has applied an unknown migration. */
export async function findMissing(dialect: DialectName, db: Db): Promise<readonly string[]> {
  const known = [...migrationsOf(dialect).keys()]
  const exists =
    dialect === 'sqlite'
      ? `select 1 from sqlite_master where type = 'table' and name = 'storeport_migrations'`
      : `select 1 where to_regclass('storeport_migrations') is not null`
  const { rows: found } = await sql.raw(exists).execute(db)
  if (found.length === 0) return known
  const { rows } = await sql<{ name: string }>`select name from storeport_migrations`.execute(db)
  const applied = rows.map(({ name }) => name)
  if (applied.every((name) => known.includes(name))) return known.filter((name) => !applied.includes(name))
  throw new StoreOpenError(
    'Another version of @storeport/store-sql created these tables. Use that version, or choose an empty database or a new data folder.',
  )
}

/** Runs the missing migrations in one transaction. Concurrent processes migrate one after another. */
export async function migrate(place: StorePlace, { dialect, read }: Database): Promise<void> {
  if ((await read((db) => findMissing(dialect, db))).length === 0) return
  // Disables the statement timeout, because a migration can take longer, and others wait for its lock.
  const connections = await openConnections(place, { poolSize: 1, statementTimeoutMs: 0 })
  const run = async (db: Db) => {
    const execute = (statement: string) => sql.raw(statement).execute(db)
    // SQLite has locked the file.
    if (dialect === 'postgres') await execute(`select pg_advisory_xact_lock(hashtext('storeport_migrations'))`)
    const missing = await findMissing(dialect, db)
    await execute('create table if not exists storeport_migrations (name text primary key)')
    for (const name of missing) {
      for (const statement of migrationsOf(dialect).get(name) ?? []) await execute(statement)
      await sql`insert into storeport_migrations values (${name})`.execute(db)
    }
  }
  await createDatabase(connections).transaction(run, { repeatable: true }).finally(connections.close)
}
