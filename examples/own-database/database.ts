import { type SqlRun, StoreError } from '@storeport/core'
import pg from 'pg'

/** Connections of this process. A request waits at most 5 seconds for a connection or a lock, and then fails with 503. */
export const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 20,
  connectionTimeoutMillis: 5000,
  lock_timeout: 5000,
})

// Without a listener, a closed idle connection ends the process. The pool opens a new connection.
pool.on('error', (error) => console.error('idle connection closed:', error.message))

/** Runs the statements of StorePort on the pool or in a transaction. */
export function runOn(client: pg.Pool | pg.PoolClient): SqlRun {
  return async (sql, parameters) => {
    const { rows, rowCount } = await client.query(sql, parameters)
    return { rows, changes: rowCount ?? 0 }
  }
}

/** Runs the work in one transaction, which is rolled back if the work throws. */
export async function transact<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch(failUnavailable)
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    client.release(true)
    if (error instanceof pg.DatabaseError && lockErrors.includes(error.code ?? '')) failUnavailable(error)
    throw error
  }
}

/** Codes of PostgreSQL for a lock timeout, a deadlock and a conflict. The transaction has changed nothing. */
const lockErrors = ['55P03', '40P01', '40001']

function failUnavailable(cause: unknown): never {
  throw new StoreError('store_unavailable', undefined, { cause })
}
