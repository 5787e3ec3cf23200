import { CompiledQuery, type Migration } from 'kysely'
import type { DialectName } from '../db/connections.ts'
import { shopTables } from './001-shop.ts'
import { orderTables } from './002-orders.ts'
import { retryTables } from './003-retries.ts'
import { columnsOf } from './columns.ts'

/** Every migration by its name, which is never changed: the database remembers it. */
export function migrationsFor(dialect: DialectName): Readonly<Record<string, Migration>> {
  const columns = columnsOf(dialect)
  return {
    '001-shop': migration(shopTables(columns)),
    '002-orders': migration(orderTables(columns)),
    '003-retries': migration(retryTables(columns)),
  }
}

function migration(statements: readonly string[]): Migration {
  return {
    up: async (db) => {
      for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
    },
  }
}
