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
 * Bills those who do not call: one transaction for each customer, who is locked first and whose account is read again
 * then, so that several processes that bill, and clicks, never make one order twice.
 */
export function createBilling(database: Database, { today, createShop, readDate }: TrialSettings): SqlStore['billDue'] {
  const { dialect } = database

  /** Bills a customer who is still due; returns the number of orders, `undefined` for one who is not, or is locked. */
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
      // A customer who has been billed is not due any more.
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

    /** Bills customers one after the other; returns those with whom there was nothing to do. */
    const billEach = async (list: Iterable<DueCustomer>): Promise<readonly DueCustomer[]> => {
      const left: DueCustomer[] = []
      for (const due of list) {
        try {
          const orders = await billCustomer(due)
          if (orders === undefined) left.push(due)
          else billed += orders
        } catch (error) {
          // A database that is away is so for all of them; an account that cannot be billed keeps nobody else waiting.
          if (isStoreError(error)) throw error
          failures.push(error)
        }
        // Statements of SQLite block the process, and others who write wait for a moment without a lock.
        if (dialect === 'sqlite') await pause(1)
      }
      return left
    }

    const left = await billEach(customers.values())
    // Somebody else bills them, or they click: that it was done is known when their lock is free.
    await billEach(left.map((due) => ({ ...due, waits: true })))
    return { billed, more: found.length > limit, ...(failures.length > 0 && { failures }) }
  }
}

interface DueCustomer {
  readonly id: string
  readonly email: string
  /** The date on which they are due. */
  readonly date: string
  /** Whether to wait for the lock of the customer. */
  readonly waits?: boolean
}

/** The customers of the subscriptions that are due, the longest due first; one with several may be there several times. */
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

/** Locks a customer until the end of the transaction, and returns whether that was possible and they are due. */
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

/** The state is in the text, so that the index of what is due is used. */
function isDue(eb: ExpressionBuilder<Tables, 'subscriptions'>, date: string) {
  return eb.and([sql<boolean>`subscriptions.status = 'active'`, eb('subscriptions.next_billing_date', '<=', date)])
}
