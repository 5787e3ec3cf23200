import { isStoreError } from '@storeport/core'
import type { SqlRun } from '@storeport/core/sql'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient } from 'pg'
import { pool } from './pool.ts'
import * as schema from './schema.ts'
import { throwUnavailable } from './unavailable.ts'

/** A Drizzle client: of the pool, or of one transaction. */
export type Db = NodePgDatabase<typeof schema>

export const db: Db = drizzle({ client: pool, schema })

const runOn =
  (client: Pool | PoolClient) =>
  async (...[statement, values]: Parameters<SqlRun>) => {
    const { rows, rowCount } = await client.query<object>(statement, values)
    return { rows, changes: rowCount ?? 0 }
  }

/** Runs a statement of StorePort in its own transaction. */
export const run = async (...call: Parameters<SqlRun>) => runOn(pool)(...call).catch(throwUnavailable)

/** Runs the work in one transaction, which is rolled back if the work throws. `run` is for the statements of StorePort. */
export async function transact<Result>(work: (tx: Db, run: SqlRun) => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch(throwUnavailable)
  try {
    await client.query('begin').catch(throwUnavailable)
    const result = await work(drizzle({ client, schema }), runOn(client)).catch(throwUnavailable)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    const isRejection = isStoreError(error) && error.cause === undefined
    const isUsable = isRejection && (await client.query('rollback').catch(() => undefined)) !== undefined
    // Closing the connection rolls back, even if the server does not respond.
    client.release(!isUsable)
    throw error
  }
}

export const close = () => pool.end()
