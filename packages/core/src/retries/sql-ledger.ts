import { StoreError } from '../contract/errors.ts'
import { checkedNumber } from '../contract/names.ts'
import type { Context } from '../contract/store-port.ts'
import type { Decide, Ledger } from '../contract/ledger.ts'
import { systemRuntime } from './runtime.ts'
import * as sql from './sql-statements.ts'

/** Options of `createSqlLedger`. */
export interface SqlLedgerOptions {
  readonly dialect: sql.SqlDialect
  /** Runs and commits one statement on the primary database, over a pool or a connection. */
  readonly run: sql.SqlRun
  /** Name of the table; default `storeport_clicks`. */
  readonly table?: string | undefined
  /** Time limit of one `update`, in milliseconds; default and effective maximum: 2,000. */
  readonly timeoutMs?: number | undefined
  /** Returns the time in milliseconds since 1970, for tests; default: the database's clock. */
  readonly now?: (() => number) | undefined
}

/** Result of `once`. `replayed` means that no change was made. `ran` is also the result of a transaction that runs again. */
export type OnceResult = 'ran' | 'replayed'
type ClickContext = Pick<Context, 'click' | 'idempotencyKey'>
type Work = (idempotencyKey: string) => unknown

/** A ledger in one table of the merchant's own database. */
export interface SqlLedger extends Ledger {
  readonly requiresScope: true
  /** SQL migration that creates the table. */
  readonly createTable: string
  update<Result>(key: string, decide: Decide<Result>): Promise<Result>
  /**
   * Checks `run` and the table. Rejects with a TypeError if `run` returns an invalid result, and with an Error that
   * names a missing migration.
   */
  ready(): Promise<void>
  /**
   * Runs `work` and stores `context.click` in the same transaction. Must be the first statement of an open transaction.
   * Throws all errors of `run` and `work`, so that the transaction rolls back.
   */
  once(run: sql.SqlRun, context: ClickContext, work: Work): Promise<OnceResult>
  /** Variant of `once` for drivers with synchronous transactions, such as better-sqlite3. */
  onceSync(run: (...call: Parameters<sql.SqlRun>) => sql.SqlResult, context: ClickContext, work: Work): OnceResult
}

/** Steps of a transaction, for synchronous and asynchronous drivers. Yields the values that may have to be awaited. */
type Steps<Result> = Generator<unknown, Result, unknown>

/**
 * Settings for the deletion of expired rows, in milliseconds. `after` is the time since expiry. `delay` lets a running
 * transaction finish.
 */
const sweepMs = { every: 10_000, after: 60 * 60_000, delay: 500 } as const
/** Error codes with which a database rejects a statement because of a concurrent statement. */
const conflictCodes = /\b(40001|40P01|ER_LOCK_DEADLOCK|ER_CHECKREAD|SQLITE_BUSY|SQLITE_LOCKED)/

