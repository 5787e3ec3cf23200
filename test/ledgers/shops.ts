import { storesClicks } from '@storeport/core'
import { createSqlLedger, sqlLedgerTable, type SqlLedger, type SqlRun } from '@storeport/core/sql'
import { postClicks } from '@storeport/testing/post-clicks'
import { afterAll, beforeAll } from 'vitest'
import type { ShopDatabase } from './databases.ts'

/** Opens a database for a test suite. Returns a function that opens a shop in the database. */
export function shopsIn(openDatabase: () => Promise<ShopDatabase>) {
  let database: ShopDatabase
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())

  /** Opens a shop with empty tables for orders and clicks. */
  async function setUp() {
    const id = crypto.randomUUID().slice(0, 8)
    const [clicks, orders] = [`clicks_${id}`, `orders_${id}`]
    const { dialect, run } = database
    await database.exec(`${sqlLedgerTable(dialect, clicks)}; create table ${orders} (product varchar(50));`)
    const clock = { now: 1_800_000_000_000 }
    const open = (changes: { run?: SqlRun } = {}) =>
      createSqlLedger({ dialect, run, table: clicks, now: () => clock.now, ...changes })
    const order = (over: SqlRun, product = 'beans') => over(`insert into ${orders} values ('${product}')`, [])
    // Advances the clock until the ledger is no longer young.
    await open().ready()
    clock.now += 24 * 60 * 60_000
    const count = async () => (await run(`select * from ${orders}`, [])).rows.length
    /** Returns a store method that inserts an order in a transaction with `once`. */
    const orderOnce = (ledger: SqlLedger, work: (over: SqlRun) => unknown = (over) => order(over)) =>
      storesClicks<object>((_input, context) =>
        retryTransaction(() => database.transact((over) => ledger.once(over, context, () => work(over)))),
      )
    const shop = (work?: (over: SqlRun) => unknown) => {
      const ledger = open()
      return postClicks(ledger, { addProduct: orderOnce(ledger, work) })
    }
    return { database, clicks, clock, open, order, orderOnce, count, shop }
  }

  return setUp
}

/** Retries a transaction after a deadlock or a serialization failure, as merchants do. */
export async function retryTransaction<Result>(transact: () => Promise<Result>): Promise<Result> {
  for (let turn = 0; ; turn++) {
    try {
      return await transact()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (turn === 20 || !['40001', '40P01', 'ER_LOCK_DEADLOCK', 'SQLITE_BUSY'].includes(String(code))) throw error
    }
  }
}
