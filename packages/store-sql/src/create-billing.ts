import { setTimeout as pause } from 'node:timers/promises'
import { isStoreError } from '@storeport/core'
import { billDue, readBillLimit } from '@storeport/rules'
import { type ExpressionBuilder, sql } from 'kysely'
import { loadAccount } from './account/load-account.ts'
import { saveAccount } from './account/save-account.ts'
import type { DialectName } from './db/connections.ts'
import type { Database, Db } from './db/database.ts'
import type { Tables } from './db/schema.ts'
import type { SqlStore } from './sql-store.ts'
import type { TrialSettings } from './trial.ts'

/**
 * Creates `billDue`, which bills each customer in one transaction. The transaction locks the customer before it loads
 * the account, so that concurrent billing runs and clicks never create an order twice.
 */
export function createBilling(database: Database, { today, createShop, readDate }: TrialSettings): SqlStore['billDue'] {
  const { dialect } = database

  /** Bills a customer; returns the number of created orders, or `undefined` if the customer is not due or is locked. */
  const billCustomer = (due: DueCustomer) =>
    database.transaction(
      async (db, send) => {
        if (!(await lockDue(db, dialect, due))) return undefined
        const loaded = await loadAccount(send, dialect, due)
        if (loaded === undefined) return undefined
        if (readDate !== undefined) await readDate(send)
        const after = billDue(loaded.account, createShop({ product: (id) => loaded.products.get(id) }))
        await saveAccount(send, dialect, loaded, after)
        return after.orders.length - loaded.account.orders.length
      },
      // If the commit succeeded, a retry finds that the customer is no longer due.
      { repeatable: true },
    )

  return async (options) => {
    const limit = readBillLimit(options)
    if (readDate !== undefined) await database.read((_, send) => readDate(send))
    const date = today()
    const found = await database.read((db) => findDue(db, date, limit + 1))
    const customers = new Map(found.slice(0, limit).map((row) => [row.id, { ...row, date }]))
    const failures: unknown[] = []
    let billed = 0

    /** Bills customers sequentially; returns the customers who were locked or no longer due. */
    const billEach = async (list: Iterable<DueCustomer>): Promise<readonly DueCustomer[]> => {
      const left: DueCustomer[] = []
      for (const due of list) {
        try {
          const orders = await billCustomer(due)
          if (orders === undefined) left.push(due)
          else billed += orders
        } catch (error) {
          // An unreachable database ends the run. An error in one account does not affect other customers.
          if (isStoreError(error)) throw error
          failures.push(error)
        }
        // Lets requests and other processes continue: a SQLite transaction blocks this process and locks the file.
        if (dialect === 'sqlite') await pause(1)
      }
      return left
    }

    const left = await billEach(customers.values())
    // Retries the remaining customers, and waits for locks that another process or a click holds.
    await billEach(left.map((due) => ({ ...due, waits: true })))
    return { billed, more: found.length > limit, ...(failures.length > 0 && { failures }) }
  }
}

interface DueCustomer {
  readonly id: string
  readonly email: string
  /** Date of the billing run. */
  readonly date: string
  /** Whether to wait for the customer's lock; by default, a locked customer is skipped. */
  readonly waits?: boolean
}

/** Returns the customer of each due subscription, earliest billing date first. A customer can be repeated. */
async function findDue(db: Db, date: string, limit: number) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('customers', 'customers.id', 'subscriptions.customer_id')
    .select(['customers.id', 'customers.email'])
    .where((eb) => isDue(eb, date))
    .orderBy('subscriptions.next_billing_date')
    .orderBy('subscriptions.customer_id')
    .limit(sql.lit(limit))
    .execute()
}

/** Locks a due customer until the end of the transaction; returns false if the customer is not due or is locked. */
async function lockDue(db: Db, dialect: DialectName, { id, date, waits = false }: DueCustomer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('customers')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where(({ eb, selectFrom }) =>
      dialect === 'sqlite' || waits
        ? eb('customers.id', '=', id)
        : eb(
            'customers.id',
            '=',
            selectFrom('customers as free').select('free.id').where('free.id', '=', id).forUpdate().skipLocked(),
          ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('subscriptions')
          .select('subscriptions.id')
          .whereRef('subscriptions.customer_id', '=', 'customers.id')
          .where((eb) => isDue(eb, date)),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the SQL condition for due subscriptions. Only a literal status lets the database use the partial index. */
function isDue(eb: ExpressionBuilder<Tables, 'subscriptions'>, date: string) {
  return eb.and([sql<boolean>`subscriptions.status = 'active'`, eb('subscriptions.next_billing_date', '<=', date)])
}
