import { outcomeOf, StoreError } from '../errors.ts'
import { checkedNumber } from '../pipeline/check-options.ts'
import type { Context } from '../store-port.ts'
import type { ClaimedOutside, PendingClick } from './pending-click.ts'
import type { Change, Ledger, StoredClicks } from './ledger.ts'
import { systemRuntime } from './runtime.ts'
import * as sql from './sql-statements.ts'

/**
 * How a ledger in a merchant's own database is set up. `run` for some clients:
 *
 * - pg: `async (sql, values) => { const { rows, rowCount } = await pool.query(sql, values); return { rows, changes: rowCount ?? 0 } }`
 * - mysql2/promise: `async (sql, values) => { const [result] = await pool.query(sql, values); return Array.isArray(result) ? { rows: result, changes: 0 } : { rows: [], changes: result.affectedRows } }`
 * - Kysely: `async (sql, values) => { const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(sql, values)); return { rows, changes: numAffectedRows ?? 0 } }`
 * - Drizzle: `async (text, values) => { const parts = text.split(/\$\d+/).flatMap((part, n) => n === 0 ? [sql.raw(part)] : [sql.param(values[n - 1]), sql.raw(part)]); const { rows, rowCount } = await db.execute(sql.join(parts)); return { rows, changes: rowCount ?? 0 } }`
 * - Prisma: `async (sql, values) => /^(select|with)/.test(sql) ? { rows: await prisma.$queryRawUnsafe(sql, ...values), changes: 0 } : { rows: [], changes: await prisma.$executeRawUnsafe(sql, ...values) }`
 * - better-sqlite3: `(sql, values) => { const statement = db.prepare(sql); return statement.reader ? { rows: statement.all(values), changes: 0 } : { rows: [], changes: statement.run(values).changes } }`
 */
export interface SqlLedgerOptions {
  readonly dialect: sql.SqlDialect
  /** Runs one statement on the primary database, in its own commit: over a pool or a connection. */
  readonly run: sql.SqlRun
  /** Name of the table; default `storeport_clicks`. */
  readonly table?: string | undefined
  /** Maximum time for one `update`, in milliseconds; default 2,000, which is also the longest time that StorePort waits. */
  readonly timeoutMs?: number | undefined
  /** The time in milliseconds since 1970, for tests; default the database's clock. */
  readonly now?: (() => number) | undefined
}

/** What a transaction did: `replayed` made no change; `ran` includes a transaction that runs again after its own commit. */
export type OnceResult = 'ran' | 'replayed'
type ClickContext = Pick<Context, 'click' | 'idempotencyKey'>
type Work = (idempotencyKey: string) => unknown
type Decide<Result> = (stored: StoredClicks | undefined, now: number, isYoung: boolean) => Change<Result>

/** A ledger in one table of the merchant's own database. */
export interface SqlLedger extends Ledger {
  readonly requiresScope: true
  /** The migration that creates the table. */
  readonly createTable: string
  update<Result>(key: string, change: Decide<Result>): Promise<Result>
  /** Checks `run` and the table: rejects with a TypeError for another shape, and with an Error that names the migration. */
  ready(): Promise<void>
  /** Marks the ledger as young, for an operator who knows that clicks were lost: stores are then asked first for 24 hours. */
  forgot(): Promise<void>
  /** Deletes expired rows in the background, at most every 10 seconds; `update` and `once` call it. */
  sweep(): void
  /**
   * Keeps `context.click` with a change, as the first statement of an open transaction, in a method that `keepsClicks` marks.
   * `run` uses that transaction. `work` makes the change: not for a repeat, and always with `retries: false`. Catches nothing: if
   * it rejects, roll back. After a serialization failure or a deadlock, you can run the whole transaction again.
   *
   * If `work` calls a platform, pass `outside`, which runs statements outside the transaction: the attempt and its key are
   * committed first. The customer's clicks stay locked until the commit. Start a SQLite transaction with `begin` then, not with
   * `begin immediate`.
   */
  once(run: sql.SqlRun, context: ClickContext, work: Work, options?: { outside?: sql.SqlRun }): Promise<OnceResult>
  /** As `once`, for drivers with synchronous transactions, such as better-sqlite3. */
  onceSync(run: (...call: Parameters<sql.SqlRun>) => sql.SqlResult, context: ClickContext, work: Work): OnceResult
}

/** Steps of a synchronous or an asynchronous transaction: each yields a function and gets its result. */
type Steps<Result> = Generator<() => unknown, Result, unknown>

