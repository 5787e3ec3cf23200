import { type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Tables } from '../../schema.ts'
import { kyselyOver, type Language, type OnStatement } from './kysely-over.ts'
import { openLibsqlConnection } from './libsql-connection.ts'

/** A connection to a SQLite file. */
export interface SqliteFile {
  /** Statements over the connection. */
  readonly db: Kysely<Tables>
  /** Runs a statement without parameters, whose rows do not matter. */
  exec(sql: string): void
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
    exec('pragma mmap_size = 2147418112')
  } catch (error) {
    close()
    throw error
  }
  return {
    db: kyselyOver(connection, language, onStatement),
    exec,
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
