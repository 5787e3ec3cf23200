import { createSqlLedger, type SqlLedger } from '@storeport/core'
import type { Database } from '../db/database.ts'

/** A ledger over the rows of the store's own clicks. */
export type StoreLedger = Omit<SqlLedger, 'requiresScope'>

/**
 * Opens the ledger for custom actions and for methods that a merchant replaces. It has the same documents as the store's own
 * changes, so that each knows of the other (decision 30).
 */
export function openStoreLedger(database: Database): StoreLedger {
  const { dialect } = database
  const { requiresScope: _, ...ledger } = createSqlLedger({
    dialect,
    table: 'clicks',
    run: (text, parameters) => {
      const isRead = /^\s*select/i.test(text)
      // A server commits each statement. A SQLite file is written through one connection, by one caller after the other.
      if (isRead || dialect === 'postgres') return database.read((_db, send) => send(text, parameters))
      return database.transaction((_db, send) => send(text, parameters))
    },
  })
  return ledger
}
