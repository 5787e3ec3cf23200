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
import { sql } from 'kysely'
import { readDocument, withDocument } from './account/click-column.ts'
import { loadAccount } from './account/load-account.ts'
import { saveAccount } from './account/save-account.ts'
import type { Database, Db } from './db/database.ts'
import { createReadiness } from './db/settings.ts'
import type { SqlStore } from './sql-store.ts'

/** Settings for billing. */
interface BillingSettings extends ShopSettings {
  /** Charges each due order before it is saved. */
  readonly charge?: ChargeOrder | undefined
}

/** A call ends after this number of tries for each customer of its limit, so that it ends even if all charges fail. */
const triesPerSuccess = 10

/**
 * Creates `billDue`. Each change locks the customer before it loads the account, so that concurrent billing runs and
 * clicks never create an order twice.
 */
export function createBilling(database: Database, settings: BillingSettings): SqlStore['billDue'] {
  const { today, createShop, charge } = settings
  const { dialect } = database
  const isReady = createReadiness(database)

  /** Applies a rule to the account of a locked customer. Returns the number of created orders. */
  async function change(email: string, rule: AccountRule): Promise<number> {
    const { orders } = await database.transaction(
      async (_, send) => {
        const loaded = await loadAccount(send, dialect, { email }, undefined, true)
        if (loaded === undefined) return { orders: 0, hasChanges: false }
        const { account, clicks } = loaded
        const after = rule(account, createShop({ product: (id) => loaded.products.get(id), at: loaded.now }))
        const click = completedClick(account, after)
        const done = click && completeClick(readDocument(clicks, click.customer), click.key, loaded.now).document
        await saveAccount(send, dialect, loaded, after, click && done && withDocument(clicks, click.customer, done))
        return { orders: after.orders.length - account.orders.length, hasChanges: after !== account }
      },
      // A retry is safe, because the customer is no longer due if the commit succeeded.
      { customer: email, repeatable: true, mayCommit: ({ hasChanges }) => hasChanges },
    )
    return orders
  }

  /** Bills a customer. Calls `onBilled` with the number of orders of each transaction. */
  async function billCustomer(email: string, onBilled: (orders: number) => void): Promise<void> {
    const bill = async (rule: AccountRule) => onBilled(await change(email, rule))
    await (charge === undefined ? bill(billUncharged) : chargeDue(bill, charge))
  }

  /**
   * Returns the next customers with a pending charge, and then the customer of each due subscription, earliest billing
   * date first. A customer with several due subscriptions is repeated.
   */
  async function findCustomers(db: Db, date: string, after: Position | undefined, limit: number) {
    const isPending = after === undefined || after.date === ''
    const pending = isPending && charge !== undefined ? await findPending(db, after, limit) : []
    if (pending.length === limit) return pending
    return [...pending, ...(await findDue(db, date, isPending ? undefined : after, limit))]
  }

  return async (options) => {
    const limit = readBillLimit(options)
    const date = today()
    const failures: unknown[] = []
    const failed = new Set(options?.after?.failed)
    const tried = new Set(failed)
    const most = tried.size + triesPerSuccess * limit
    let last: Position | undefined = options?.after
    let [billed, customers] = [0, 0]
    const end = () => ({ billed, ...(failures.length > 0 && { failures }) })
    const countOrders = (orders: number) => {
      billed += orders
    }

    for (let isLast = false; !isLast;) {
      const after = last
      const page = await database.read((db) => findCustomers(db, date, after, limit + 1))
      isLast = page.length <= limit
      for (const { email, ...position } of page) {
        const { id } = position
        if (tried.has(id)) continue
        if (customers === limit || tried.size === most)
          return { ...end(), more: true, ...(last && { after: { ...last, failed: [...failed] } }) }
        tried.add(id)
        last = position
        const before = billed
        try {
          await billCustomer(email, countOrders)
          // A customer without a charge in this run does not count, for example after a decline on this day.
          if (charge === undefined || billed > before) customers += 1
        } catch (error) {
          // Ends the run only if the database is unavailable. Other errors concern only this customer.
          if (!(await isReady())) throw new StoreError('store_unavailable', undefined, { cause: error })
          failures.push(error)
          failed.add(id)
        }
        // Pauses for requests and other processes, because a SQLite transaction blocks this process and locks the file.
        if (dialect === 'sqlite') await pause(1)
      }
      last = page.at(-1) ?? last
    }
    return { ...end(), more: false }
  }
}

/** Position in the list of customers. `date` is empty for a pending charge. */
type Position = Pick<BillPosition, 'date' | 'id'>

/** A function that changes an account. */
type AccountRule = (account: CustomerAccount, shop: Shop) => CustomerAccount

/** Returns the customers with a pending charge, sorted by id. */
async function findPending(db: Db, after: Position | undefined, limit: number) {
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
    // A literal, because a parameter would prevent use of the partial index.
    .where(sql<boolean>`subscriptions.status = 'active'`)
    .where('subscriptions.next_billing_date', '<=', date)
    .orderBy('subscriptions.next_billing_date')
    .orderBy('subscriptions.customer_id')
    .limit(sql.lit(limit))
  if (after === undefined) return due.$narrowType<{ date: string }>().execute()
  const place = sql<boolean>`(subscriptions.next_billing_date, subscriptions.customer_id) > (${after.date}, ${after.id})`
  return due.where(place).$narrowType<{ date: string }>().execute()
}
