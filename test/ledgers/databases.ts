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
  /** Runs work in a transaction. Rolls back and rejects if the work fails. `begin` replaces the first statement. */
  transact<Result>(work: (run: SqlRun) => Promise<Result>, begin?: string): Promise<Result>
  close(): Promise<void>
}

/** A connection of its own, for a transaction. */
interface Connection {
  readonly run: SqlRun
  release(): void
}

export async function openPostgres(): Promise<ShopDatabase> {
  const server = await sharedPostgres()
  const connectionString = await server.createDatabase()
  const pool = new pg.Pool({ connectionString, max: 20 })
  const runOn = (client: pg.Pool | pg.PoolClient) => async (sql: string, parameters: unknown[]) => {
    const { rows, rowCount } = await client.query<object>(sql, parameters)
    return { rows, changes: rowCount ?? 0 }
  }
  const connect = async () => {
    const client = await pool.connect()
    return { run: runOn(client), release: () => client.release() }
  }
  return createDatabase('postgres', runOn(pool), connect, async () => {
    await pool.end()
    await server.dropDatabase(connectionString)
  })
}

export async function openMysql(options: mysql.PoolOptions): Promise<ShopDatabase> {
  const pool = mysql.createPool({ ...options, connectionLimit: 20 })
  const runOn = (client: mysql.Pool | mysql.PoolConnection) => async (sql: string, parameters: unknown[]) => {
    const [result] = await client.query(sql, parameters)
    return Array.isArray(result) ? { rows: result, changes: 0 } : { rows: [], changes: result.affectedRows }
  }
  const connect = async () => {
    const client = await pool.getConnection()
    return { run: runOn(client), release: () => client.release() }
  }
  return createDatabase('mysql', runOn(pool), connect, () => pool.end())
}

/** Opens a SQLite file, with one connection for statements and a new connection for each transaction. */
export async function openSqlite(): Promise<ShopDatabase & { readonly file: string }> {
  const file = join(await mkdtemp(join(tmpdir(), 'sqlite-')), 'shop.db')
  const own = new Libsql(file, { timeout: 0 })
  own.exec('pragma journal_mode = wal; pragma synchronous = off')
  const connect = async () => {
    const connection = new Libsql(file, { timeout: 0 })
    return { run: runOnSqlite(connection), release: () => void connection.close() }
  }
  return { file, ...createDatabase('sqlite', runOnSqlite(own), connect, async () => void own.close()) }
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

function createDatabase(
  dialect: SqlDialect,
  run: SqlRun,
  connect: () => Promise<Connection>,
  close: () => Promise<void>,
): ShopDatabase {
  return {
    dialect,
    run,
    exec: async (statements) => {
      for (const each of statements.split(';')) if (each.trim() !== '') await run(each, [])
    },
    transact: async (work, begin = dialect === 'sqlite' ? 'begin immediate' : 'begin') => {
      const connection = await connect()
      try {
        await runWhileBusy(connection.run, begin)
        const result = await work(connection.run)
        await connection.run('commit', [])
        return result
      } catch (error) {
        await connection.run('rollback', [])
        throw error
      } finally {
        connection.release()
      }
    },
    close,
  }
}

/** Runs a statement again while another connection has locked the SQLite file. */
async function runWhileBusy(run: SqlRun, sql: string): Promise<void> {
  for (;;) {
    try {
      return void (await run(sql, []))
    } catch (error) {
      if (Object(error).code !== 'SQLITE_BUSY') throw error
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
