import Database from 'libsql'
import { type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { ConnectionOptions, Durability, Send, Session } from './connections.ts'
import { createSession } from './session.ts'

/** A connection to a SQLite file. */
export interface SqliteFile extends Session {
  /** Runs a statement without parameters and discards its rows. */
  exec(sql: string): void
  /** Begins a transaction; throws if another connection holds the write lock. */
  begin(durability: Durability): void
  /** Rolls back the open transaction, if any. */
  rollback(): void
  /** Moves the write-ahead log into the file, unless another connection uses the log. */
  checkpoint(): void
  /** Closes the connection. */
  close(): void
}

/** Maximum number of prepared statements. A store uses far fewer. */
const maxStatements = 500

/**
 * Opens or creates a SQLite file; throws libsql errors unchanged. Works around four defects in libsql 0.5:
 *
 * - After SQLITE_BUSY, a prepared statement stays active until garbage collection. Until then, no transaction on the
 *   connection can end, so the connection must be discarded. `exec` is not affected.
 * - `run` on a statement that returns rows leaves the statement active.
 * - After an error in a row, `get` fails again with the same error. The statement must be prepared again.
 * - A boolean parameter crashes the process.
 */
export function openSqliteFile(file: string, onStatement?: ConnectionOptions['onStatement']): SqliteFile {
  // Disables the lock timeout of the driver, which would block the process. `retryWhileBusy` waits for locks instead.
  const database = new Database(file, { timeout: 0 })
  const exec = (sql: string) => void database.exec(sql)
  try {
    exec('pragma journal_mode = wal')
    exec('pragma foreign_keys = on')
    exec('pragma cache_size = -16000')
    // Disables memory mapping, because a program that truncates a mapped file would crash the process.
    exec('pragma mmap_size = 0')
  } catch (error) {
    database.close()
    throw error
  }
  const statements = new Map<string, Prepared>()
  let isDurable: boolean | undefined

  const prepare = (sql: string): Prepared => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    if (statements.size >= maxStatements) statements.clear()
    const statement = database.prepare(sql)
    const prepared = { statement, givesRows: statement.reader }
    statements.set(sql, prepared)
    return prepared
  }

  const send: Send = async <Row>(sql: string, parameters: readonly unknown[], isSingle = false) => {
    const { statement, givesRows } = prepare(sql)
    const values = parameters.map(toBindable)
    try {
      if (!givesRows) return { rows: [], changes: statement.run(values).changes }
      // Avoids `all`, which reserves memory for 100 rows and therefore takes longer than the statement.
      const rows = isSingle ? [statement.get(values)] : statement.all(values)
      return { rows: rows.filter(isRow<Row>), changes: 0 }
    } catch (error) {
      statements.delete(sql)
      throw error
    }
  }

  return {
    ...createSession(send, parts, onStatement),
    exec,
    begin: ({ durable }) => {
      if (durable !== isDurable) exec(`pragma synchronous = ${durable ? 'full' : 'normal'}`)
      isDurable = durable
      exec('begin immediate')
    },
    rollback: () => {
      // SQLite rolls back the transaction itself if the disk is full.
      if (database.inTransaction) exec('rollback')
    },
    checkpoint: () => {
      try {
        exec('pragma wal_checkpoint(truncate)')
      } catch {
        // Ignores the error, because SQLite reads the log when the file is opened again.
      }
    },
    close: () => {
      statements.clear()
      database.close()
    },
  }
}

const parts = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}

interface Prepared {
  readonly statement: ReturnType<Database.Database['prepare']>
  readonly givesRows: boolean
}

/** Narrows a value to a row. The columns are not checked, because the statement determines them. */
function isRow<Row>(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

/** Converts a parameter for SQLite; throws TypeError for a value that SQLite would reject, truncate or change. */
function toBindable(value: unknown): string | number | bigint | null {
  switch (typeof value) {
    case 'boolean':
      return value ? 1 : 0
    case 'number':
    case 'bigint':
      return value
    case 'string':
      if (value.includes('\0') || !value.isWellFormed())
        throw new TypeError('SQLite cannot store a string with NUL or a lone surrogate.')
      return value
    default:
      if (value === null) return null
      throw new TypeError(`SQLite cannot store a value of type ${typeof value}.`)
  }
}
