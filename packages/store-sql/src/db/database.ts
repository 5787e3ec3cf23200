import { setTimeout as pause } from 'node:timers/promises'
import { isStoreError, StoreError, withoutEmails } from '@storeport/core'
import { emailKey } from '@storeport/rules'
import type { Kysely } from 'kysely'
import type { Connections, DialectName, Durability, Failure, Send, Waiting } from './connections.ts'
import type { Tables } from './tables.ts'

/** Kysely query builder for a connection. */
export type Db = Kysely<Tables>

/** Options for a transaction. All options have defaults. */
export interface TransactionOptions<Result = unknown> extends Partial<Durability> {
  /** Request whose signal cancels the transaction; by default, the transaction cannot be cancelled. */
  readonly waiting?: Waiting | undefined
  /**
   * Whether `run` detects that an earlier attempt was committed; default false. If true, the transaction is retried
   * after a commit with an unknown outcome.
   */
  readonly repeatable?: boolean | undefined
  /**
   * Email of the customer whose account the transaction changes. The customer is locked before the first statement, so
   * that two changes to one account never overlap.
   */
  readonly customer?: string | undefined
  /**
   * Called before the commit. Return false or throw an error to roll back. By default, only an abort causes a rollback.
   */
  readonly mayCommit?: ((result: Result) => boolean) | undefined
}

/** Runs statements on a connection, with the query builder `db` or as SQL strings with `send`. */
export type Run<Result> = (db: Db, send: Send) => Promise<Result>

/** A database that runs the store's statements and your own statements. */
export interface Database {
  /** Type of the database. */
  readonly dialect: DialectName
  /** Runs read-only statements, each on the latest committed data. Throws StoreError `store_unavailable`. */
  read<Result>(run: Run<Result>, waiting?: Waiting): Promise<Result>
  /**
   * Runs one transaction. Retries the transaction after a conflict, so `run` must have no effects outside the database.
   * Throws StoreError `store_unavailable` if nothing was changed, and `upstream_error` if the outcome is unknown.
   */
  transaction<Result>(run: Run<Result>, options?: TransactionOptions<Result>): Promise<Result>
}

/** Limits for retries: total time in milliseconds, and number of new connections after lost connections. */
const retryForMs = 5000
const maxReconnects = 2

/** Thrown if a concurrent transaction has changed the same data. The transaction is then retried. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
}

/** Creates a database that uses the given connections. */
export function createDatabase(connections: Connections): Database {
  const { failureOf } = connections

  async function readOnce<Result>(run: Run<Result>, waiting: Waiting): Promise<Result> {
    const reader = await connections.reader(waiting)
    try {
      const result = await run(reader.db, reader.send)
      reader.release(false)
      return result
    } catch (error) {
      reader.release(failureOf(error)?.broken ?? false)
      throw error
    }
  }

  async function transactOnce<Result>(
    run: Run<Result>,
    { waiting = waitForever, durable = true, customer, mayCommit }: TransactionOptions<Result>,
    attempt: { isCommitting: boolean },
  ): Promise<Result> {
    const key = customer === undefined ? undefined : emailKey(customer)
    const writer = await connections.writer(waiting, key)
    try {
      await writer.begin({ durable }, key)
      const result = await run(writer.db, writer.send)
      writer.disarmAbort()
      if (mayCommit === undefined) waiting.signal.throwIfAborted()
      attempt.isCommitting = mayCommit?.(result) ?? true
      await (attempt.isCommitting ? writer.commit() : writer.rollback())
      writer.release(false)
      return result
    } catch (error) {
      const rollBack = async () => failureOf(error)?.broken || writer.rollback().then(() => false)
      writer.release(await rollBack().catch(() => true))
      throw error
    }
  }

  /** Runs attempts until one succeeds. Retries after a conflict, a lock or a lost connection. */
  async function retry<Result>(
    run: (attempt: { isCommitting: boolean }) => Promise<Result>,
    waiting: Waiting,
    repeatable: boolean,
  ): Promise<Result> {
    const giveUpAt = performance.now() + retryForMs
    let reconnects = 0
    let isUnknown = false
    for (let wait = 2; ; wait = Math.min(wait * 2, 64)) {
      /** Whether the attempt has sent its commit. */
      const attempt = { isCommitting: false }
      try {
        return await run(attempt)
      } catch (error) {
        const failure = error instanceof ChangedMeanwhile ? conflict : failureOf(error)
        if (failure?.lost) {
          reconnects += 1
          isUnknown ||= attempt.isCommitting
        }
        const again = failure?.retry === true && reconnects <= maxReconnects && performance.now() < giveUpAt
        if (again && (!isUnknown || repeatable)) {
          await pause(wait * Math.random())
          waiting.signal.throwIfAborted()
        } else if (isStoreError(error)) throw error
        else if (isUnknown) throw new StoreError('upstream_error', unknownCommit, { cause: removeDetails(error) })
        else if (waiting.signal.aborted) throw waiting.signal.reason
        else if (failure === undefined) throw removeDetails(error)
        else throw new StoreError('store_unavailable', undefined, { cause: removeDetails(error) })
      }
    }
  }

  return {
    dialect: connections.dialect,
    read: (run, waiting = waitForever) => retry(() => readOnce(run, waiting), waiting, true),
    transaction: (run, options = {}) => {
      const { waiting = waitForever, repeatable = false } = options
      return retry((attempt) => transactOnce(run, options, attempt), waiting, repeatable)
    },
  }
}

const conflict: Failure = { retry: true, broken: false, lost: false }

const unknownCommit = 'Lost the database connection during commit. The outcome is unknown.'

/** Removes emails and details from a database error, because emails must not be logged. The error code is unchanged. */
function removeDetails(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const { code } = error
  return Object.assign(new Error(withoutEmails(`${String(code)}: ${error.message}`)), { code })
}

/** A `Waiting` that is never aborted. Creates a signal only for a statement that can be cancelled. */
const waitForever: Waiting = {
  get signal() {
    return new AbortController().signal
  },
}
