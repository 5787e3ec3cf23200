import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '@storeport/core'
import { billDue, chargeDue, type ChargeOrder, type CustomerAccount, readBillLimit, type Shop } from '@storeport/rules'
import { type ExpressionBuilder, sql } from 'kysely'
import { loadAccount } from './account/load-account.ts'
import { saveAccount } from './account/save-account.ts'
import type { DialectName, Send } from './db/connections.ts'
import type { Database, Db } from './db/database.ts'
import type { Tables } from './db/schema.ts'
import { createReadiness } from './db/settings.ts'
import type { SqlStore } from './sql-store.ts'
import type { TrialSettings } from './trial.ts'

/** Settings for billing. */
interface BillingSettings extends TrialSettings {
  /** Charges each due order before it is saved. */
  readonly charge?: ChargeOrder | undefined
}

/**
 * Creates `billDue`, which bills each customer in one transaction. The transaction locks the customer before it loads
 * the account, so that concurrent billing runs and clicks never create an order twice.
 */
export function createBilling(database: Database, settings: BillingSettings): SqlStore['billDue'] {
  const { today, createShop, readDate, charge } = settings
  const { dialect } = database
  const isReady = createReadiness(database)

  /** Bills a customer. Returns the number of created orders, or `undefined` if the customer is locked or not due. */
  const billCustomer = (due: DueCustomer) =>
    database.transaction(
      async (db, send) => ((await lockDue(db, dialect, due)) ? change(send, due, billDue) : undefined),
      // A retry is safe, because the customer is no longer due if the commit succeeded.
      { repeatable: true },
    )

  /** Applies a rule to the whole account of a locked customer; returns the number of created orders. */
  async function change(send: Send, { email }: { readonly email: string }, rule: AccountRule): Promise<number> {
    const loaded = await loadAccount(send, dialect, { email })
    if (loaded === undefined) return 0
    if (readDate !== undefined) await readDate(send)
    const after = rule(loaded.account, createShop({ product: (id) => loaded.products.get(id) }))
    await saveAccount(send, dialect, loaded, after)
    return after.orders.length - loaded.account.orders.length
  }

  /** Charges and bills the orders of a customer. Calls `onBilled` with the number of orders of each transaction. */
  async function chargeCustomer(email: string, chargeOrder: ChargeOrder, onBilled: (orders: number) => void) {
    await chargeDue(async (step) => {
      const options = { customer: email, repeatable: true }
      onBilled(await database.transaction((_, send) => change(send, { email }, step), options))
    }, chargeOrder)
  }

  return async (options) => {
    const limit = readBillLimit(options)
    if (readDate !== undefined) await database.read((_, send) => readDate(send))
    const date = today()
    const pending = charge === undefined ? [] : await database.read((db) => findPending(db, limit + 1))
    const found = [...pending, ...(await database.read((db) => findDue(db, date, limit + 1)))]
    const customers = new Map(found.slice(0, limit).map((row) => [row.id, { ...row, date }]))
    const failures: unknown[] = []
    let billed = 0
    const countOrders = (orders: number) => {
      billed += orders
    }

    /** Bills customers one after another. Returns the customers who were locked or no longer due. */
    const billEach = async (list: Iterable<DueCustomer>): Promise<readonly DueCustomer[]> => {
      const left: DueCustomer[] = []
      for (const due of list) {
        try {
          if (charge !== undefined) await chargeCustomer(due.email, charge, countOrders)
          else {
            const orders = await billCustomer(due)
            if (orders === undefined) left.push(due)
            else countOrders(orders)
          }
        } catch (error) {
          // Ends the run only if the database is unavailable. Other errors concern only this customer.
          if (!(await isReady())) throw new StoreError('store_unavailable', undefined, { cause: error })
          failures.push(error)
        }
        // Pauses for requests and other processes, because a SQLite transaction blocks this process and locks the file.
        if (dialect === 'sqlite') await pause(1)
      }
      return left
    }

    const left = await billEach(customers.values())
    // Retries the remaining customers. This time, waits for locks that another process or a click holds.
    await billEach(left.map((due) => ({ ...due, waits: true })))
    return { billed, more: found.length > limit, ...(failures.length > 0 && { failures }) }
  }
}

interface DueCustomer {
  readonly id: string
  readonly email: string
  /** Date of the billing run. */
  readonly date: string
  /** Whether to wait for the customer's lock; default false, which skips a locked customer. */
  readonly waits?: boolean
}

/** A function that changes an account. */
type AccountRule = (account: CustomerAccount, shop: Shop) => CustomerAccount

/** Returns the customers with a pending charge. */
async function findPending(db: Db, limit: number) {
  return db
    .selectFrom('customers')
    .select(['id', 'email'])
    .where('pending_charge', 'is not', null)
    .orderBy('id')
    .limit(sql.lit(limit))
    .execute()
}

/**
 * Returns the customer of each due subscription, earliest billing date first. A customer with several due subscriptions
 * is repeated.
 */
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

/** Locks a due customer until the end of the transaction. Returns false if the customer is locked or not due. */
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

/**
 * Returns the SQL condition for due subscriptions. The status is a literal, because a parameter would prevent use of
 * the partial index.
 */
function isDue(eb: ExpressionBuilder<Tables, 'subscriptions'>, date: string) {
  return eb.and([sql<boolean>`subscriptions.status = 'active'`, eb('subscriptions.next_billing_date', '<=', date)])
}
