import { setTimeout as pause } from 'node:timers/promises'
import { completeClick, StoreError } from '@storeport/core'
import {
  type BillPosition,
  billUncharged,
  chargeDue,
  completedClick,
  type CustomerAccount,
  readBillLimit,
  type Shop,
} from '@storeport/rules'
import { sql } from 'kysely'
import { changeAccount } from './account/change-account.ts'
import { readColumn } from './account/click-column.ts'
import { wholeAccount } from './account/load-account.ts'
import type { StoreSettings } from './create-action-runner.ts'
import type { Database, Db } from './db/database.ts'
import { createReadiness } from './db/settings.ts'
import type { SqlStore } from './sql-store.ts'

/** A call ends after this number of tries for each customer of its limit, so that it ends even if all charges fail. */
const triesPerSuccess = 10

/**
 * Creates `billDue`. Each change locks the customer before it loads the account, so that concurrent billing runs and
 * clicks never create an order twice.
 */
export function createBilling(database: Database, settings: StoreSettings): SqlStore['billDue'] {
  const { today, createShop, charge } = settings
  const isReady = createReadiness(database)

  /** Applies a rule to the account of a locked customer. Returns the number of created orders. */
  const change = (email: string, rule: (account: CustomerAccount, shop: Shop) => CustomerAccount) =>
    changeAccount(database, { email }, wholeAccount, (loaded) => {
      if (loaded === undefined) return { result: 0 }
      const { account, clicks, now, products } = loaded
      const after = rule(account, createShop({ product: (id) => products.get(id), at: now }))
      const click = completedClick(account, after)
      const column = click && readColumn(clicks, click.customer)
      const done = column && completeClick(column.document, click.key, now).document
      return {
        result: after.orders.length - account.orders.length,
        after,
        clicks: done && column.withDocument(done),
      }
    })

  return async (options) => {
    const limit = readBillLimit(options)
    const failures: unknown[] = []
    const failed = new Set(options?.after?.failed)
    const tried = new Set(failed)
    const most = tried.size + triesPerSuccess * limit
    let last: Position | undefined = options?.after
    let [billed, customers] = [0, 0]
    const end = () => ({ billed, ...(failures.length > 0 && { failures }) })

    const due = findCustomers(database, charge !== undefined, today(), last, limit + 1)
    for await (const { email, ...position } of due) {
      const { id } = position
      if (!tried.has(id) && (customers === limit || tried.size === most))
        return { ...end(), more: true, ...(last && { after: { ...last, failed: [...failed] } }) }
      last = position
      if (tried.has(id)) continue
      tried.add(id)
      const before = billed
      const bill = async (rule: Parameters<typeof change>[1]) => void (billed += await change(email, rule))
      try {
        await (charge === undefined ? bill(billUncharged) : chargeDue(bill, charge))
        // A customer without a charge in this run does not count, for example after a decline on this day.
        if (charge === undefined || billed > before) customers += 1
      } catch (error) {
        // Ends the run only if the database is unavailable. Other errors concern only this customer.
        if (!(await isReady())) throw new StoreError('store_unavailable', undefined, { cause: error })
        failures.push(error)
        failed.add(id)
      }
      // Pauses for requests and other processes, because a SQLite transaction blocks this process and locks the file.
      if (database.dialect === 'sqlite') await pause(1)
    }
    return { ...end(), more: false }
  }
}

/** Position in the list of customers. `date` is empty for a pending charge. */
type Position = Pick<BillPosition, 'date' | 'id'>
type Due = Position & { readonly email: string }

/**
 * Yields the customers with a pending charge, and then the customer of each due subscription, earliest billing date first.
 * A customer with several due subscriptions is repeated. Reads the list in pages, each on the latest data.
 */
async function* findCustomers(
  { read }: Database,
  isCharging: boolean,
  date: string,
  from: Position | undefined,
  pageSize: number,
) {
  let after = from
  for (let isLast = false; !isLast;) {
    const isPending = after === undefined || after.date === ''
    const page = await read(async (db) => {
      const pending = isPending && isCharging ? await findPending(db, after, pageSize) : []
      if (pending.length === pageSize) return pending
      return [...pending, ...(await findDue(db, date, isPending ? undefined : after, pageSize))]
    })
    yield* page
    isLast = page.length < pageSize
    after = page.at(-1)
  }
}

/** Returns the customers with a pending charge, sorted by id. */
async function findPending(db: Db, after: Position | undefined, limit: number): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    select id, email, '' as date from customers where pending_charge is not null and id > ${after?.id ?? ''}
    order by id limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Returns the customer of each due subscription, sorted by billing date and customer id. */
async function findDue(db: Db, today: string, after: Position | undefined, limit: number): Promise<readonly Due[]> {
  const isAfter = after && sql`and (next_billing_date, customer_id) > (${after.date}, ${after.id})`
  // The status is a literal, because a parameter would prevent use of the partial index.
  const { rows } = await sql<Due>`
    select customers.id, customers.email, next_billing_date as date
    from subscriptions join customers on customers.id = customer_id
    where status = 'active' and next_billing_date <= ${today} ${isAfter ?? sql``}
    order by next_billing_date, customer_id limit ${sql.lit(limit)}`.execute(db)
  return rows
}
