import mysql from 'mysql2/promise'
import pg from 'pg'
import { throwUnavailable } from './unavailable.ts'

/** Runs a statement that contains `?` for each parameter. `changes` is the number of written rows. */
export type Run = (sql: string, parameters: unknown[]) => Promise<{ rows: unknown[]; changes: number }>

/** A transaction of your database library, which is passed to custom actions. */
export type Transaction = Run

/** A pooled connection that runs one transaction. */
interface Connection {
  readonly run: Run
  /** Returns the connection to the pool, or closes a broken connection. */
  release(isBroken: boolean): void
}

const url = process.env['DATABASE_URL'] ?? ''
const { dialect, pool, connect, close } = url.startsWith('postgres') ? openPostgres(url) : openMariadb(url)
export { close, dialect }

function openPostgres(connectionString: string) {
  // A request waits at most 5 seconds for a connection or a lock, and then fails with 503.
  const clients = new pg.Pool({ connectionString, max: 20, connectionTimeoutMillis: 5000, lock_timeout: 5000 })
  // Without this listener, the process exits if an idle connection is closed. The pool opens a new connection.
  clients.on('error', (error) => console.error('idle connection closed:', error.message))

  const runOn = (client: pg.Pool | pg.PoolClient): Run => {
    return async (sql, parameters) => {
      let place = 0
      const { rows, rowCount } = await client.query(
        sql.replaceAll('?', () => `$${(place += 1)}`),
        parameters,
      )
      return { rows, changes: rowCount ?? 0 }
    }
  }
  const connectClient = async (): Promise<Connection> => {
    const client = await clients.connect()
    return { run: runOn(client), release: (isBroken) => client.release(isBroken) }
  }
  return { dialect: 'postgres', pool: runOn(clients), connect: connectClient, close: () => clients.end() } as const
}

function openMariadb(uri: string) {
  const clients = mysql.createPool({ uri, connectionLimit: 20, connectTimeout: 5000 })
  // A request waits at most 5 seconds for a lock, and then fails with 503.
  clients.pool.on('connection', (connection) => connection.query('set innodb_lock_wait_timeout = 5'))

  const runOn = (client: mysql.Pool | mysql.PoolConnection): Run => {
    return async (sql, parameters) => {
      const [result] = await client.query<mysql.RowDataPacket[] | mysql.ResultSetHeader>(sql, parameters)
      return Array.isArray(result) ? { rows: result, changes: 0 } : { rows: [], changes: result.affectedRows }
    }
  }
  const connectClient = async (): Promise<Connection> => {
    const client = await clients.getConnection()
    return { run: runOn(client), release: (isBroken) => (isBroken ? client.destroy() : client.release()) }
  }
  return { dialect: 'mysql', pool: runOn(clients), connect: connectClient, close: () => clients.end() } as const
}

/** Runs a statement in its own transaction. */
export const run: Run = (sql, parameters) => pool(sql, parameters).catch(throwUnavailable)

/** Runs the work in one transaction, which is rolled back if the work throws. */
export async function transact<Result>(work: (tx: Run, transaction: Transaction) => Promise<Result>): Promise<Result> {
  const connection = await connect().catch(throwUnavailable)
  try {
    await connection.run('start transaction', [])
    const result = await work(connection.run, connection.run).catch(throwUnavailable)
    await connection.run('commit', [])
    connection.release(false)
    return result
  } catch (error) {
    const end = await connection.run('rollback', []).catch(() => undefined)
    connection.release(end === undefined)
    throw error
  }
}
