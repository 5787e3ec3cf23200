import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** The supported databases. */
export type DialectName = 'sqlite' | 'postgres'

/** The caller of a statement, such as the context of a request. The signal is read only when a statement can be cancelled. */
export interface Waiting {
  /** Aborts when the caller no longer waits for the result. */
  readonly signal: AbortSignal
}

/** Durability of a committed transaction. */
export interface Durability {
  /**
   * Whether the transaction must survive a crash of the machine. A transaction that is not durable does not wait for the
   * disk. If it is lost, all later commits are lost with it.
   */
  readonly durable: boolean
}

/**
 * Runs one statement with its parameters. The speed of a click depends on prepared statements, so the SQL strings must be
 * the same for every call.
 */
export type Send = <Row>(statement: string, parameters: readonly unknown[]) => Promise<Sent<Row>>

/** Result of a statement. */
export interface Sent<Row> {
  /** Returned rows. */
  readonly rows: readonly Row[]
  /** Number of inserted, updated or deleted rows. Has no meaning for a read. */
  readonly changes: number
}

/** A connection for read-only statements. */
export interface Reader {
  /** Query builder over the connection. Each statement reads the data that was committed when it started. */
  readonly db: Kysely<Tables>
  /** Runs SQL strings over the same connection. */
  readonly send: Send
  /** Returns the connection to the pool, or closes it if it is broken. */
  release(broken: boolean): void
}

/** A connection for one transaction. */
export interface Writer extends Reader {
  /** Begins the transaction. If `customer` (the key of an email) is set, locks that customer until the transaction ends. */
  begin(durability: Durability, customer: string | undefined): Promise<void>
  /** Prevents a later abort from cancelling the transaction; throws the reason of an earlier abort. */
  disarmAbort(): void
  /** Commits the transaction. */
  commit(): Promise<void>
  /** Rolls the transaction back. */
  rollback(): Promise<void>
}

/** Classification of a database error. */
export interface Failure {
  /** Whether a retry may succeed, after a conflict or over a new connection. */
  readonly retry: boolean
  /** Whether the connection is unusable. */
  readonly broken: boolean
  /** Whether the connection was lost, so that the outcome of the running statement is unknown. */
  readonly lost: boolean
}

/** The connections to one database. */
export interface Connections {
  /** Name of the database. */
  readonly dialect: DialectName
  /** Acquires a connection for reads. */
  reader(waiting: Waiting): Promise<Reader>
  /** Acquires a connection for a transaction. `customer` is the email key of the customer that the transaction will lock. */
  writer(waiting: Waiting, customer?: string): Promise<Writer>
  /** Classifies an error; returns `undefined` for an invalid statement. */
  failureOf(error: unknown): Failure | undefined
  /** Returns a message for the operator: the problem and what to do, without a password. */
  explain(error: unknown): string
  /** Closes all connections permanently. */
  close(): Promise<void>
}
