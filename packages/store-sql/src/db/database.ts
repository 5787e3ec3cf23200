import type { Kysely } from 'kysely'
import type { Connections, DialectName, Durability, Failure, Waiting, Writer } from './connections.ts'
import { ChangedMeanwhile, CommitFailure, reported } from './database-errors.ts'
import { pause } from './pause.ts'
import type { Tables } from '../schema.ts'

/** Statements over a connection. */
export type Db = Kysely<Tables>

/** How a transaction is run; everything has a default. */
export interface TransactionOptions extends Partial<Durability> {
  /** Who waits for it; default nobody, so that it is never stopped. */
  readonly waiting?: Waiting | undefined
  /**
   * Whether the transaction notices that it was done before, so that it can be run again when nobody knows whether its
   * commit arrived; default false.
   */
  readonly repeatable?: boolean | undefined
}

/** A database, for statements of your own as well. */
export interface Database {
  /** The database. */
  readonly dialect: DialectName
  /** Runs statements that change nothing; each sees what was committed when it began. Throws StoreError `store_unavailable`. */
  read<Result>(run: (db: Db) => Promise<Result>, waiting?: Waiting): Promise<Result>
  /**
   * Runs one transaction, and again when another one was in its way: `run` must have no effect outside the database.
   * Throws StoreError `store_unavailable` when nothing has changed, `upstream_error` when nobody knows.
   */
  transaction<Result>(run: (db: Db) => Promise<Result>, options?: TransactionOptions): Promise<Result>
}

/** For how long the same is tried again, in milliseconds, and how often a lost connection is replaced. */
const patienceMs = 5000
const mostReplacements = 2

/** Reads and transactions over connections. */
export function createDatabase(connections: Connections): Database {
  const { failureOf } = connections

  async function readOnce<Result>(run: (db: Db) => Promise<Result>, waiting: Waiting): Promise<Result> {
    const reader = await connections.reader(waiting)
    try {
      const result = await run(reader.db)
      reader.release(false)
      return result
    } catch (error) {
      reader.release(failureOf(error)?.broken ?? false)
      throw error
    }
  }

  async function transactOnce<Result>(
    run: (db: Db) => Promise<Result>,
    durable: boolean,
    waiting: Waiting,
  ): Promise<Result> {
    const writer = await connections.writer(waiting)
    try {
      await writer.begin({ durable })
      const result = await run(writer.db)
      waiting.signal.throwIfAborted()
      await writer.commit().catch((error: unknown) => {
        throw new CommitFailure(error)
      })
      writer.release(false)
      return result
    } catch (error) {
      writer.release(!(await takenBack(writer, error)))
      throw error
    }
  }

  /** Whether a transaction that failed is over, and its connection as good as before. */
  async function takenBack(writer: Writer, error: unknown): Promise<boolean> {
    if (failureOf(causeOf(error))?.broken) return false
    return writer.rollback().then(
      () => true,
      () => false,
    )
  }

  /** Tries again what somebody else was in the way of, and what lost its connection. */
  async function persistently<Result>(
    attempt: () => Promise<Result>,
    waiting: Waiting,
    repeatable: boolean,
  ): Promise<Result> {
    const giveUpAt = performance.now() + patienceMs
    let replacements = 0
    let unknown = false
    for (let wait = 2; ; wait = Math.min(wait * 2, 64)) {
      try {
        return await attempt()
      } catch (error) {
        const failure = error instanceof ChangedMeanwhile ? changed : failureOf(causeOf(error))
        if (failure?.lost) {
          replacements += 1
          unknown ||= error instanceof CommitFailure
        }
        const again = failure?.retry === true && replacements <= mostReplacements && performance.now() < giveUpAt
        if (!again || (unknown && !repeatable)) throw reported(causeOf(error), failure, { waiting, unknown })
      }
      await pause(wait * Math.random())
      waiting.signal.throwIfAborted()
    }
  }

  return {
    dialect: connections.dialect,
    read: (run, waiting = forever()) => persistently(() => readOnce(run, waiting), waiting, true),
    transaction: (run, { waiting = forever(), durable = true, repeatable = false } = {}) =>
      persistently(() => transactOnce(run, durable, waiting), waiting, repeatable),
  }
}

const changed: Failure = { retry: true, broken: false, lost: false }

function causeOf(error: unknown): unknown {
  return error instanceof CommitFailure ? error.cause : error
}

/** Nobody stops waiting. */
function forever(): Waiting {
  return { signal: new AbortController().signal }
}
