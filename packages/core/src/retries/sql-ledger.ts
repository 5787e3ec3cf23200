import { StoreError } from '../contract/errors.ts'
import type { ClickResult, Decide, Decision, Ledger } from '../contract/ledger.ts'
import type { Context } from '../contract/store-port.ts'
import { systemRuntime } from './runtime.ts'
import * as sql from './sql-statements.ts'

/** Options of `createSqlLedger`. */
export interface SqlLedgerOptions {
  readonly dialect: sql.SqlDialect
  /** Runs and commits one statement on the primary database, over a pool or a connection. */
  readonly run: sql.SqlRun
  /** Name of the table; default `storeport_clicks`. */
  readonly table?: string | undefined
}

type ClickContext = Pick<Context, 'click' | 'idempotencyKey'>
type Work = (idempotencyKey: string) => unknown

/** A ledger in one table of the merchant's own database. */
export interface SqlLedger extends Ledger {
  readonly requiresScope: true
  update<Result>(key: string, decide: Decide<Result>): Promise<Result>
  /** Checks `run` and the table. Rejects with a TypeError for an invalid `run`, and with an Error for a missing table. */
  ready(): Promise<void>
  /**
   * Runs `work` and stores `context.click` in the same transaction. Must be the first statement of an open transaction.
   * Throws all errors of `run` and `work`, so that the transaction rolls back.
   */
  once(run: sql.SqlRun, context: ClickContext, work: Work): Promise<ClickResult>
  /** Variant of `once` for drivers with synchronous transactions, such as better-sqlite3. */
  onceSync(run: (...call: Parameters<sql.SqlRun>) => sql.SqlResult, context: ClickContext, work: Work): ClickResult
}

/** Steps for synchronous and asynchronous drivers. Yields the values that may have to be awaited. */
type Steps<Result> = Generator<unknown, Result, unknown>

/** Time limit of one `update`, in milliseconds (rule 19). */
const updateMs = 2000
/** Interval between deletions of rows that expired an hour ago, and the delay in which a transaction can end. */
const [sweepMs, expiredMs, delayMs] = [10_000, 60 * 60_000, 500]

/** Number of characters of the longest id: a scope, the mode and a digest. */
const longestId = 64 + ':live:'.length + 64

/** A statement that takes longer than this many milliseconds has probably waited for a lock. */
const slowMs = 20

