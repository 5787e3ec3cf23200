import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqlDialect, SqlResult, SqlRun } from '@storeport/core/sql'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import Libsql from 'libsql'
import mysql from 'mysql2/promise'
import pg from 'pg'

/** A test database, accessed through a client that merchants use. */
export interface ShopDatabase {
  readonly dialect: SqlDialect
  /** Runs a statement and commits it. */
  readonly run: SqlRun
  /** Runs statements without results, separated by `;`. */
  exec(statements: string): Promise<void>
  /**
   * Runs work in a transaction. Rolls back and rejects if the work fails. `begin` replaces the default first statement.
   */
  transact<Result>(work: (run: SqlRun) => Promise<Result>, begin?: string): Promise<Result>
  close(): Promise<void>
}

export async function openPostgres(): Promise<ShopDatabase> {
  const server = await sharedPostgres()
  const connectionString = await server.createDatabase()
  const pool = new pg.Pool({ connectionString, max: 20 })
  const runOn =
    (client: pg.Pool | pg.PoolClient): SqlRun =>
    async (sql, parameters) => {
      const { rows, rowCount } = await client.query<object>(sql, parameters)
      return { rows, changes: rowCount ?? 0 }
    }
  return {
    dialect: 'postgres',
    run: runOn(pool),
    exec: async (statements) => void (await pool.query(statements)),
    transact: async (work, begin = 'begin') => {
      const client = await pool.connect()
      try {
        return await inTransaction(runOn(client), work, begin)
      } finally {
        client.release()
      }
    },
    close: async () => {
      await pool.end()
      await server.dropDatabase(connectionString)
    },
  }
}

export async function openMysql(connection: mysql.PoolOptions): Promise<ShopDatabase> {
  const pool = mysql.createPool({ ...connection, connectionLimit: 20 })
  const runOn =
    (client: mysql.Pool | mysql.PoolConnection): SqlRun =>
    async (sql, parameters) => {
      const [result] = await client.query(sql, parameters)
      return Array.isArray(result) ? { rows: result, changes: 0 } : { rows: [], changes: result.affectedRows }
    }
  return {
    dialect: 'mysql',
    run: runOn(pool),
    exec: async (statements) => {
      for (const each of statements.split(';')) if (each.trim() !== '') await pool.query(each)
    },
    transact: async (work, begin = 'start transaction') => {
      const client = await pool.getConnection()
      try {
        return await inTransaction(runOn(client), work, begin)
      } finally {
        client.release()
      }
    },
    close: () => pool.end(),
  }
}

/** Opens a SQLite file, with one connection for statements and a new connection for each transaction. */
export async function openSqlite(): Promise<ShopDatabase & { readonly file: string }> {
  const file = join(await mkdtemp(join(tmpdir(), 'sqlite-')), 'shop.db')
  const own = new Libsql(file, { timeout: 0 })
  own.exec('pragma journal_mode = wal; pragma synchronous = off')
  return {
    dialect: 'sqlite',
    file,
    run: runOnSqlite(own),
    exec: async (statements) => void own.exec(statements),
    transact: async (work, begin = 'begin immediate') => {
      const connection = new Libsql(file, { timeout: 0 })
      try {
        return await inTransaction(runOnSqlite(connection), work, begin)
      } finally {
        connection.close()
      }
    },
    close: async () => void own.close(),
  }
}

/** Adapts a synchronous SQLite driver to `SqlRun`. */
export function runOnSqlite(connection: Libsql.Database): (...call: Parameters<SqlRun>) => SqlResult {
  return (sql, parameters) => {
    // Uses `exec`, because libsql leaves the transaction open if a prepared statement fails with SQLITE_BUSY.
    if (parameters.length === 0 && !sql.startsWith('select')) {
      connection.exec(sql)
      return { rows: [], changes: 0 }
    }
    const statement = connection.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters), changes: 0 }
    return { rows: [], changes: statement.run(parameters).changes }
  }
}

async function inTransaction<Result>(
  run: SqlRun,
  work: (run: SqlRun) => Promise<Result>,
  begin: string,
): Promise<Result> {
  for (let isOpen = false; !isOpen;) isOpen = await tryBegin(run, begin)
  try {
    const result = await work(run)
    await run('commit', [])
    return result
  } catch (error) {
    await run('rollback', [])
    throw error
  }
}

/** Begins a transaction. Returns false if another connection has locked the SQLite file. */
async function tryBegin(run: SqlRun, begin: string): Promise<boolean> {
  try {
    await run(begin, [])
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY')) throw error
    await new Promise((resolve) => setImmediate(resolve))
    return false
  }
}
