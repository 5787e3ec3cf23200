import { type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Tables } from '../../schema.ts'
import type { Durability, Send } from '../connections.ts'
import { kyselyOver, type Language, type OnStatement, sendOver } from './kysely-over.ts'
import { openLibsqlConnection } from './libsql-connection.ts'

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
export function openSqliteFile(file: string, onStatement: OnStatement | undefined, checksKeys = true): SqliteFile {
  const connection = openLibsqlConnection(file)
  const { exec, close } = connection
  try {
    exec('pragma journal_mode = wal')
    exec(`pragma foreign_keys = ${checksKeys ? 'on' : 'off'}`)
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
