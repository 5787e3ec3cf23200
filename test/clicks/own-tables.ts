import { StoreError } from '@storeport/core'
import type { SqlDialect, SqlResult, SqlRun } from '@storeport/core/sql'
import Libsql from 'libsql'
import mysql from 'mysql2/promise'
import pg from 'pg'

/** Address of a database: a file, a URL of PostgreSQL, or options of mysql2. */
export type OwnDatabase =
  | { readonly dialect: 'sqlite'; readonly file: string }
  | { readonly dialect: 'postgres'; readonly url: string }
  | { readonly dialect: 'mysql'; readonly connection: mysql.PoolOptions }

/** A merchant's own tables, over the merchant's own driver. */
export interface OwnTables {
  readonly dialect: SqlDialect
  /** Runs and commits one statement. */
  readonly run: SqlRun
  /** Runs work in a transaction, which is rolled back if the work throws. */
  transact(work: (run: SqlRun) => Promise<unknown>): Promise<void>
}


export function openOwnTables(database: OwnDatabase): OwnTables {
  if (database.dialect === 'sqlite') return openSqlite(database.file)
  return database.dialect === 'postgres' ? openPostgres(database.url) : openMysql(database.connection)
}

/** SQLite commits one transaction at a time, so one connection is sufficient for a process. */
function openSqlite(file: string): OwnTables {
  const connection = new Libsql(file, { timeout: 5000 })
  connection.exec('pragma journal_mode = wal; pragma synchronous = full')
  const run = (sql: string, parameters: (string | number)[]): SqlResult => {
    const statement = connection.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters), changes: 0 }
    return { rows: [], changes: statement.run(parameters).changes }
  }
  let turn: Promise<unknown> = Promise.resolve()
  const begin = async () => connection.exec('begin immediate')
  const end = async (last: 'commit' | 'rollback') => connection.exec(last)
  return {
    dialect: 'sqlite',
    run,
    transact: async (work) => {
      const ended = turn.then(() => inTransaction(run, begin, work, end))
      turn = ended.catch(() => {})
      await ended
    },
  }
}

function openPostgres(connectionString: string): OwnTables {
  const create = () => new pg.Pool({ connectionString, max: 20, lock_timeout: 3000 }).on('error', () => {})
  // Transactions that wait for a lock cannot use up the connections of the guard.
  const [clicks, changes] = [create(), create()]
  const runOn =
    (client: pg.Pool | pg.PoolClient): SqlRun =>
    async (sql, parameters) => {
      const { rows, rowCount } = await client.query<object>(sql, parameters)
      return { rows, changes: rowCount ?? 0 }
    }
  return {
    dialect: 'postgres',
    run: runOn(clicks),
    transact: async (work) => {
      const client = await changes.connect().catch(throwUnavailable)
      let isBroken = false
      const onError = () => {
        isBroken = true
      }
      client.on('error', onError)
      try {
        const begin = () => client.query('begin')
        await inTransaction(runOn(client), begin, work, (last) => client.query(last))
      } catch (error) {
        isBroken = true
        throw error
      } finally {
        client.off('error', onError)
        client.release(isBroken)
      }
    },
  }
}

function openMysql(connection: mysql.PoolOptions): OwnTables {
  const create = () => mysql.createPool({ ...connection, connectionLimit: 20 })
  const [clicks, changes] = [create(), create()]
  const runOn =
    (client: mysql.Pool | mysql.PoolConnection): SqlRun =>
    async (sql, parameters) => {
      const [result] = await client.query(sql, parameters)
      return Array.isArray(result) ? { rows: result, changes: 0 } : { rows: [], changes: result.affectedRows }
    }
  return {
    dialect: 'mysql',
    run: runOn(clicks),
    transact: async (work) => {
      const client = await changes.getConnection().catch(throwUnavailable)
      try {
        await client.query('set innodb_lock_wait_timeout = 3')
        const begin = () => client.query('start transaction')
        await inTransaction(runOn(client), begin, work, (last) => client.query(last))
        client.release()
      } catch (error) {
        client.destroy()
        throw error
      }
    },
  }
}

/** Rolls back and rethrows the error of the work. An error of the commit is thrown, because its outcome is unknown. */
async function inTransaction(
  run: SqlRun,
  begin: () => Promise<unknown>,
  work: (run: SqlRun) => Promise<unknown>,
  end: (last: 'commit' | 'rollback') => Promise<unknown>,
): Promise<void> {
  await begin().catch(throwUnavailable)
  try {
    await work(run)
  } catch (error) {
    await end('rollback').catch(() => {})
    throw error
  }
  await end('commit')
}

function throwUnavailable(cause: unknown): never {
  throw new StoreError('store_unavailable', undefined, { cause })
}
