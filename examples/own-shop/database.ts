import { setTimeout } from 'node:timers/promises'
import { type Context, StoreError } from '@storeport/core'
import { createSqlLedger, type SqlRun } from '@storeport/core/sql'
import { DataSource, type EntityManager } from 'typeorm'
import { Adds, Codes, Customers, Lines, Orders, Products, Subscriptions } from './tables.ts'

const limitMs = 3000
export const db = new DataSource({
  type: 'mariadb',
  url: process.env['DATABASE_URL'] ?? '',
  entities: [Adds, Codes, Customers, Lines, Orders, Products, Subscriptions],
  poolSize: 20,
  connectTimeout: limitMs,
  // TypeORM passes this time to mysql2 as the `timeout` of each query.
  enableQueryTimeout: true,
  maxQueryExecutionTime: limitMs,
  logging: false,
  // Idle connections are closed after 5 s, because one of them can have ended without notice.
  extra: { enableKeepAlive: true, maxIdle: 19, idleTimeout: 5000 },
})

/** Limits a lock wait, and the locks of a connection that ended without notice. In seconds. */
const settings = 'set session innodb_lock_wait_timeout = 2, wait_timeout = 60, idle_transaction_timeout = 5'
const prepared = new WeakSet<object>()

const conflict = /ER_LOCK_DEADLOCK|ER_CHECKREAD/
const unavailable = /PROTOCOL_|ECONN|EPIPE|ETIMEDOUT|ER_LOCK_|ER_CHECKREAD|ER_CON_COUNT|ER_SERVER|connection/i
const matches = (error: unknown, pattern: RegExp) =>
  error instanceof Error && pattern.test(`${'code' in error ? String(error.code) : ''} ${error.message}`)
// The outcome is unknown if the connection was lost during the commit.
const busy = (cause?: unknown) => new StoreError('store_unavailable', undefined, { cause, outcome: 'unknown' })
function throwBusy(error: unknown): never {
  throw !(error instanceof StoreError) && matches(error, unavailable) ? busy(error) : error
}

/** Runs the work in a transaction, and runs it again after a deadlock. Connection errors and lock errors are 503. */
export async function transact<Result>(work: (tx: EntityManager) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const runner = db.createQueryRunner()
    const connecting: Promise<{ destroy(): void }> = runner.connect()
    const connection = await Promise.race([connecting, setTimeout(limitMs, undefined, { ref: false })]).catch(throwBusy)
    try {
      if (connection === undefined) throw busy()
      if (!prepared.has(connection)) await runner.query(settings)
      prepared.add(connection)
      await runner.startTransaction('READ COMMITTED')
      const result = await work(runner.manager)
      await runner.commitTransaction()
      return result
    } catch (error) {
      // After a timeout, every further query on the connection would wait forever.
      if (matches(error, /PROTOCOL_/)) connection?.destroy()
      else await runner.rollbackTransaction().catch(() => connection?.destroy())
      if (attempt === 4 || !matches(error, conflict)) throwBusy(error)
    } finally {
      void connecting.then(() => runner.release()).catch(() => {})
    }
  }
}

const runOn = (tx: EntityManager): SqlRun => {
  return async (sql, parameters) => {
    const result = await tx.query<unknown[] | { affectedRows: number }>(sql, parameters)
    return Array.isArray(result) ? { rows: result, changes: 0 } : { rows: [], changes: result.affectedRows }
  }
}

/** Stores the clicks of all processes in the table `storeport_clicks`. */
export const clicks = createSqlLedger({
  dialect: 'mysql',
  run: (...call) => transact(async (tx) => runOn(tx)(...call)),
})

/** Makes a change in the transaction that also stores its click. */
export const once = (context: Context, change: (tx: EntityManager) => Promise<unknown>) =>
  transact((tx) => clicks.once(runOn(tx), context, () => change(tx)))
