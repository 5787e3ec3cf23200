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
export interface OwnTables {
  readonly dialect: SqlDialect
  /** Runs a statement and commits it. */
  readonly run: AsyncRun
  /** Runs work in a transaction, which is rolled back if the work throws. `begin` replaces the first statement. */
  transact<Result>(work: (run: SqlRun) => Promise<Result>, begin?: string): Promise<Result>
  close(): Promise<void>
}

/** A connection that runs one transaction, and then returns to its pool or closes. */
interface Connection {
  readonly run: AsyncRun
  release(isBroken: boolean): void
}

/** The pool is larger than the number of requests, so waiting transactions leave connections for the guard. */
export function openOwnTables(database: OwnDatabase, poolSize = 40): OwnTables {
  const { dialect } = database
  if (dialect === 'sqlite') return openSqlite(database.file)
  const { run, connect, close } =
    dialect === 'postgres' ? openPostgres(database.url, poolSize) : openMysql(database.connection, poolSize)
  const transact: OwnTables['transact'] = async (work, begin = 'begin') =>
    inTransaction(await connect().catch(throwUnavailable), begin, work)
  return { dialect, run, transact, close }
}

/** Runs statements without results, separated by `;`. */
export async function execute({ run }: { readonly run: SqlRun }, statements: string): Promise<void> {
  for (const each of statements.split(';')) if (each.trim() !== '') await run(each, [])
}

/** Adapts a synchronous SQLite driver to `SqlRun`. */
export function runOnSqlite(connection: Libsql.Database): (...call: Parameters<SqlRun>) => SqlResult {
  return (sql, parameters) => {
    const statement = connection.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters), changes: 0 }
    return { rows: [], changes: statement.run(parameters).changes }
  }
}

/** Uses one connection, so each statement waits for the open transaction. */
function openSqlite(file: string): OwnTables {
  const connection = new Libsql(file, { timeout: 5000 })
  connection.exec('pragma journal_mode = wal; pragma synchronous = full')
  const runNow = runOnSqlite(connection)
  const run: AsyncRun = async (...call) => runNow(...call)
  let turn: Promise<unknown> = Promise.resolve()
  const enqueue = <Result>(start: () => Promise<Result>) => {
    const ended = turn.then(start)
    turn = ended.catch(() => {})
    return ended
  }
  return {
    dialect: 'sqlite',
    run: (...call) => enqueue(() => run(...call)),
    transact: (work, begin = 'begin immediate') =>
      enqueue(() => inTransaction({ run, release: () => {} }, begin, work)),
    close: async () => void connection.close(),
  }
}

function openPostgres(connectionString: string, max: number) {
  const pool = new pg.Pool({ connectionString, max, lock_timeout: 3000 }).on('error', () => {})
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
    return { run: runOn(client), release: (isBroken) => client.off('error', ignore).release(isBroken) }
  }
  return { run: runOn(pool), connect, close: () => pool.end() }
}

function openMysql(options: mysql.PoolOptions, connectionLimit: number) {
  const pool = mysql.createPool({ ...options, connectionLimit })
  const runOn =
    (client: mysql.Pool | mysql.PoolConnection): AsyncRun =>
    async (sql, parameters) => {
      const [result] = await client.query(sql, parameters)
      return Array.isArray(result) ? { rows: result, changes: 0 } : { rows: [], changes: result.affectedRows }
    }
  const connect = async (): Promise<Connection> => {
    const client = await pool.getConnection()
    return { run: runOn(client), release: (isBroken) => (isBroken ? client.destroy() : client.release()) }
  }
  return { run: runOn(pool), connect, close: () => pool.end() }
}

/** Rethrows the error of the work. An error of the commit has an unknown outcome. */
async function inTransaction<Result>(
  { run, release }: Connection,
  begin: string,
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