/** How often expired rows are deleted, how long they stay, and how long a transaction gets before, in milliseconds. */
const sweepMs = { every: 10_000, after: 60 * 60_000, delay: 500 } as const
/** Codes of databases that reject a statement because of a concurrent one. */
const contended = /\b(40001|40P01|ER_LOCK_DEADLOCK|ER_CHECKREAD|SQLITE_BUSY|SQLITE_LOCKED)/

/** Makes a ledger in one table of the merchant's own database. Throws TypeError for an invalid option. */
export function createSqlLedger(options: SqlLedgerOptions): SqlLedger {
  const { dialect, run: ownRun, table = sql.defaultTable, timeoutMs = 2000, now } = options
  const createTable = sql.sqlLedgerTable(dialect, table)
  const texts = sql.clickStatements(dialect, table)
  checkedNumber('timeoutMs', timeoutMs, 60_000)
  if (typeof ownRun !== 'function') throw new TypeError('run: must be a function that runs a statement')
  let checking: Promise<void> | undefined
  const throttleClock = now ?? systemRuntime.now
  let sweptAt = throttleClock()

  const openRow = (row: unknown) => sql.openRow(row, now?.())
  const send = async (text: string, parameters: (string | number)[], run = ownRun) =>
    sql.checkResult(await run(text, parameters))
  const read = async (key: string, run = ownRun) => openRow((await send(texts.read, [key], run)).rows[0])

  async function setMarker(since: number): Promise<void> {
    const values = [systemRuntime.id(), JSON.stringify({ v: 1, since }), Number.MAX_SAFE_INTEGER]
    const { changes } = await send(texts.update, [...values, sql.markerId])
    if (changes === 0) await send(texts.insert, [sql.markerId, ...values])
  }

  async function check(): Promise<void> {
    await send('select 1 as one', [])
    const { hasMarker, now: time } = await read('').catch((cause: unknown) => {
      const migration = `Run the migration that sqlLedgerTable('${dialect}') returns.`
      throw new Error(`The table ${table} is missing or of another version. ${migration}`, { cause })
    })
    if (!hasMarker) await setMarker(time)
    if ((await send(texts.compareAndSet, ['', '', 0, '', ''])).changes !== 0) throw sql.wrongShape()
  }

  function ready(): Promise<void> {
    checking ??= check().catch((error: unknown) => {
      checking = undefined
      throw error
    })
    return checking
  }

  function sweep(): void {
    const time = throttleClock()
    if (time < sweptAt + sweepMs.every) return
    sweptAt = time
    systemRuntime.after(sweepMs.delay, () => void deleteExpired().catch(() => {}), true)
  }

  async function deleteExpired(): Promise<void> {
    const before = (await read('')).now - sweepMs.after
    const { rows } = await send(dialect === 'mysql' ? texts.expired : texts.sweep, [before])
    for (const row of rows) await send(texts.sweep, [String(sql.fieldOf(row, 'id')), before])
  }

  async function update<Result>(key: string, change: Decide<Result>, run = ownRun): Promise<Result> {
    const endsAt = systemRuntime.now() + timeoutMs
    const version = systemRuntime.id()
    let cause: unknown
    await ready()
    for (let turn = 0; ; turn++) {
      try {
        const row = await read(key, run)
        // Its own write was made but not counted.
        if (row.version === version) throw sql.wrongShape()
        const { result, document, keepMs = 0, hasForgotten = false } = change(row.stored, row.now, row.isYoung)
        if (hasForgotten || !row.hasMarker) await setMarker(row.now)
        sweep()
        if (document === undefined) return result
        const values = [version, JSON.stringify(document), row.now + Math.ceil(keepMs)]
        const { changes } = await (row.version === undefined
          ? send(texts.insert, [key, ...values], run)
          : send(texts.compareAndSet, [...values, key, row.version], run))
        if (changes > 0) return result
      } catch (error) {
        if (!sql.isAbout(error, contended)) throw error
        cause = error
      }
      if (systemRuntime.now() >= endsAt) throw busy(cause)
      const pauseMs = systemRuntime.random() * Math.min(100, 5 * 2 ** turn)
      await new Promise<void>((resume) => systemRuntime.after(pauseMs, resume))
    }
  }

  function* step(run: sql.SqlRun, text: string, parameters: (string | number)[] = []) {
    return sql.checkResult(yield () => run(text, parameters))
  }

  /** Throws unless a transaction is open: SQLite then rejects a second `begin`, and MySQL remembers a savepoint. */
  function* probe(run: sql.SqlRun): Steps<void> {
    const probes = dialect === 'sqlite' ? ['begin', 'rollback'] : ['savepoint storeport', 'release savepoint storeport']
    try {
      for (const text of probes) yield* step(run, text)
    } catch (error) {
      if (dialect === 'sqlite' && sql.isAbout(error, /within a transaction/)) return
      throw sql.isAbout(error, /does not exist/) ? noTransaction() : error
    }
    if (dialect === 'sqlite') throw noTransaction()
  }

  /** Creates and locks a row: a write, then a locking read, which sees what the write has waited for (decision 32). */
  function* lock(run: sql.SqlRun, key: string): Steps<sql.ClickRow> {
    const created = yield* step(run, texts.create, [key, systemRuntime.id(), '', 0])
    const locked = yield* step(run, texts.lock, [key])
    const row = openRow(locked.rows[0])
    const { transaction } = row
    if (dialect === 'postgres' && sql.fieldOf(created.rows[0], 'transaction_id') !== transaction) throw noTransaction()
    if (dialect === 'mysql' && transaction !== null && Number(transaction) === 0) throw noTransaction()
    // PostgreSQL has locked nothing if a sweep deleted the row between the two.
    if (row.version === undefined) throw busy()
    return row
  }

  /** Lock, judge, work, write. */
  function* keep(run: sql.SqlRun, click: PendingClick, work: Work, outside?: ClaimedOutside): Steps<OnceResult> {
    if (dialect === 'sqlite') yield* probe(run)
    const customer = yield* lock(run, click.customer)
    if (dialect === 'mysql' && customer.transaction === null) yield* probe(run)
    const named = click.named === undefined ? undefined : yield* lock(run, click.named)
    const { now: time } = named ?? customer
    const documents = { customer: customer.stored, named: named?.stored }
    sweep()
    const { state, writes } = outside ? click.keepOutside(outside, documents, time) : click.keep(documents, time)
    if (state === 'run') {
      const { failsAs } = click
      click.failsAs = 'unknown'
      try {
        yield () => work(click.idempotencyKey)
      } catch (error) {
        // The work of an earlier run may have had an effect.
        if (failsAs !== 'unknown' && outcomeOf(error) === 'refused') click.failsAs = 'rejected'
        throw error
      }
    }
    for (const { key, document, keepMs } of writes)
      yield* step(run, texts.update, [systemRuntime.id(), JSON.stringify(document), time + Math.ceil(keepMs), key])
    return state === 'replayed' ? 'replayed' : 'ran'
  }

  const ledger: SqlLedger = {
    isLocal: false,
    requiresScope: true,
    createTable,
    update: (key, change) => update(key, change),
    ready,
    sweep,
    forgot: async () => {
      await ready()
      await setMarker((await read('')).now)
    },
    once: async (run, { click, idempotencyKey }, work, { outside } = {}) => {
      if (click === undefined) return takeSteps(unguarded(work, idempotencyKey))
      click.ledger = ledger
      const held = outside && (await click.claimOutside({ update: (key, change) => update(key, change, outside) }))
      return outside && held === undefined ? 'replayed' : takeSteps(keep(run, click, work, held))
    },
    onceSync: (run, { click, idempotencyKey }, work) => {
      if (click !== undefined) click.ledger = ledger
      return takeStepsSync(click === undefined ? unguarded(work, idempotencyKey) : keep(run, click, work))
    },
  }
  return ledger
}

/** With `retries: false` there is no click. */
function* unguarded(work: Work, idempotencyKey: string): Steps<OnceResult> {
  yield () => work(idempotencyKey)
  return 'ran'
}

async function takeSteps<Result>(steps: Steps<Result>): Promise<Result> {
  let step = steps.next()
  while (step.done !== true) {
    try {
      step = steps.next(await step.value())
    } catch (error) {
      step = steps.throw(error)
    }
  }
  return step.value
}

function takeStepsSync<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (step.done !== true) {
    try {
      const value = step.value()
      if (value instanceof Promise) throw new TypeError('onceSync: a Promise cannot be awaited here. Use once.')
      step = steps.next(value)
    } catch (error) {
      step = steps.throw(error)
    }
  }
  return step.value
}

const busy = (cause?: unknown) => new StoreError('store_unavailable', undefined, { cause, retryAfter: 1 })
const noTransaction = () =>
  new Error('once: no open transaction. Begin one, and pass a function that runs statements in it.')
