import { CompiledQuery } from 'kysely'
import { ownColumns, selectRows } from '../account/row-writes.ts'
import { type NewJsonRow, type TableName, tableNames } from '../columns.ts'
import type { DialectName } from '../db/connections.ts'
import type { Db } from '../db/database.ts'

/** Rows to insert, by table. */
export type NewRows = { readonly [Table in TableName]?: readonly NewJsonRow<Table>[] }

/** Inserts many rows by one statement for each table, which gets them as JSON: far faster than a parameter for each value. */
export async function insertRows(db: Db, dialect: DialectName, rows: NewRows): Promise<void> {
  const byTable: Readonly<Record<string, readonly object[] | undefined>> = rows
  for (const table of tableNames) {
    const list = byTable[table] ?? []
    if (list.length === 0) continue
    const selected = selectRows(dialect, table, dialect === 'sqlite' ? '?1' : '$1')
    const statement = `insert into ${table} (${ownColumns(table).join(', ')}) ${selected}`
    await db.executeQuery(CompiledQuery.raw(statement, [JSON.stringify(list)]))
  }
}
