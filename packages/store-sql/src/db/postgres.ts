import { type Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import type { Connections, Send, Waiting, Writer } from './connections.ts'
import type { Tables } from './schema.ts'
import { kyselyOver, type Language, type OnStatement, sendOver } from './kysely-over.ts'
import { createLockTurns, type LockTurn } from './turns.ts'
import { explainPostgres, postgresFailure } from './postgres-failure.ts'

/** How the connections to a PostgreSQL server are made. */
export interface PostgresSettings {
  /** `postgres://…` */
  readonly url: string
  /** The address without user and password. */
  readonly shown: string
  /** Most connections at a time. */
  readonly poolSize: number
  /** How long one statement may take, in milliseconds; 0 sets no limit. */
  readonly statementTimeoutMs: number
  /** How long to wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number
  /** How strictly transactions are kept apart; default `read committed`. */
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable' | undefined
  /** Called with the text of every statement. */
  readonly onStatement?: OnStatement | undefined
}

/** The connections to a PostgreSQL server: a pool, which replaces those that are lost. */
export function openPostgres(settings: PostgresSettings): Connections {
  const { url, shown, statementTimeoutMs, connectTimeoutMs, isolation = 'read committed', onStatement } = settings
  const begin = `begin isolation level ${isolation}`
  const sessions = new WeakMap<pg.ClientBase, Session>()
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'storeport',
    max: settings.poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // The server ends a statement that takes too long; one that is gone without a word cannot, and then this does.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + 1000 }),
    types: createTypeParsers(),
    onConnect: async (client) => {
      // The statement under way fails with the loss; without a listener the loss would also end the process.
      client.on('error', () => {})
      await client.query(sessionSettings(statementTimeoutMs))
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const send = pgSend(client)
      const db = kyselyOver(send, language, onStatement)
      let preparing: Promise<unknown> | undefined
      sessions.set(client, {
        ...{ db, send: sendOver(send, onStatement), pid: rows[0]?.pid ?? 0 },
        // The tables are there when somebody is locked.
        prepareLock: () => (preparing ??= client.query(`prepare storeport_lock (text) as ${lockCustomer}`)),
      })
    },
  })
  // An idle connection that is lost is dropped by the pool; nobody waits for it.
  pool.on('error', () => {})

  // At most half the pool waits for locks, so that a customer who is locked elsewhere keeps nobody else waiting.
  const lockTurns = createLockTurns(Math.max(1, Math.floor(settings.poolSize / 2)), connectTimeoutMs)

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
        // One round trip, and nothing is done that did not begin.
        await run(`${beginning}; execute storeport_lock(${pg.escapeLiteral(customer)})`)
        turn?.locked()
        onStatement?.(lockCustomer)
      },
      holdOn: () => {
        signal.removeEventListener('abort', stop)
        signal.throwIfAborted()
      },
      commit: () => run('commit'),
      rollback: () => run('rollback'),
      release: (broken) => {
        signal.removeEventListener('abort', stop)
        // The request to cancel may arrive late: it must not meet the statement of another caller.
        client.release(broken || stopped)
        turn?.leave()
      },
    }
  }

  function findSession(client: pg.ClientBase): Session {
    const found = sessions.get(client)
    if (found === undefined) throw new Error('The pool gave a connection that was never set up.')
    return found
  }

  return {
    dialect: 'postgres',
    reader: (waiting) => writer(waiting),
    writer,
    failureOf: postgresFailure,
    explain: (error) => explainPostgres(error, shown),
    close: () => pool.end(),
  }
}

/**
 * Locks a customer. It changes the row instead of asking for a lock: then a database that keeps transactions apart more
 * strictly than READ COMMITTED notices, too, that another one was there since this one began, and makes it restart.
 */
const lockCustomer = 'update customers set version = version + 1 where email_key = $1'

interface Session {
  readonly db: Kysely<Tables>
  readonly send: Send
  /** Prepares the statement that locks a customer, once. */
  prepareLock(): Promise<unknown>
  /** The server's number for the connection. */
  readonly pid: number
}

/** Dates in JSON are ISO anyway; elsewhere they follow the server's settings. A transaction that hangs lets go of its locks. */
function sessionSettings(statementTimeoutMs: number): string {
  const hangingMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 5000
  return [
    'set datestyle to iso',
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${hangingMs}`,
  ].join('; ')
}

/** Whole numbers as numbers, dates as text. */
function createTypeParsers(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.DATE, String)
  return types
}

/** Asks the server to stop what a connection is at, over another connection. */
async function cancelStatement(url: string, pid: number): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_cancel_backend($1)', [pid])
  } catch {
    // The statement ends by its time-out then.
  } finally {
    await client.end().catch(() => {})
  }
}

const language: Language = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/** Texts that are prepared once on every connection; those of a store are far fewer. */
const maxNames = 500
const names = new Map<string, string>()

/**
 * Runs statements over a connection of pg. Every text is prepared under a name of its own, so that the server plans it
 * once for a connection: planning takes longer than running.
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
