import type { DialectName } from '../db/connections.ts'
import type { Database, Db } from '../db/database.ts'

/** Removes some of what has expired, now and then; returns at once, and never fails. */
export type Sweep = () => void

/** The tables whose rows expire. */
export type ExpiringTable = 'applied_keys' | 'ledger_clicks'

/** Most rows that are removed in one transaction, and the least time between two, in milliseconds. */
const batch = 500
const everyMs = 10_000

/**
 * Makes the cleaning of a table with a column `expires_at`, to be called after every change: a small step every ten
 * seconds, and at once again as long as a step was full, so that it keeps up with whatever comes in.
 */
export function createSweep(database: Database, table: ExpiringTable, now: () => number = Date.now): Sweep {
  let nextAt = 0
  let isRunning = false

  const step = async () => {
    const removed = await database.transaction(
      (db) => removeExpired({ db, dialect: database.dialect, table, now: now() }),
      { durable: false },
    )
    nextAt = removed === batch ? 0 : now() + everyMs
  }

  return () => {
    if (isRunning || now() < nextAt) return
    isRunning = true
    nextAt = now() + everyMs
    step()
      // What is left over is removed by a later step.
      .catch(() => {})
      .finally(() => {
        isRunning = false
      })
  }
}

async function removeExpired({ db, dialect, table, now }: Expired): Promise<number> {
  const expired = db
    .selectFrom(table)
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(batch)
    // Another process may be at the same rows: it removes them.
    .$if(dialect === 'postgres', (query) => query.forUpdate().skipLocked())
  // Checked again: a row that was taken over since it was found is not expired any more.
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('id', 'in', expired)
    .where('expires_at', '<=', now)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

interface Expired {
  readonly db: Db
  readonly dialect: DialectName
  readonly table: ExpiringTable
  readonly now: number
}
