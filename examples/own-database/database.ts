import { readFileSync } from 'node:fs'
import { Kysely, SqliteDialect, type Generated } from 'kysely'
import Database from 'libsql'

/** Tables that the shop already has. */
interface Tables {
  client: { id: number; mail: string }
  article: { sku: string; name: string; cents: number; photo: string; stock: number }
  box: { id: number; client_id: number; ships_on: string; freight_cents: number }
  box_line: { id: Generated<number>; box_id: number; sku: string; units: number; once: number }
}

/** Opens the shop's SQLite file and creates the tables that do not exist. */
export function openDatabase(file: string): Kysely<Tables> {
  const database = new Database(file)
  database.exec(readFileSync(new URL('tables.sql', import.meta.url), 'utf8'))
  return new Kysely({ dialect: new SqliteDialect({ database }) })
}
