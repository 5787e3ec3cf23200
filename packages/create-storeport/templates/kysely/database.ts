import { CompiledQuery, Kysely, PostgresDialect, type Transaction as KyselyTransaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'
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

/** Your Kysely client. */
export const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

/** A Kysely transaction, which is passed to custom actions. */
export type Transaction = KyselyTransaction<Tables>

export const dialect: 'postgres' | 'mysql' = 'postgres'

/** Runs a statement that contains `?` for each parameter. `changes` is the number of written rows. */
export type Run = (statement: string, values: unknown[]) => Promise<{ rows: unknown[]; changes: number }>

function runOn(client: Kysely<Tables>): Run {
  return async (statement, values) => {
    let place = 0
    const numbered = statement.replaceAll('?', () => `$${(place += 1)}`)
    const { rows, numAffectedRows } = await client.executeQuery(CompiledQuery.raw(numbered, values))
    return { rows, changes: Number(numAffectedRows ?? 0) }
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
  return db
    .transaction()
    .execute(perform)
    .catch((error: unknown) => {
      if (isCommitting) throw error
      return throwUnavailable(error)
    })
}

export const close = () => db.destroy()
