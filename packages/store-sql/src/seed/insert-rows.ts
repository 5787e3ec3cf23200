import { CompiledQuery } from 'kysely'
import type { DialectName } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import type { Tables } from '../schema.ts'

/** A row as JSON: images are a list here. */
export type JsonRow = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** Inserts many rows of one table by one statement, which gets them as JSON: far faster than a parameter for each value. */
export async function insertRows(
  db: Db,
  dialect: DialectName,
  table: keyof Tables,
  rows: readonly JsonRow[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const statement =
    dialect === 'sqlite'
      ? `insert into ${table} (${columns.join(', ')})
         select ${columns.map((column) => `value ->> '${column}'`).join(', ')} from json_each(?1)`
      : `insert into ${table} (${columns.join(', ')})
         select ${columns.join(', ')} from json_populate_recordset(null::${table}, $1::json)`
  await db.executeQuery(CompiledQuery.raw(statement, [JSON.stringify(rows)]))
}
