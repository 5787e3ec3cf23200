import { type Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import type { ConnectionOptions, Connections, Send, Session, Waiting, Writer } from './connections.ts'
import { createSession } from './session.ts'
import { createLockTurns, type LockTurn } from './turns.ts'
import { explainPostgres, postgresFailure } from './postgres-failure.ts'

/** Opens a pool of connections to a PostgreSQL server. The pool replaces lost connections. */
export function openPostgres(
  { url, label }: { readonly url: string; readonly label: string },
  { poolSize = 10, statementTimeoutMs = 5000, onStatement }: ConnectionOptions,
  isolation: 'read committed' | 'repeatable read' | 'serializable' = 'read committed',
): Connections {
  // Without a limit for statements, the wait for a connection is still limited.
  const connectTimeoutMs = statementTimeoutMs || 5000
  const begin = `begin isolation level ${isolation}`
  const sessions = new WeakMap<pg.ClientBase, PostgresSession>()
  let isDirect: Promise<void> | undefined
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'storeport',
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // Limits the wait for a server that no longer responds. Otherwise, the server cancels slow statements.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + 1000 }),
    types: createTypeParsers(),
    onConnect: async (client) => {
      // Without a listener, an `error` event crashes the process. The running statement fails with the same error.
      client.on('error', () => {})
      await client.query(sessionSettings(statementTimeoutMs))
      const pid = await pidOf(client)
      await (isDirect ??= rejectTransactionMode(url, pid))
      let preparing: Promise<unknown> | undefined
      sessions.set(client, {
        ...createSession(pgSend(client), parts, onStatement),
        pid,
        // Prepares the statement before the first lock. On connect, a new database does not have tables yet.
        prepareLock: () => (preparing ??= client.query(`prepare storeport_lock (text) as ${lockCustomer}`)),
      })
    },
  })
  // Ignores errors of idle connections, because the pool removes lost connections.
  pool.on('error', () => {})

  // Lets at most half the pool wait for customer locks, so that locked customers do not block other customers.
  const lockTurns = createLockTurns(Math.max(1, Math.floor(poolSize / 2)), connectTimeoutMs)

  async function writer(waiting: Waiting, customer?: string): Promise<Writer> {
    const turn = customer === undefined ? undefined : await lockTurns.enter(customer, waiting)
    try {
      return await connect(waiting, turn)
    } catch (error) {
      turn?.leave()
      throw error
    }
  }

  async function connect({ signal }: Waiting, turn: LockTurn | undefined): Promise<Writer> {
    const client = await pool.connect()
    const session = findSession(client)
    const { db, send, pid } = session
    let stopped = false
    const stop = () => {
      stopped = true
      void cancelStatement(url, pid)
    }
    if (signal.aborted) {
      client.release()
      throw signal.reason
    }
    signal.addEventListener('abort', stop, { once: true })
    const run = async (statement: string) => void (await client.query(statement))
    return {
      db,
      send,
      begin: async ({ durable }, customer) => {
        const beginning = durable ? begin : `${begin}; set local synchronous_commit = off`
        if (customer === undefined) return run(beginning)
        await session.prepareLock()
        // Sends BEGIN and the lock in one round trip. If BEGIN fails, the server does not lock the customer.
        await run(`${beginning}; execute storeport_lock(${pg.escapeLiteral(customer)})`)
        turn?.locked()
        onStatement?.(lockCustomer)
      },
      disarmAbort: () => {
        signal.removeEventListener('abort', stop)
        signal.throwIfAborted()
      },
      commit: () => run('commit'),
      rollback: () => run('rollback'),
      release: (broken) => {
        signal.removeEventListener('abort', stop)
        // Closes a cancelled connection, because a delayed cancellation could stop a statement of the next request.
        client.release(broken || stopped)
        turn?.leave()
      },
    }
  }

  function findSession(client: pg.ClientBase): PostgresSession {
    const found = sessions.get(client)
    if (found === undefined) throw new Error('The pool returned a connection without a session.')
    return found
  }

  return {
    dialect: 'postgres',
    reader: (waiting) => writer(waiting),
    writer,
    failureOf: postgresFailure,
    explain: (error) => explainPostgres(error, label),
    close: () => pool.end(),
  }
}

/**
 * Locks a customer by updating the row. Above READ COMMITTED, the update fails if another transaction locked the
 * customer and was committed after this transaction began. `select … for update` would not detect this conflict.
 */
const lockCustomer = 'update customers set version = version + 1 where email_key = $1'

interface PostgresSession extends Session {
  /** Prepares the statement that locks a customer, once for each connection. */
  prepareLock(): Promise<unknown>
  /** Id of the server process for the connection. */
  readonly pid: number
}

/** Returns statements that set ISO dates, the statement timeout, and the timeout of idle transactions. */
function sessionSettings(statementTimeoutMs: number): string {
  const hangingMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 5000
  return [
    'set datestyle to iso',
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${hangingMs}`,
  ].join('; ')
}

/** Creates parsers that return 64-bit integers as numbers and dates as strings. */
function createTypeParsers(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.DATE, String)
  return types
}

/** Returns the id of the server process for a connection. */
async function pidOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Runs a function with a second connection. Ignores errors. */
async function onSecondConnection<Result>(url: string, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Rejects a pooler in transaction mode: it lets two open connections use the same server process. Prepared statements
 * and the settings of a connection would then be lost at any time.
 */
async function rejectTransactionMode(url: string, pid: number): Promise<void> {
  if ((await onSecondConnection(url, pidOf)) !== pid) return
  throw Object.assign(new Error('Two connections use the same server process.'), { code: '42P05' })
}

/** Cancels the running statement of a connection. If this fails, the statement timeout still applies. */
const cancelStatement = (url: string, pid: number) =>
  onSecondConnection(url, (client) => client.query('select pg_cancel_backend($1)', [pid]))

const parts = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/** Maximum number of prepared statements for each connection. A store uses far fewer. */
const maxNames = 500
const names = new Map<string, string>()

/**
 * Creates a function that runs statements on a `pg` connection. Names each SQL string, so that the server prepares and
 * plans the statement only once for each connection. Planning takes longer than execution.
 */
function pgSend(client: pg.ClientBase): Send {
  return async <Row>(text: string, parameters: readonly unknown[]) => {
    const name = nameOf(text)
    const values = [...parameters]
    const { rows, rowCount } = await client.query<Row & object>(
      name === undefined ? { text, values } : { name, text, values },
    )
    return { rows, changes: rowCount ?? 0 }
  }
}

function nameOf(sql: string): string | undefined {
  const known = names.get(sql)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `storeport_${names.size}`
  names.set(sql, name)
  return name
}
