import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** The supported databases. */
export type DialectName = 'sqlite' | 'postgres'

/**
 * A request that waits for a statement, such as a `Context`. The property `signal` is accessed only if a statement can
 * be cancelled.
 */
export interface Waiting {
  /** Aborts when the caller no longer waits for the result. */
  readonly signal: AbortSignal
}

/** Durability of a committed transaction. */
export interface Durability {
  /**
   * Whether a committed transaction survives a crash of the machine. If false, the commit does not wait for the disk.
   * If a crash loses such a transaction, all later transactions are lost as well.
   */
  readonly durable: boolean
}

/**
 * Runs one statement with its parameters. Use the same SQL string for every call, so that the connection can reuse the
 * prepared statement. With `isSingle`, returns only the first row, which is faster on SQLite.
 */
export type Send = <Row>(statement: string, parameters: readonly unknown[], isSingle?: boolean) => Promise<Sent<Row>>

/** Result of a statement. */
export interface Sent<Row> {
  /** Returned rows. */
  readonly rows: readonly Row[]
  /** Number of inserted, updated or deleted rows. Not meaningful for a read. */
  readonly changes: number
}

/** Runs statements on an open connection. Each statement reads the data that was committed when the statement started. */
export interface Session {
  /** Query builder for the connection, which it never closes. */
  readonly db: Kysely<Tables>
  /** Runs SQL strings on the same connection. */
  readonly send: Send
}

/** A connection for read-only statements. */
export interface Reader extends Session {
  /** Returns the connection to the pool, or closes a broken connection. */
  release(broken: boolean): void
}

/** A connection for one transaction. */
export interface Writer extends Reader {
  /** Begins the transaction. Locks the customer with the email key `customer`, if set, until the transaction ends. */
  begin(durability: Durability, customer: string | undefined): Promise<void>
  /**
   * Prevents a later abort from cancelling the transaction. Throws the signal's reason if the signal is already
   * aborted.
   */
  disarmAbort(): void
  /** Commits the transaction. */
  commit(): Promise<void>
  /** Rolls back the transaction. */
  rollback(): Promise<void>
}

/** Options for connections. All options have defaults. */
export interface ConnectionOptions {
  /** Maximum number of connections to PostgreSQL; default 10. */
  readonly poolSize?: number | undefined
  /** Maximum time of a statement, and maximum wait for a lock or a connection, in milliseconds; default 5,000. */
  readonly statementTimeoutMs?: number | undefined
  /** Called with a log message if the SQLite file was truncated, replaced or removed; default `process.emitWarning`. */
  readonly onNotice?: ((notice: string) => void) | undefined
  /** Called with the SQL of every statement, never with its values. */
  readonly onStatement?: ((sql: string) => void) | undefined
}

/** Classification of a database error. */
export interface Failure {
  /** Whether a retry may succeed, for example after a conflict or on a new connection. */
  readonly retry: boolean
  /** Whether the connection is unusable. */
  readonly broken: boolean
  /** Whether the connection was lost. The outcome of the running statement is then unknown. */
  readonly lost: boolean
}

/** The connections to one database. */
export interface Connections {
  /** Type of the database. */
  readonly dialect: DialectName
  /** Acquires a connection for reads. */
  reader(waiting: Waiting): Promise<Reader>
  /** Acquires a connection for a transaction. `customer` is the email key of the customer to lock. */
  writer(waiting: Waiting, customer?: string): Promise<Writer>
  /** Classifies a database error; returns `undefined` if the statement itself caused the error. */
  failureOf(error: unknown): Failure | undefined
  /** Returns a message for the operator: the problem and what to do, without a password. */
  explain(error: unknown): string
  /** Closes all connections permanently. */
  close(): Promise<void>
}
