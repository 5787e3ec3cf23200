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

type AsyncRun = (...call: Parameters<SqlRun>) => Promise<SqlResult>

/** A merchant's own tables, over the merchant's own driver. */
interface OwnTables {
  readonly dialect: SqlDialect
  readonly run: AsyncRun
  /** Runs work in a transaction, which is rolled back if the work throws. */
  transact<Result>(work: (run: SqlRun) => Promise<Result>): Promise<Result>
}

/** A connection that runs one transaction, and then returns to its pool or closes. */
interface Connection {
  readonly run: AsyncRun
  readonly begin: string
  release(isBroken: boolean): void
}

export function openOwnTables(database: OwnDatabase): OwnTables {
  const { dialect } = database
  if (dialect === 'sqlite') return openSqlite(database.file)
  const { run, connect } = dialect === 'postgres' ? openPostgres(database.url) : openMysql(database.connection)
  return { dialect, run, transact: async (work) => inTransaction(await connect().catch(throwUnavailable), work) }
}

/** Uses one connection, so each statement waits for the open transaction. */
function openSqlite(file: string): OwnTables {
  const connection = new Libsql(file, { timeout: 5000 })
  connection.exec('pragma journal_mode = wal; pragma synchronous = full')
  const runNow: AsyncRun = async (sql, parameters) => {
    const statement = connection.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters), changes: 0 }
    return { rows: [], changes: statement.run(parameters).changes }
  }
  let turn: Promise<unknown> = Promise.resolve()
  const enqueue = <Result>(start: () => Promise<Result>) => {
    const ended = turn.then(start)
    turn = ended.catch(() => {})
    return ended
  }
  return {
    dialect: 'sqlite',
    run: (sql, parameters) => enqueue(() => runNow(sql, parameters)),
    transact: (work) =>
      enqueue(() => inTransaction({ run: runNow, begin: 'begin immediate', release: () => {} }, work)),
  }
}

/** The pool is larger than the number of requests, so waiting transactions leave connections for the guard. */
function openPostgres(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 40, lock_timeout: 3000 }).on('error', () => {})
  const runOn =
    (client: pg.Pool | pg.PoolClient): AsyncRun =>
    async (sql, parameters) => {
      const { rows, rowCount } = await client.query<object>(sql, parameters)
      return { rows, changes: rowCount ?? 0 }
    }
  const connect = async (): Promise<Connection> => {
    const client = await pool.connect()
    const ignore = () => {}
    client.on('error', ignore)
    const release = (isBroken: boolean) => client.off('error', ignore).release(isBroken)
    return { run: runOn(client), begin: 'begin', release }
  }
  return { run: runOn(pool), connect }
}

function openMysql(options: mysql.PoolOptions) {
  const pool = mysql.createPool({ ...options, connectionLimit: 40 })
  const runOn =
    (client: mysql.Pool | mysql.PoolConnection): AsyncRun =>
    async (sql, parameters) => {
      const [result] = await client.query(sql, parameters)
      return Array.isArray(result) ? { rows: result, changes: 0 } : { rows: [], changes: result.affectedRows }
    }
  const connect = async (): Promise<Connection> => {
    const client = await pool.getConnection()
    const release = (isBroken: boolean) => (isBroken ? client.destroy() : client.release())
    return { run: runOn(client), begin: 'start transaction', release }
  }
  return { run: runOn(pool), connect }
}

/** Rethrows the error of the work. An error of the commit has an unknown outcome. */
async function inTransaction<Result>(
  { run, begin, release }: Connection,
  work: (run: SqlRun) => Promise<Result>,
): Promise<Result> {
  try {
    await run(begin, []).catch(throwUnavailable)
    const result = await work(run)
    await run('commit', [])
    release(false)
    return result
  } catch (error) {
    await run('rollback', []).catch(() => {})
    release(true)
    throw error
  }
}

function throwUnavailable(cause: unknown): never {
  throw new StoreError('store_unavailable', undefined, { cause })
}
