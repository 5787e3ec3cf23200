import { StoreError } from '@storeport/core'
import { createSqlLedger, type SqlResult, type SqlRun } from '@storeport/core/sql'
import { deferred } from '@storeport/testing/deferred'
import { beans, ok, replayed } from '@storeport/testing/post-clicks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { execute, type OwnTables } from '../clicks/own-tables.ts'
import { newContext, passTime, shopsIn } from './once-shop.ts'

/** Defines the tests of `once`, which stores a click in the transaction of its change (rules 21 and 23). */
export function behavesLikeOnce(name: string, openDatabase: () => Promise<OwnTables>): void {
  const setUp = shopsIn(openDatabase)

  describe(`${name}: once`, () => {
    it('commits the click and its change in three statements, and replays a repeat', async () => {
      const { database, open, shop, transact, order, count } = await setUp()
      const sent: string[] = []
      const record =
        (over: SqlRun): SqlRun =>
        (sql, parameters) => {
          sent.push(/^\w+/.exec(sql)?.[0] ?? '')
          return over(sql, parameters)
        }
      await transact((over) => open().once(record(over), newContext(), () => {}))
      // In SQLite, only a `begin` that fails detects a transaction.
      const expected = {
        postgres: 'with with update',
        mysql: 'insert select update',
        sqlite: 'insert select begin update',
      }
      expect(sent.join(' ')).toBe(expected[database.dialect])
      expect([await shop()(), await shop()(), await shop()(beans, 'one')]).toEqual([ok, replayed, ok])
      // A call without a click, such as with `retries: false`, makes its change.
      expect(await transact((over) => open().once(over, { idempotencyKey: 'key' }, () => order(over)))).toBe('done')
      expect(await count()).toBe(3)
    })

    it.each(['in', 'after'])('writes nothing if the transaction fails %s the work', async (place) => {
      const { open, clickRows, transact, order, count } = await setUp()
      const fail = () => Promise.reject(new StoreError('payment_failed'))
      const rejected = transact(async (over) => {
        await open().once(over, newContext(), async () => {
          await order(over)
          if (place === 'in') await fail()
        })
        await fail()
      })
      await expect(rejected).rejects.toThrow(StoreError)
      expect([await count(), await clickRows()]).toEqual([0, []])
    })

    it('skips the work if a transaction runs again after its commit', async () => {
      const { open, orderOnce, count } = await setUp()
      const context = newContext()
      for (let turn = 0; turn < 2; turn++) expect(await orderOnce(open(), context)).toBe('done')
      expect(await orderOnce(open(), newContext())).toBe('replayed')
      expect(await count()).toBe(1)
    })

    it('starts the window after the work', async () => {
      const { open, orderOnce } = await setUp()
      const context = newContext()
      const [claim, succeed] = [vi.spyOn(context.click, 'claim'), vi.spyOn(context.click, 'succeed')]
      await orderOnce(open(), context, () => passTime(30))
      const [claimedAt = NaN, doneAt] = [claim.mock.calls[0]?.[1], succeed.mock.calls[0]?.[0]]
      // The system clock and the monotonic clock differ by at most 2.
      expect(doneAt).toBeGreaterThanOrEqual(claimedAt + 28)
    })

    it('rethrows every error of the database and of the work', async () => {
      const { open, transact } = await setUp()
      const failure = Object.assign(new Error('serialization failure'), { code: '40001' })
      for (const failing of [/^(with created|insert)/, /^(select|with click)/, 'work', /^update/]) {
        const thrown = transact((over) => {
          const run: SqlRun = (sql, parameters) => {
            if (failing instanceof RegExp && failing.test(sql)) throw failure
            return over(sql, parameters)
          }
          return open().once(run, newContext(), () => (failing === 'work' ? Promise.reject(failure) : undefined))
        })
        await expect(thrown).rejects.toBe(failure)
      }
    })

    it('reads the clock after it has waited for the lock', async () => {
      const { open, transact } = await setUp()
      // The row is stored, so that no statement waits for its creation.
      await open().update('a:b', (_, now) => ({ result: 0, document: { v: 2 }, until: now - 1 }))
      const [locked, rollBack] = [deferred<void>(), deferred<void>()]
      const first = transact((over) =>
        open().once(over, newContext(), async () => {
          locked.resolve()
          await rollBack.promise
        }),
      )
      await locked.promise
      const context = newContext()
      const claim = vi.spyOn(context.click, 'claim')
      const second = transact((over) => open().once(over, context, () => {}))
      await passTime(100)
      const endedAt = Date.now()
      rollBack.reject(new Error('rolled back'))
      await expect(first).rejects.toThrow('rolled back')
      await second
      expect(claim.mock.calls[0]?.[1]).toBeGreaterThanOrEqual(endedAt - 1)
    })

    it('deletes rows an hour after they expire', async () => {
      vi.useFakeTimers({ toFake: ['performance'] })
      onTestFinished(() => void vi.useRealTimers())
      const { clock, open, clickRows } = await setUp()
      const ledger = open()
      const touch = (key: string) =>
        ledger.update(key, (_, now) => ({ result: 0, document: { v: 2 }, until: now + 1000 }))
      for (const key of ['one', 'two']) await touch(key)
      clock.aheadMs = 40 * 60_000
      await touch('three')
      clock.aheadMs = 70 * 60_000
      vi.advanceTimersByTime(9999)
      await touch('four')
      expect(await clickRows()).toHaveLength(5)
      vi.advanceTimersByTime(1)
      await touch('four')
      const ids = async () => (await clickRows()).map((row) => Object(row).id).toSorted()
      await vi.waitFor(
        async () => expect(await ids()).toEqual(['four', expect.stringMatching(/^storeport-probe-+$/), 'three']),
        20_000,
      )
    })
  })

  describe(`${name}: mistakes`, () => {
    it('rejects `once` without an open transaction', async () => {
      const { run, open, transact, order, count } = await setUp()
      for (const over of [run, asMysql(run)])
        await expect(open().once(over, newContext(), () => order(over))).rejects.toThrow('once: no open transaction')
      expect(await count()).toBe(0)
      // MySQL does not report an open transaction.
      expect(await transact((over) => open().once(asMysql(over), newContext(), () => order(over)))).toBe('done')
    })

    it.each(['table', 'column'])(
      'names the migration in the error for a missing %s, and then works',
      async (missing) => {
        const { database, table, migration, open, orderOnce } = await setUp(false)
        if (missing === 'column') await execute(database, `create table ${table} (id varchar(255) primary key)`)
        const ledger = open()
        const look = () => ledger.update('a:b', (stored) => ({ result: stored }))
        const message = `The table ${table} is missing or belongs to another version of StorePort. Run the migration that sqlLedgerTable('${database.dialect}') returns.`
        for (const use of [ledger.ready, look, () => orderOnce(ledger, newContext())])
          await expect(use()).rejects.toMatchObject({ message, cause: expect.any(Error) })
        // A migration that runs again changes nothing.
        await execute(database, `drop table if exists ${table}; ${migration}; ${migration}`)
        await ledger.ready()
        expect([await look(), await orderOnce(ledger, newContext())]).toEqual([undefined, 'done'])
      },
    )

    it('rejects a table whose ids are too short', async ({ skip }) => {
      const { database, migration, open } = await setUp(false)
      if (database.dialect === 'sqlite') skip('SQLite has no limit')
      await execute(database, migration.replace(/id (varchar\(255\)|text)/, 'id varchar(133)'))
      await expect(open().ready()).rejects.toThrow()
    })

    const shape =
      'run: must return { rows, changes }: the rows as objects, and the number of rows that the statement inserted, updated or deleted'
    const columns = 'run: must return rows with the selected column names, such as expires_at and transaction_id'
    const toCamelCase = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const rename = (row: unknown) =>
      Object.fromEntries(Object.entries(Object(row)).map(([column, value]) => [toCamelCase(column), value]))
    it.each<[string, string, boolean, (result: SqlResult) => unknown]>([
      ['nothing', shape, true, () => undefined],
      ['a list of rows', shape, true, ({ rows }) => rows],
      ['rows without `changes`', shape, true, ({ rows }) => ({ rows })],
      ['1 as `changes` for every statement', shape, false, ({ rows }) => ({ rows, changes: 1 })],
      ['0 as `changes` for every statement', shape, false, ({ rows }) => ({ rows, changes: 0n })],
      ['renamed columns', columns, true, ({ rows, changes }) => ({ rows: rows.map(rename), changes })],
    ])('rejects a `run` that returns %s', async (_, message, isSeenByOnce, convert) => {
      const { database, table, transact } = await setUp()
      const { dialect, run: right } = database
      const wrong =
        (run: SqlRun): SqlRun =>
        async (...call) =>
          // oxlint-disable-next-line typescript/consistent-type-assertions -- JavaScript allows this mistake
          convert(await run(...call)) as SqlResult
      const ledger = createSqlLedger({ dialect, table, run: wrong(right) })
      for (const use of [ledger.ready, () => ledger.update('a:b', () => ({ result: 0 }))])
        await expect(use()).rejects.toThrow(new TypeError(message))
      const once = () => transact((over) => ledger.once(wrong(over), newContext(), () => {}))
      if (isSeenByOnce) await expect(once()).rejects.toThrow(new TypeError(message))
    })
  })
}

/** Removes the comments that only MariaDB executes. */
function asMysql(run: SqlRun): SqlRun {
  return (sql, parameters) => run(sql.replaceAll(/\/\*M!.*?\*\//g, ''), parameters)
}