/** Creates a ledger in one table of the merchant's own database. Throws TypeError for an invalid option. */
export function createSqlLedger(options: SqlLedgerOptions): SqlLedger {
  const { dialect, run: ownRun, table = sql.defaultTable } = options
  sql.sqlLedgerTable(dialect, table)
  const texts = sql.clickStatements(dialect, table)
  if (typeof ownRun !== 'function') throw new TypeError('run: must be a function that runs a statement')
  let checking: Promise<void> | undefined
  let sweptAt = systemRuntime.now()

  function* send(run: sql.SqlRun, text: string, parameters: (string | number)[] = []) {
    try {
      return sql.checkResult(yield run(text, parameters))
    } catch (cause) {
      if (!sql.matchesError(cause, sql.missingTable)) throw cause
      throw wrongTable(cause)
    }
  }
  const wrongTable = (cause?: unknown) => {
    const migration = `Run the migration that sqlLedgerTable('${dialect}') returns.`
    return new Error(`The table ${table} is missing or belongs to another version of StorePort. ${migration}`, {
      cause,
    })
  }
  const commit = (...call: Parameters<sql.SqlRun>) => takeSteps(send(ownRun, ...call))
  const read = async (key: string) => sql.openRow((await commit(texts.read, [key])).rows[0])

  /** Checks the shapes of results with a row that never expires, so that no other process deletes it. */
  async function check(): Promise<void> {
    const id = 'storeport-probe'.padEnd(longestId, '-')
    const values = () => valuesOf({ result: undefined, document: { v: 0 }, until: Number.MAX_SAFE_INTEGER })
    await commit(texts.insert, [id, ...values()])
    // Without an error, \`insert ignore\` of MySQL shortens an id that does not fit.
    if (typeof (await read(id)).version !== 'string') throw wrongTable()
    const updated = await commit(texts.update, [...values(), id])
    const missed = await commit(texts.compareAndSet, [...values(), id, ''])
    if (updated.changes !== 1 || missed.changes !== 0) throw sql.invalidResult()
  }

  const ready = async () =>
    (checking ??= check()).catch((error: unknown) => {
      checking = undefined
      throw error
    })

  /** Deletes expired rows in the background. */
  function sweep(): void {
    if (systemRuntime.now() < sweptAt + sweepMs) return
    sweptAt = systemRuntime.now()
    const deleteExpired = async () => {
      const before = (await read('')).now - expiredMs
      const { rows } = await commit(texts.sweep, [before])
      for (const { id } of rows) await commit(texts.remove, [String(id), before])
    }
    systemRuntime.after(delayMs, () => void deleteExpired().catch(() => {}), true)
  }

  async function update<Result>(key: string, decide: Decide<Result>): Promise<Result> {
    const endsAt = systemRuntime.now() + updateMs
    sweep()
    for (let turn = 0; ; turn++) {
      const isLast = systemRuntime.now() >= endsAt
      try {
        await ready()
        const { stored, now, version } = await read(key)
        const decision = decide(stored, now)
        if (decision.document === undefined) return decision.result
        const values = valuesOf(decision)
        const { changes } = await (typeof version === 'string'
          ? commit(texts.compareAndSet, [...values, key, version])
          : commit(texts.insert, [key, ...values]))
        if (changes > 0) return decision.result
        if (isLast) throw busy()
      } catch (error) {
        if (isLast || !sql.matchesError(error, sql.conflict)) throw error
      }
      const pauseMs = systemRuntime.random() * Math.min(100, 5 * 2 ** turn)
      await new Promise<void>((resume) => systemRuntime.after(pauseMs, resume))
    }
  }

  /** Creates and locks a row. Reads the clock after the lock, for which a statement may wait (rule 21). */
  function* lock(run: sql.SqlRun, key: string) {
    const created = yield* send(run, texts.create, [key, systemRuntime.id(), '', 0])
    let readAt = performance.now()
    let locked = yield* send(run, texts.lock, [key])
    if (performance.now() > readAt + slowMs) {
      // Reads again without a wait for the lock, to know when the clock was read.
      readAt = performance.now()
      locked = yield* send(run, texts.lock, [key])
    }
    // In PostgreSQL, the deletion of expired rows may have removed the row between the two statements.
    if (locked.rows[0] === undefined) throw busy()
    const { transaction, ...row } = sql.openRow(locked.rows[0])
    if (transaction === null) yield* requireTransaction(run)
    // In MariaDB, the value is 0 outside a transaction. In PostgreSQL, each statement is a transaction.
    else if (Number(transaction) === 0 || (created.rows[0]?.['transaction_id'] ?? transaction) !== transaction)
      throw noTransaction()
    return { ...row, readAt }
  }

  /** Throws unless a transaction is open. In a transaction, SQLite rejects `begin`, and MySQL has savepoints. */
  function* requireTransaction(run: sql.SqlRun): Steps<void> {
    const [begin, end] =
      dialect === 'sqlite' ? ['begin', 'rollback'] : ['savepoint storeport', 'release savepoint storeport']
    try {
      yield* send(run, begin)
      yield* send(run, end)
    } catch (error) {
      if (sql.matchesError(error, /within a transaction/)) return
      throw sql.matchesError(error, /does not exist/) ? noTransaction() : error
    }
    if (dialect === 'sqlite') throw noTransaction()
  }

  /** Locks and claims the click, makes the change and stores the success. Without a click, only makes the change. */
  function* keep(run: sql.SqlRun, { click, idempotencyKey }: ClickContext, work: Work): Steps<ClickResult> {
    if (click === undefined) {
      yield work(idempotencyKey)
      return 'done'
    }
    const { stored, now, readAt } = yield* lock(run, click.customer)
    sweep()
    const begunAt = systemRuntime.now()
    const claimed = click.claim(stored, now, readAt)
    click.ledger = ledger
    if (claimed.result === 'run') yield work(click.idempotencyKey)
    // The window of a success starts after the work.
    const decision = claimed.result === 'run' ? click.succeed(now + systemRuntime.now() - begunAt) : claimed
    if (decision.document !== undefined) yield* send(run, texts.update, [...valuesOf(decision), click.customer])
    return claimed.result === 'run' ? 'done' : claimed.result
  }

  const ledger: SqlLedger = {
    requiresScope: true,
    update,
    ready,
    once: async (run, context, work) => takeSteps(keep(run, context, work)),
    onceSync: (run, context, work) => takeStepsSync(keep(run, context, work)),
  }
  return ledger
}

async function takeSteps<Result>(steps: Steps<Result>): Promise<Result> {
  let step = steps.next()
  while (step.done !== true)
    step = await Promise.resolve(step.value).then(
      (value) => steps.next(value),
      (error) => steps.throw(error),
    )
  return step.value
}

function takeStepsSync<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (step.done !== true) {
    if (step.value instanceof Promise) throw new TypeError('onceSync: a Promise cannot be awaited here. Use once.')
    step = steps.next(step.value)
  }
  return step.value
}

/** Returns the version, the document and the expiry of a row. */
function valuesOf({ document, until = 0 }: Decision<unknown>): [string, string, number] {
  return [systemRuntime.id(), JSON.stringify(document), Math.ceil(until)]
}

const busy = () => new StoreError('store_unavailable', undefined, { retryAfter: 1 })
const noTransaction = () =>
  new Error('once: no open transaction. Begin a transaction, and pass a function that runs statements in it.')
