import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** The databases that the store speaks to. */
export type DialectName = 'sqlite' | 'postgres'

/** The caller that waits for a statement: a call's context. Its signal is read only when there is something to stop. */
export interface Waiting {
  /** Fires when nobody waits any longer. */
  readonly signal: AbortSignal
}

/** How much a transaction is worth after it was committed. */
export interface Durability {
  /**
   * Whether it must outlive a crash of the machine. One that need not is written without waiting for the disk, and can
   * only be lost together with everything that was committed after it.
   */
  readonly durable: boolean
}

/**
 * Runs one statement, with its parameters: what a click costs is in how its statements are made, so those are texts that
 * never change.
 */
export type Send = <Row>(statement: string, parameters: readonly unknown[]) => Promise<Sent<Row>>

/** What a statement gave. */
export interface Sent<Row> {
  /** Its rows. */
  readonly rows: readonly Row[]
  /** How many rows it inserted, updated or deleted; for a statement that reads, nothing in particular. */
  readonly changes: number
}

/** A connection for statements that change nothing. */
export interface Reader {
  /** Statements over the connection; each sees what was committed when it began. */
  readonly db: Kysely<Tables>
  /** The same for statements that are texts. */
  readonly send: Send
  /** Returns the connection, or closes it when it is broken. */
  release(broken: boolean): void
}

/** A connection for one transaction. */
export interface Writer extends Reader {
  /** Begins the transaction and, with the key of a customer's email, locks that customer until its end. */
  begin(durability: Durability, customer: string | undefined): Promise<void>
  /** Lets nobody stop the transaction any longer; throws the reason when somebody has. */
  holdOn(): void
  /** Commits the transaction. */
  commit(): Promise<void>
  /** Rolls the transaction back. */
  rollback(): Promise<void>
}

/** What an error of the database means. */
export interface Failure {
  /** Whether the same again may succeed: somebody else was in the way, or a new connection will do. */
  readonly retry: boolean
  /** Whether the connection is of no use any more. */
  readonly broken: boolean
  /** Whether the database was lost, so that nobody knows what it made of the statement under way. */
  readonly lost: boolean
}

/** The connections to one database. */
export interface Connections {
  /** The database. */
  readonly dialect: DialectName
  /** Waits for a connection to read through. */
  reader(waiting: Waiting): Promise<Reader>
  /** Waits for a connection to write through; with the key of a customer's email, for a change that will lock that customer. */
  writer(waiting: Waiting, customer?: string): Promise<Writer>
  /** What an error means, or `undefined` when the statement was wrong. */
  failureOf(error: unknown): Failure | undefined
  /** A sentence about an error for the person who opens the database: what to do, and no password. */
  explain(error: unknown): string
  /** Closes every connection; there is no new one afterwards. */
  close(): Promise<void>
}
