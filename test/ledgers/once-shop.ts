import { type Context, PendingClick, storesClicks } from '@storeport/core'
import { createSqlLedger, type SqlLedger, sqlLedgerTable, type SqlRun } from '@storeport/core/sql'
import { postClicks } from '@storeport/testing/post-clicks'
import { afterAll, beforeAll } from 'vitest'
import { execute, type OwnTables } from '../clicks/own-tables.ts'

export type Work = (over: SqlRun) => unknown
type ClickContext = Pick<Context, 'click' | 'idempotencyKey'>

/** Opens a database before the tests of a file. Returns a function that opens a shop in it. */
export function shopsIn(openDatabase: () => Promise<OwnTables>) {
  let database: OwnTables
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())
  return (isMigrated?: boolean) => openOnceShop(database, isMigrated)
}

/** Opens a shop with empty tables for orders and clicks, whose methods use `once`. */
async function openOnceShop(database: OwnTables, isMigrated = true) {
  const id = crypto.randomUUID().slice(0, 8)
  const [table, orders] = [`clicks_${id}`, `orders_${id}`]
  const { dialect } = database
  const migration = sqlLedgerTable(dialect, table)
  await execute(database, `${isMigrated ? migration : ''}; create table ${orders} (product varchar(50));`)
  /** Sets the database's clock forward. */
  const clock = { aheadMs: 0 }
  const withClock =
    (over: SqlRun): SqlRun =>
    async (sql, parameters) => {
      const { rows, changes } = await over(sql, parameters)
      return { rows: rows.map((row) => moveClock(Object(row), clock.aheadMs)), changes }
    }
  const run = withClock(database.run)
  const open = () => createSqlLedger({ dialect, table, run })
  const transact = <Result>(work: (over: SqlRun) => Promise<Result>, begin?: string) =>
    database.transact((over) => work(withClock(over)), begin)
  const order: Work = (over) => over(`insert into ${orders} values ('beans')`, [])
  const clickRows = async () => (await run(`select * from ${table}`, [])).rows
  const count = async () => (await run(`select * from ${orders}`, [])).rows.length
  /** Runs the work with `once`, and repeats the transaction after a conflict, as merchants do. */
  const orderOnce = (ledger: SqlLedger, context: ClickContext, work = order) =>
    retryTransaction(() => transact((over) => ledger.once(over, context, () => work(over))))
  /** Opens a process whose method stores its click in its transaction. */
  const shop = (work: Work = order, timeoutMs?: number) => {
    const ledger = open()
    return postClicks(ledger, { addProduct: storesClicks((_, context) => orderOnce(ledger, context, work)) }, timeoutMs)
  }
  return { database, table, migration, clock, run, open, transact, order, clickRows, count, orderOnce, shop }
}

function moveClock(row: Readonly<Record<string, unknown>>, aheadMs: number) {
  return 'clock' in row ? { ...row, clock: Number(row['clock']) + aheadMs } : row
}

/** Retries a transaction after a deadlock or a serialization failure. */
async function retryTransaction<Result>(transact: () => Promise<Result>): Promise<Result> {
  for (let turn = 0; ; turn++) {
    try {
      return await transact()
    } catch (error) {
      if (turn === 20 || !/40001|40P01|ER_LOCK_DEADLOCK|SQLITE_BUSY/.test(String(Object(error).code))) throw error
    }
  }
}

/** Returns a context with a new click of the same customer, as the guard passes it to a method that stores its click. */
export function newContext() {
  const click = new PendingClick({ customer: 'a:b', name: '', body: 'add', derivedKey: '', windowMs: 10_000 })
  return { idempotencyKey: click.idempotencyKey, click }
}

/** Waits until the system clock has advanced. */
export async function passTime(ms: number): Promise<void> {
  for (const until = Date.now() + ms; Date.now() < until;) await new Promise((resolve) => setImmediate(resolve))
}
