import Libsql from 'libsql'
import pg from 'pg'

/** Columns of each table, without generated columns. */
type Tables = ReadonlyMap<string, readonly string[]>

/** Copies all rows of a SQLite file. `rewind` restores the rows. */
export function rewindSqlite(file: string): { rewind(): void; end(): void } {
  const database = new Libsql(file)
  database.exec(`vacuum into '${file}.backup'; attach '${file}.backup' as backup; pragma foreign_keys = off`)
  const columns = database
    .prepare(
      `select t.name as "table", c.name as "column" from sqlite_master t, pragma_table_xinfo(t.name) c
       where t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\' and c.hidden = 0`,
    )
    .all()
  const statements = statementsFor(tablesOf(columns), 'main')
  return {
    rewind: () => void database.exec(`begin immediate; ${statements} commit`),
    end: () => void database.close(),
  }
}

/** Copies all rows of a PostgreSQL database. `rewind` restores the rows. */
export async function rewindPostgres(url: string): Promise<{ rewind(): Promise<void>; end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select c.relname as "table", a.attname as "column" from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
  )
  const tables = tablesOf(rows)
  const copies = [...tables.keys()].map((table) => `create table backup.${table} as table public.${table};`)
  await client.query(`create schema backup; ${copies.join(' ')}`)
  const statements = statementsFor(tables, 'public', 'overriding system value')
  return {
    // `session_replication_role` disables foreign key checks, so that deletes and inserts can have any order.
    rewind: async () =>
      void (await client.query(`begin; set local session_replication_role = replica; ${statements} commit`)),
    end: () => client.end(),
  }
}

/** Returns statements that restore all rows. Products are deleted last, because subscriptions reference them. */
function statementsFor(tables: Tables, schema: string, overriding = ''): string {
  const deleted = [...tables.keys()].toSorted((one, other) => Number(one === 'products') - Number(other === 'products'))
  const inserted = [...tables].map(([table, columns]) => {
    const names = columns.join(', ')
    return `insert into ${schema}.${table} (${names}) ${overriding} select ${names} from backup.${table};`
  })
  return [...deleted.map((table) => `delete from ${schema}.${table};`), ...inserted].join('\n')
}

function tablesOf(rows: readonly unknown[]): Tables {
  const tables = new Map<string, string[]>()
  for (const row of rows) {
    if (typeof row !== 'object' || row === null || !('table' in row) || !('column' in row)) continue
    const table = String(row.table)
    tables.set(table, [...(tables.get(table) ?? []), String(row.column)])
  }
  return tables
}
