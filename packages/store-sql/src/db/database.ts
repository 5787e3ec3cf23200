import { setTimeout as pause } from 'node:timers/promises'
import { emailKey } from '@storeport/rules'
import type { Kysely } from 'kysely'
import type { Connections, DialectName, Durability, Failure, Send, Waiting, Writer } from './connections.ts'
import { ChangedMeanwhile, CommitFailure, toCallerError } from './database-errors.ts'
import type { Tables } from './schema.ts'

/** Statements over a connection. */
export type Db = Kysely<Tables>

/** How a transaction is run; everything has a default. */
export interface TransactionOptions<Result = unknown> extends Partial<Durability> {
  /** Who waits for it; default nobody, so that it is never stopped. */
  readonly waiting?: Waiting | undefined
  /**
   * Whether the transaction notices that it was done before, so that it can be run again when nobody knows whether its
   * commit arrived; default false.
   */
  readonly repeatable?: boolean | undefined
  /**
   * The email of the customer whose account it changes: who is locked before its first statement, so that two changes of one
   * customer never overlap.
   */
  readonly customer?: string | undefined
  /** Whether to commit it, asked at the last moment: else it is rolled back, as when this throws; default yes, while somebody waits. */
  readonly mayCommit?: ((result: Result) => boolean) | undefined
}

/** Uses a connection: by Kysely, or by statements that are texts. */
export type Run<Result> = (db: Db, send: Send) => Promise<Result>

/** A database, for statements of your own as well. */
export interface Database {
  /** The database. */
  readonly dialect: DialectName
  /** Runs statements that change nothing; each sees what was committed when it began. Throws StoreError `store_unavailable`. */
  read<Result>(run: Run<Result>, waiting?: Waiting): Promise<Result>
  /**
   * Runs one transaction, and again when another one was in its way: `run` must have no effect outside the database.
   * Throws StoreError `store_unavailable` when nothing has changed, `upstream_error` when nobody knows.
   */
  transaction<Result>(run: Run<Result>, options?: TransactionOptions<Result>): Promise<Result>
}

/** For how long an attempt is repeated, in milliseconds, and how often over a new connection after a loss. */
const retryForMs = 5000
const maxReconnects = 2

/** Reads and transactions over connections. */
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
    { waiting = waitForever(), durable = true, customer, mayCommit }: TransactionOptions<Result>,
  ): Promise<Result> {
    const key = customer === undefined ? undefined : emailKey(customer)
    const writer = await connections.writer(waiting, key)
    try {
      await writer.begin({ durable }, key)
      const result = await run(writer.db, writer.send)
      writer.holdOn()
      if (mayCommit === undefined) waiting.signal.throwIfAborted()
      if (mayCommit === undefined || mayCommit(result)) {
        await writer.commit().catch((error: unknown) => {
          throw new CommitFailure(error)
        })
      } else await writer.rollback()
      writer.release(false)
      return result
    } catch (error) {
      writer.release(!(await rollBack(writer, error)))
      throw error
    }
  }

  /** Ends a transaction that failed; returns whether its connection can be used again. */
  async function rollBack(writer: Writer, error: unknown): Promise<boolean> {
    if (failureOf(causeOf(error))?.broken) return false
    return writer.rollback().then(
      () => true,
      () => false,
    )
  }

  /** Repeats an attempt that met a conflict, a lock or a lost connection. */
  async function retryAttempt<Result>(
    attempt: () => Promise<Result>,
    waiting: Waiting,
    repeatable: boolean,
  ): Promise<Result> {
    const giveUpAt = performance.now() + retryForMs
    let reconnects = 0
    let unknown = false
    for (let wait = 2; ; wait = Math.min(wait * 2, 64)) {
      try {
        return await attempt()
      } catch (error) {
        const failure = error instanceof ChangedMeanwhile ? conflict : failureOf(causeOf(error))
        if (failure?.lost) {
          reconnects += 1
          unknown ||= error instanceof CommitFailure
        }
        const again = failure?.retry === true && reconnects <= maxReconnects && performance.now() < giveUpAt
        if (!again || (unknown && !repeatable)) throw toCallerError(causeOf(error), failure, { waiting, unknown })
      }
      await pause(wait * Math.random())
      waiting.signal.throwIfAborted()
    }
  }

  return {
    dialect: connections.dialect,
    read: (run, waiting = waitForever()) => retryAttempt(() => readOnce(run, waiting), waiting, true),
    transaction: (run, options = {}) => {
      const { waiting = waitForever(), repeatable = false } = options
      return retryAttempt(() => transactOnce(run, options), waiting, repeatable)
    },
  }
}

const conflict: Failure = { retry: true, broken: false, lost: false }

function causeOf(error: unknown): unknown {
  return error instanceof CommitFailure ? error.cause : error
}

/** A wait that nothing ends. */
function waitForever(): Waiting {
  return { signal: new AbortController().signal }
}
