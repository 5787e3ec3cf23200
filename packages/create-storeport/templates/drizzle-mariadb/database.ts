import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import { throwUnavailable } from './unavailable.ts'

const pool = mysql.createPool({ uri: process.env['DATABASE_URL'] ?? '', connectionLimit: 20, connectTimeout: 5000 })
// A request waits at most 5 seconds for a lock, and then fails with 503.
pool.pool.on('connection', (connection) => connection.query('set innodb_lock_wait_timeout = 5'))

/** Your Drizzle client. */
export const db = drizzle({ client: pool })

/** A Drizzle transaction, which is passed to custom actions. */
export type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0]

export const dialect: 'postgres' | 'mysql' = 'mysql'

/** Runs a statement that contains `?` for each parameter. `changes` is the number of written rows. */
export type Run = (statement: string, values: unknown[]) => Promise<{ rows: unknown[]; changes: number }>

function runOn(client: Pick<typeof db, 'execute'>): Run {
  return async (statement, values) => {
    const parts = statement.split('?').map((part) => sql.raw(part))
    const chunks = parts.flatMap((part, place) => (place === 0 ? [part] : [sql.param(values[place - 1]), part]))
    const [result]: unknown[] = await client.execute(sql.join(chunks))
    if (Array.isArray(result)) return { rows: result, changes: 0 }
    return { rows: [], changes: Number(Object(result).affectedRows) }
  }
}

/** Runs a statement in its own transaction. */
export const run: Run = (statement, values) => runOn(db)(statement, values).catch(throwUnavailable)

/** Runs the work in one transaction, which is rolled back if the work throws. */
export async function transact<Result>(work: (tx: Run, transaction: Transaction) => Promise<Result>): Promise<Result> {
  let isCommitting = false
  const perform = async (transaction: Transaction) => {
    const result = await work(runOn(transaction), transaction)
    isCommitting = true
    return result
  }
  return db.transaction(perform).catch((error: unknown) => {
    if (isCommitting) throw error
    return throwUnavailable(error)
  })
}

export const close = () => pool.end()