/** Creates a ledger in one table of the merchant's own database. Throws TypeError for an invalid option. */
export function createSqlLedger(options: SqlLedgerOptions): SqlLedger {
  const { dialect, run: ownRun, table = sql.defaultTable, timeoutMs = 2000, now } = options
  const createTable = sql.sqlLedgerTable(dialect, table)
  const texts = sql.clickStatements(dialect, table)
  checkedNumber('timeoutMs', timeoutMs, 60_000)
  if (typeof ownRun !== 'function') throw new TypeError('run: must be a function that runs a statement')
  let checking: Promise<void> | undefined
  const throttleClock = now ?? systemRuntime.now
  let sweptAt = throttleClock()

  const send = async (text: string, parameters: (string | number)[]) => sql.checkResult(await ownRun(text, parameters))
  const read = async (key: string) => sql.openRow((await send(texts.read, [key])).rows[0], now?.())

  async function check(): Promise<void> {
    await send('select 1 as one', [])
    await read('').catch((cause: unknown) => {
      if (cause instanceof TypeError) throw cause
      const migration = `Run the migration that sqlLedgerTable('${dialect}') returns.`
      throw new Error(`The table ${table} is missing or belongs to another version of StorePort. ${migration}`, {
        cause,
      })
    })
    // Checks the column names, which only an existing row has.
    const probe = 'storeport-probe'
    await send(texts.insert, [probe, systemRuntime.id(), '', 0])
    if ((await read(probe)).version === undefined) throw sql.missingColumns()
    if ((await send(texts.compareAndSet, ['', '', 0, '', ''])).changes !== 0) throw sql.invalidResult()
  }

  const ready = () =>
    (checking ??= check().catch((error: unknown) => {
      checking = undefined
      throw error
    }))

  /** Deletes expired rows in the background, at most every 10 seconds. */
  function sweep(): void {
    const time = throttleClock()
    if (time < sweptAt + sweepMs.every) return
    sweptAt = time
    const deleteExpired = async () => {
      const before = (await read('')).now - sweepMs.after
      const { rows } = await send(dialect === 'mysql' ? texts.expired : texts.sweep, [before])
      for (const { id } of rows) await send(texts.sweep, [String(id), before])
    }
    systemRuntime.after(sweepMs.delay, () => void deleteExpired().catch(() => {}), true)
  }

  async function update<Result>(key: string, decide: Decide<Result>): Promise<Result> {
    const endsAt = systemRuntime.now() + timeoutMs
    let cause: unknown
    await ready()
    sweep()
    for (let turn = 0; ; turn++) {
      try {
        const row = await read(key)
        const { result, document, until = 0 } = decide(row.stored, row.now)
        if (document === undefined) return result
        const values = [systemRuntime.id(), JSON.stringify(document), Math.ceil(until)]
        const { changes } = await (row.version === undefined
          ? send(texts.insert, [key, ...values])
          : send(texts.compareAndSet, [...values, key, row.version]))
        if (changes > 0) return result
      } catch (error) {
        if (!sql.matchesError(error, conflictCodes)) throw error
        cause = error
      }
      if (systemRuntime.now() >= endsAt) throw busy(cause)
      const pauseMs = systemRuntime.random() * Math.min(100, 5 * 2 ** turn)
      await new Promise<void>((resume) => systemRuntime.after(pauseMs, resume))
    }
  }

  function* step(run: sql.SqlRun, text: string, parameters: (string | number)[]) {
    return sql.checkResult(yield run(text, parameters))
  }

  /** Throws unless a transaction is open. In a transaction, SQLite rejects `begin`, and MySQL has savepoints. */
  function* probe(run: sql.SqlRun): Steps<void> {
    const probes = dialect === 'sqlite' ? ['begin', 'rollback'] : ['savepoint storeport', 'release savepoint storeport']
    try {
      for (const text of probes) yield* step(run, text, [])
    } catch (error) {
      if (sql.matchesError(error, /within a transaction/)) return
      throw sql.matchesError(error, /does not exist/) ? noTransaction() : error
    }
    if (dialect === 'sqlite') throw noTransaction()
  }

  /** Creates and locks a row. Reads the row separately, because the write may have waited for a lock (rule 21). */
  function* lock(run: sql.SqlRun, key: string) {
    const created = yield* step(run, texts.create, [key, systemRuntime.id(), '', 0])
    const locked = yield* step(run, texts.lock, [key])
    const row = sql.openRow(locked.rows[0], now?.())
    if (row.transaction === undefined) throw sql.missingColumns()
    const isOther = dialect === 'postgres' && created.rows[0]?.['transaction_id'] !== row.transaction
    // In MariaDB, `row.transaction` is 0 outside a transaction.
    if (isOther || Number(row.transaction ?? 1) === 0) throw noTransaction()
    // In PostgreSQL, the deletion of expired rows may have removed the row between the two statements.
    if (row.version === undefined) throw busy()
    if (row.transaction === null) yield* probe(run)
    return row
  }

  /** Locks and claims the click, makes the change and stores the success. Without a click, only makes the change. */
  function* keep(run: sql.SqlRun, { click, idempotencyKey }: ClickContext, work: Work): Steps<OnceResult> {
    if (click === undefined) {
      yield work(idempotencyKey)
      return 'ran'
    }
    const { stored, now: time } = yield* lock(run, click.customer)
    sweep()
    const begun = systemRuntime.now()
    let { result, document, until = 0 } = click.claim(stored, time)
    click.ledger = ledger
    if (result === 'run') {
      yield work(click.idempotencyKey)
      // The window of a success starts after the work.
      const ended = now?.() ?? time + Math.floor(systemRuntime.now() - begun)
      ;({ document, until = 0 } = click.succeed(ended))
    }
    const values = [systemRuntime.id(), JSON.stringify(document), Math.ceil(until)]
    if (document !== undefined) yield* step(run, texts.update, [...values, click.customer])
    return result === 'replayed' ? 'replayed' : 'ran'
  }

  const ledger: SqlLedger = {
    requiresScope: true,
    createTable,
    update,
    ready,
    once: async (run, context, work) => takeSteps(keep(run, context, work)),
    onceSync: (run, context, work) => takeStepsSync(keep(run, context, work)),
  }
  return ledger
}

async function takeSteps<Result>(steps: Steps<Result>): Promise<Result> {
  let step = steps.next()
  while (step.done !== true) {
    try {
      step = steps.next(await step.value)
    } catch (error) {
      step = steps.throw(error)
    }
  }
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

const busy = (cause?: unknown) => new StoreError('store_unavailable', undefined, { cause, retryAfter: 1 })
const noTransaction = () =>
  new Error('once: no open transaction. Begin a transaction, and pass a function that runs statements in it.')
