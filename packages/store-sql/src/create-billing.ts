import { setTimeout as pause } from 'node:timers/promises'
import { completeClick, StoreError } from '@storeport/core'
import {
  type BillPosition,
  billUncharged,
  chargeDue,
  type ChargeOrder,
  completedClick,
  type CustomerAccount,
  readBillLimit,
  type Shop,
  type ShopSettings,
} from '@storeport/rules'
import { type ExpressionBuilder, sql } from 'kysely'
import { readDocument, withDocument } from './account/click-column.ts'
import { loadAccount } from './account/load-account.ts'
import { saveAccount } from './account/save-account.ts'
import type { DialectName, Send } from './db/connections.ts'
import type { Database, Db } from './db/database.ts'
import type { Tables } from './db/schema.ts'
import { createReadiness } from './db/settings.ts'
import type { SqlStore } from './sql-store.ts'

/** Settings for billing. */
interface BillingSettings extends ShopSettings {
  /** Charges each due order before it is saved. */
  readonly charge?: ChargeOrder | undefined
}

/**
 * Creates `billDue`, which bills each customer in one transaction. The transaction locks the customer before it loads
 * the account, so that concurrent billing runs and clicks never create an order twice.
 */
export function createBilling(database: Database, settings: BillingSettings): SqlStore['billDue'] {
  const { today, createShop, charge } = settings
  const { dialect } = database
  const isReady = createReadiness(database)

  /** Bills a customer. Returns the number of created orders, or `undefined` if the customer is locked or not due. */
  const billCustomer = (due: DueCustomer) =>
    database.transaction(
      async (db, send) => ((await lockDue(db, dialect, due)) ? change(send, due, billUncharged) : undefined),
      // A retry is safe, because the customer is no longer due if the commit succeeded.
      { repeatable: true },
    )

  /** Applies a rule to the whole account of a locked customer; returns the number of created orders. */
  async function change(send: Send, { email }: { readonly email: string }, rule: AccountRule): Promise<number> {
    const loaded = await loadAccount(send, dialect, { email }, undefined, true)
    if (loaded === undefined) return 0
    const after = rule(loaded.account, createShop({ product: (id) => loaded.products.get(id), at: loaded.now }))
    const click = completedClick(loaded.account, after)
    const done = click && completeClick(readDocument(loaded.clicks, click.customer), click.key, loaded.now).document
    const clicks = click && done && withDocument(loaded.clicks, click.customer, done)
    await saveAccount(send, dialect, loaded, after, clicks)
    return after.orders.length - loaded.account.orders.length
  }

  /** Charges and bills the orders of a customer. Calls `onBilled` with the number of orders of each transaction. */
  async function chargeCustomer(email: string, chargeOrder: ChargeOrder, onBilled: (orders: number) => void) {
    await chargeDue(async (step) => {
      const options = { customer: email, repeatable: true }
      onBilled(await database.transaction((_, send) => change(send, { email }, step), options))
    }, chargeOrder)
  }

  /**
   * Yields the customers with a pending charge, and then the customer of each due subscription, earliest billing date
   * first. A customer with several due subscriptions is repeated.
   */
  async function* findCustomers(
    date: string,
    pageSize: number,
    after: Position | undefined,
  ): AsyncGenerator<FoundCustomer> {
    const isPending = after === undefined || after.date === ''
    if (isPending && charge !== undefined)
      yield* readPages((last) => database.read((db) => findPending(db, last, pageSize)), pageSize, after)
    const first = isPending ? undefined : after
    yield* readPages((last) => database.read((db) => findDue(db, date, last, pageSize)), pageSize, first)
  }

  return async (options) => {
    const limit = readBillLimit(options)
    const date = today()
    const failures: unknown[] = []
    const chargeErrors = new Set<unknown>()
    const chargeOrder: ChargeOrder | undefined =
      charge &&
      ((order) =>
        charge(order).catch((error: unknown) => {
          chargeErrors.add(error)
          throw error
        }))
    const failed = new Set(options?.after?.failed)
    let billed = 0
    const countOrders = (orders: number) => {
      billed += orders
    }
    const left: DueCustomer[] = []

    /** Bills a customer. Adds a customer who was locked or no longer due to `left`. Returns false after a failure. */
    const tryToBill = async (due: DueCustomer): Promise<boolean> => {
      try {
        const before = billed
        if (chargeOrder !== undefined) {
          await chargeCustomer(due.email, chargeOrder, countOrders)
          // A customer whose charge was declined today is not tried, and does not count.
          return billed > before
        } else {
          const orders = await billCustomer(due)
          if (orders === undefined) left.push(due)
          else countOrders(orders)
        }
        return true
      } catch (error) {
        // Ends the run only if the database is unavailable. Other errors concern only this customer.
        const isOfCharge = chargeErrors.has(error) || (error instanceof Error && chargeErrors.has(error.cause))
        if (!isOfCharge && !(await isReady())) throw new StoreError('store_unavailable', undefined, { cause: error })
        failures.push(error)
        failed.add(due.id)
        return false
      } finally {
        // Pauses for requests and other processes, because a SQLite transaction blocks this process and locks the file.
        if (dialect === 'sqlite') await pause(1)
      }
    }

    const tried = new Set(failed)
    let customers = 0
    let last: Position | undefined = options?.after
    let more = false
    const most = tried.size + triesPerSuccess * limit
    for await (const found of findCustomers(date, limit + 1, last)) {
      if (tried.has(found.id)) continue
      more = customers === limit || tried.size === most
      if (more) break
      tried.add(found.id)
      last = found
      if (await tryToBill({ ...found, date })) customers += 1
    }
    // Retries the remaining customers. This time, waits for locks that another process or a click holds.
    for (const due of left.splice(0)) await tryToBill({ ...due, waits: true })
    return {
      billed,
      more,
      ...(more && last && { after: { date: last.date, id: last.id, failed: [...failed] } }),
      ...(failures.length > 0 && { failures }),
    }
  }
}

