import { CompiledQuery, type Migration } from 'kysely'
import type { DialectName } from '../db/connections.ts'
import { shopTables } from './001-shop.ts'
import { orderTables } from './002-orders.ts'
import { retryTables } from './003-retries.ts'
import { nameItemsByProduct } from './004-item-names.ts'
import { keepClicksInOneTable } from './005-clicks.ts'
import { orderTimes } from './006-order-times.ts'
import { layRowsSideBySide } from './007-side-by-side.ts'
import { clickDocuments } from './008-click-documents.ts'
import { columnsOf } from './column-types.ts'

/** Called with a sentence about the data that a migration changed, or could not name. */
export type OnNotice = (notice: string) => void

/** Every migration by its name, which is never changed: the database remembers it. */
export function migrationsFor(
  dialect: DialectName,
  onNotice: OnNotice = () => {},
): Readonly<Record<string, Migration>> {
  const columns = columnsOf(dialect)
  return {
    '001-shop': migration(shopTables(columns)),
    '002-orders': migration(orderTables(columns)),
    '003-retries': migration(retryTables(columns)),
    '004-item-names': {
      up: async (db) => {
        for (const notice of await nameItemsByProduct(db, dialect, columns)) onNotice(notice)
      },
    },
    '005-clicks': { up: (db) => keepClicksInOneTable(db, dialect, columns) },
    '006-order-times': migration(orderTimes(columns)),
    '007-side-by-side': { up: (db) => layRowsSideBySide(db, dialect, columns) },
    '008-click-documents': migration(clickDocuments(columns)),
  }
}

function migration(statements: readonly string[]): Migration {
  return {
    up: async (db) => {
      for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
    },
  }
}
