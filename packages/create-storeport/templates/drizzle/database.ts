import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { throwUnavailable } from './unavailable.ts'

// A request waits at most 5 seconds for a connection or a lock, and then fails with 503.
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 20,
  connectionTimeoutMillis: 5000,
  lock_timeout: 5000,
})
// Without this listener, the process exits if an idle connection is closed. The pool opens a new connection.
pool.on('error', (error) => console.error('idle connection closed:', error.message))

/** Your Drizzle client. */
export const db = drizzle({ client: pool })

/** A Drizzle transaction, which is passed to custom actions. */
export type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0]

export const dialect: 'postgres' | 'mysql' = 'postgres'

/** Runs a statement that contains `?` for each parameter. `changes` is the number of written rows. */
export type Run = (statement: string, values: unknown[]) => Promise<{ rows: unknown[]; changes: number }>

function runOn(client: Pick<typeof db, 'execute'>): Run {
  return async (statement, values) => {
    // Also accepts `$1`, because the statements of the click ledger contain numbered parameters.
    const parts = statement.split(/\$\d+|\?/).map((part) => sql.raw(part))
    const chunks = parts.flatMap((part, place) => (place === 0 ? [part] : [sql.param(values[place - 1]), part]))
    const { rows, rowCount } = await client.execute(sql.join(chunks))
    return { rows, changes: rowCount ?? 0 }
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