/** A call ends after this number of tries for each customer of its limit, so that it ends even if all charges fail. */
const triesPerSuccess = 10

/** Position in the list of customers. */
type Position = Pick<BillPosition, 'date' | 'id'>

/** A customer in the list of customers to bill. `date` is empty for a pending charge. */
interface FoundCustomer extends Position {
  readonly email: string
}

/** Yields the rows of all pages. The last page is not full. */
async function* readPages<Row extends Position>(
  read: (after: Position | undefined) => Promise<readonly Row[]>,
  pageSize: number,
  after: Position | undefined,
): AsyncGenerator<Row> {
  for (let last = after; ;) {
    const page = await read(last)
    yield* page
    if (page.length < pageSize) return
    last = page.at(-1)
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

/** Returns the customers with a pending charge, sorted by id. */
async function findPending(db: Db, after: Position | undefined, limit: number): Promise<readonly FoundCustomer[]> {
  const rows = await db
    .selectFrom('customers')
    .select(['id', 'email'])
    .where('pending_charge', 'is not', null)
    .where('id', '>', after?.id ?? '')
    .orderBy('id')
    .limit(sql.lit(limit))
    .execute()
  return rows.map((row) => ({ ...row, date: '' }))
}

/** Returns the customer of each due subscription, sorted by billing date and customer id. */
async function findDue(db: Db, date: string, after: Position | undefined, limit: number) {
  const due = db
    .selectFrom('subscriptions')
    .innerJoin('customers', 'customers.id', 'subscriptions.customer_id')
    .select(['customers.id', 'customers.email', 'subscriptions.next_billing_date as date'])
    .where((eb) => dueCondition(eb, date))
    .orderBy('subscriptions.next_billing_date')
    .orderBy('subscriptions.customer_id')
    .limit(sql.lit(limit))
  if (after === undefined) return due.$narrowType<{ date: string }>().execute()
  const place = sql<boolean>`(subscriptions.next_billing_date, subscriptions.customer_id) > (${after.date}, ${after.id})`
  return due.where(place).$narrowType<{ date: string }>().execute()
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
          .where((eb) => dueCondition(eb, date)),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Returns the SQL condition for due subscriptions. The status is a literal, because a parameter would prevent use of
 * the partial index.
 */
function dueCondition(eb: ExpressionBuilder<Tables, 'subscriptions'>, date: string) {
  return eb.and([sql<boolean>`subscriptions.status = 'active'`, eb('subscriptions.next_billing_date', '<=', date)])
}
