import { type RawBuilder, sql } from 'kysely'
import type { DialectName } from './connections.ts'

/**
 * Returns the statement that inserts rows, with JSON columns as objects. All rows must have the same columns. One JSON
 * parameter is much faster than one parameter for each value.
 */
export function insertRows(dialect: DialectName, table: string, rows: readonly object[]): RawBuilder<unknown> {
  const columns = Object.keys(rows[0] ?? {})
  const values = dialect === 'sqlite' ? columns.map((name) => `value ->> '${name}'`) : columns
  const source =
    dialect === 'sqlite'
      ? sql`json_each(${JSON.stringify(rows)}) where true`
      : sql`json_populate_recordset(null::${sql.raw(table)}, ${JSON.stringify(rows)}::json)`
  return sql`insert into ${sql.raw(`${table} (${columns.join(', ')}) select ${values.join(', ')}`)} from ${source}`
}

/** Parses a JSON column that SQLite returns as a string. Returns a parsed value unchanged. */
export function parseJson<Value>(json: Value | string): Value {
  return typeof json === 'string' ? JSON.parse(json) : json
}
