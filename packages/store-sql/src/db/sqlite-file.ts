import Database from 'libsql'
import { type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Tables } from './schema.ts'
import type { Durability, Send } from './connections.ts'
import { kyselyOver, type Language, type OnStatement, sendOver } from './kysely-over.ts'

/** A connection to a SQLite file. */
export interface SqliteFile {
  /** Statements over the connection. */
  readonly db: Kysely<Tables>
  /** The same for statements that are texts. */
  readonly send: Send
  /** Runs a statement without parameters, whose rows do not matter. */
  exec(sql: string): void
  /** Begins a transaction, unless somebody else writes. */
  begin(durability: Durability): void
  /** Rolls back the transaction under way, if there is one. */
  rollback(): void
  /** Moves everything from the write-ahead log into the file, unless somebody else uses it. */
  checkpoint(): void
  /** Closes the connection. */
  close(): void
}

/** Opens a SQLite file, or makes it; throws what libsql throws. */
export function openSqliteFile(file: string, onStatement: OnStatement | undefined): SqliteFile {
  const connection = openLibsqlConnection(file)
  const { exec, close } = connection
  try {
    exec('pragma journal_mode = wal')
    exec('pragma foreign_keys = on')
    exec('pragma cache_size = -16000')
    // Not mapped into memory: another program that cuts the file would end the process.
    exec('pragma mmap_size = 0')
  } catch (error) {
    close()
    throw error
  }
  let isDurable: boolean | undefined
  return {
    db: kyselyOver(connection.send, language, onStatement),
    send: sendOver(connection.send, onStatement),
    exec,
    begin: ({ durable }) => {
      if (durable !== isDurable) exec(`pragma synchronous = ${durable ? 'full' : 'normal'}`)
      isDurable = durable
      exec('begin immediate')
    },
    rollback: () => {
      if (connection.isInTransaction()) exec('rollback')
    },
    checkpoint: () => {
      try {
        exec('pragma wal_checkpoint(truncate)')
      } catch {
        // The log is read when the file is opened again.
      }
    },
    close,
  }
}

const language: Language = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}

/** A connection to a SQLite file. */
export interface LibsqlConnection {
  /** Runs a statement. */
  readonly send: Send
  /** Runs a statement that has no parameters and whose rows do not matter. */
  exec(sql: string): void
  /** Whether a transaction is under way: SQLite ends it itself when the disk is full. */
  isInTransaction(): boolean
  /** Closes it. */
  close(): void
}

/** Statements that are kept prepared; those of a store are far fewer. */
const maxStatements = 500

/**
 * Opens a connection to a SQLite file.
 *
 * What must be known of libsql 0.5: a statement that was refused as busy stays in progress until it is collected as
 * garbage, and until then no transaction of the connection can end, so that the connection must be given up; `exec` has
 * no such trouble. `run` on a statement that gives rows leaves it in progress, too. A boolean ends the process.
 */
export function openLibsqlConnection(file: string): LibsqlConnection {
  // Without a time-out in the driver, since that would block the whole process: who meets a lock waits without one.
  const database = new Database(file, { timeout: 0 })
  const statements = new Map<string, Prepared>()

  const prepare = (sql: string): Prepared => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    if (statements.size >= maxStatements) statements.clear()
    const statement = database.prepare(sql)
    const prepared = { statement, givesRows: statement.reader }
    statements.set(sql, prepared)
    return prepared
  }

  return {
    send: async <Row>(sql: string, parameters: readonly unknown[]) => {
      const { statement, givesRows } = prepare(sql)
      const values = parameters.map(toBindable)
      if (givesRows) return { rows: statement.all(values).filter(isRow<Row>), changes: 0 }
      return { rows: [], changes: statement.run(values).changes }
    },
    exec: (sql) => void database.exec(sql),
    isInTransaction: () => database.inTransaction,
    close: () => {
      statements.clear()
      database.close()
    },
  }
}

interface Prepared {
  readonly statement: ReturnType<Database.Database['prepare']>
  readonly givesRows: boolean
}

/** Which columns a row has is known from the statement. */
function isRow<Row>(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

/** A value as SQLite takes it; a text that it would cut short or change is refused. */
function toBindable(value: unknown): string | number | bigint | null {
  switch (typeof value) {
    case 'boolean':
      return value ? 1 : 0
    case 'number':
    case 'bigint':
      return value
    case 'string':
      if (value.includes('\0') || !value.isWellFormed()) throw new TypeError('SQLite cannot hold such a text.')
      return value
    default:
      if (value === null) return null
      throw new TypeError(`SQLite cannot hold a value of type ${typeof value}.`)
  }
}
