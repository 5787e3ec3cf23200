import { StoreError } from '@storeport/core'
import { createSqlLedger, sqlLedgerTable, type SqlLedgerOptions, type SqlRun } from '@storeport/core/sql'
import { behavesLikeLedger, increase, look } from '@storeport/testing/behaves-like-ledger'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ShopDatabase } from './databases.ts'

const hourMs = 60 * 60_000

/** Defines the tests of a ledger in a merchant's database: the tests for all ledgers and the tests for its table. */
export function behavesLikeSqlLedger(name: string, openDatabase: () => Promise<ShopDatabase>): void {
  let database: ShopDatabase
  let tables = 0
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())

  /** Opens a ledger with a new table. Returns the ledger, its clock and the statements that it has run. */
  async function setUp(changes: Partial<SqlLedgerOptions> = {}, isMigrated = true) {
    const table = `clicks_${++tables}`
    const { dialect, run } = database
    if (isMigrated) await database.exec(sqlLedgerTable(dialect, table))
    const clock = { now: 1_800_000_000_000 }
    const sent: string[] = []
    const recorded: SqlRun = (sql, parameters) => {
      sent.push(sql)
      return (changes.run ?? run)(sql, parameters)
    }
    const options = { dialect, table, now: () => clock.now, timeoutMs: 20_000, ...changes }
    const open = (more: Partial<SqlLedgerOptions> = {}) => createSqlLedger({ ...options, run: recorded, ...more })
    const query = async (sql: string) => (await run(sql.replace('TABLE', table), [])).rows
    return { table, clock, sent, open, query, ledger: open() }
  }

  behavesLikeLedger(name, async (clock) => {
    const { open } = await setUp({ now: () => clock.now })
    return [open(), open()]
  })

  describe(`${name}: table`, () => {
    it('names the migration in the error for a missing table, and works after the migration', async () => {
      const { table, ledger } = await setUp({}, false)
      const error = `The table ${table} is missing or belongs to another version of StorePort. Run the migration that sqlLedgerTable('${database.dialect}') returns.`
      await expect(ledger.ready()).rejects.toThrow(error)
      await expect(ledger.update('a:b', increase)).rejects.toThrow(error)
      await database.exec(ledger.createTable)
      await ledger.ready()
      expect(await ledger.update('a:b', increase)).toBe(1)
    })

    it('names the migration in the error for a table with different columns', async () => {
      const { table, ledger } = await setUp({}, false)
      await database.exec(`create table ${table} (id varchar(255) primary key, document text)`)
      await expect(ledger.ready()).rejects.toThrow('belongs to another version')
    })

    it('rejects a library that renames columns, because every click would appear to be new', async () => {
      const { open } = await setUp()
      const rename = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      const renaming: SqlRun = async (sql, parameters) => {
        const { rows, changes } = await database.run(sql, parameters)
        const renamed = rows.map((row) => Object.entries(Object(row)).map(([column, value]) => [rename(column), value]))
        return { rows: renamed.map((entries) => Object.fromEntries(entries)), changes }
      }
      for (let turn = 0; turn < 2; turn++)
        await expect(open({ run: renaming }).ready()).rejects.toThrow(
          'run: must return rows with the selected column names',
        )
    })

    it('preserves its data when the migration runs again', async () => {
      const { ledger } = await setUp()
      await ledger.update('a:b', increase)
      await database.exec(ledger.createTable)
      expect(await ledger.update('a:b', increase)).toBe(2)
    })

    it.each([
      ['nothing', () => undefined],
      ['a list of rows', ({ rows }: Result) => rows],
      ['rows without `changes`', ({ rows }: Result) => ({ rows })],
      ['1 as `changes` for every statement', ({ rows }: Result) => ({ rows, changes: 1 })],
    ])('rejects a `run` that returns %s', async (_, convert) => {
      // oxlint-disable-next-line typescript/consistent-type-assertions -- JavaScript allows this mistake
      const run = (async (...call: Parameters<SqlRun>) => convert(await database.run(...call))) as SqlRun
      const { ledger } = await setUp({ run })
      await expect(ledger.ready()).rejects.toThrow(new TypeError(shape))
    })

    it('rejects a `run` that returns 0 as `changes` for an update', async () => {
      const run: SqlRun = async (...call) => {
        const result = await database.run(...call)
        return call[0].startsWith('update') ? { ...result, changes: 0 } : result
      }
      const { ledger } = await setUp({ run })
      await ledger.update('a:b', increase)
      await expect(ledger.update('a:b', increase)).rejects.toThrow(new TypeError(shape))
    })

    it('accepts a bigint as `changes`', async () => {
      const run: SqlRun = async (...call) => {
        const { rows, changes } = await database.run(...call)
        return { rows, changes: BigInt(changes) }
      }
      const { ledger } = await setUp({ run })
      for (const count of [1, 2]) expect(await ledger.update('a:b', increase)).toBe(count)
    })

    it('runs one statement for a read and two statements for a write (decision 26)', async () => {
      const { ledger, sent } = await setUp()
      await ledger.ready()
      sent.length = 0
      await ledger.update('a:b', look)
      expect(sent).toHaveLength(1)
      await ledger.update('a:b', increase)
      await ledger.update('a:b', increase)
      expect(sent.map((sql) => sql.slice(0, 6))).toEqual(['select', 'select', 'insert', 'select', 'update'])
      expect(sent.join(' ')).not.toMatch(/begin|transaction/)
    })

    it.each([
      ['creates the document', 0],
      ['updates the document', 1],
      ['replaces the expired document', 2],
    ])('runs the change again if another process concurrently %s (decision 31)', async (_, before) => {
      const { open, clock } = await setUp()
      const [other, counts] = [open(), Array.from<number>({ length: 0 })]
      if (before > 0) await other.update('a:b', increase)
      if (before === 2) clock.now += 2 * hourMs
      let isFirst = true
      const racing: SqlRun = async (sql, parameters) => {
        if (isFirst && /^(insert|update)/.test(sql) && parameters.includes('a:b')) {
          isFirst = false
          await other.update('a:b', increase)
        }
        return database.run(sql, parameters)
      }
      const change = (...[stored]: Parameters<typeof increase>) => {
        const changed = increase(stored)
        counts.push(changed.result)
        return changed
      }
      const expected = before === 1 ? [2, 3] : [1, 2]
      expect(await open({ run: racing }).update('a:b', change)).toBe(expected[1])
      expect(counts).toEqual(expected)
    })

    it('rejects with store_unavailable if another process wins every race', async () => {
      const { open } = await setUp()
      const other = open()
      const run: SqlRun = async (sql, parameters) => {
        if (/^(insert|update)/.test(sql) && parameters.includes('a:b')) await other.update('a:b', increase)
        return database.run(sql, parameters)
      }
      const updated = open({ run, timeoutMs: 50 }).update('a:b', increase)
      await expect(updated).rejects.toMatchObject({ code: 'store_unavailable', retryAfter: 1 })
    })

    it('rejects a corrupt document until it expires (decision 2)', async () => {
      const { ledger, query, clock } = await setUp()
      for (const document of ['', '{', '[1']) {
        await ledger.update('a:b', increase)
        await query(`update TABLE set document = '${document}' where id = 'a:b'`)
        const change = vi.fn<typeof increase>(increase)
        const error = new StoreError('store_unavailable', 'The stored clicks cannot be read.', { retryAfter: 30 })
        await expect(ledger.update('a:b', change)).rejects.toThrow(error)
        expect(change).not.toHaveBeenCalled()
        clock.now += 2 * hourMs
        expect(await ledger.update('a:b', increase)).toBe(1)
      }
    })

    it('retries a statement that the database rejects because of a concurrent statement', async () => {
      const contended = Object.assign(new Error('could not serialize access'), { code: '40001' })
      let failures = 2
      const run: SqlRun = (sql, parameters) => {
        if (parameters.includes('a:b') && failures-- > 0) throw new Error('the query failed', { cause: contended })
        return database.run(sql, parameters)
      }
      const { open } = await setUp({ run })
      expect(await open().update('a:b', increase)).toBe(1)
      failures = Infinity
      const updated = open({ run, timeoutMs: 20 }).update('a:b', increase)
      await expect(updated).rejects.toMatchObject({ code: 'store_unavailable', cause: { cause: contended } })
    })

    it("uses the database's clock", async () => {
      const { open } = await setUp()
      const before = Date.now()
      const now = await open({ now: undefined }).update('a:b', (_stored, time) => ({ result: time }))
      expect(Number.isInteger(now)).toBe(true)
      expect(now).toBeGreaterThanOrEqual(before - 5)
      expect(now).toBeLessThanOrEqual(Date.now() + 5)
    })

    it('deletes rows an hour after they expire, except the age marker (decision 28)', async () => {
      const { ledger, clock, query } = await setUp()
      const ids = async () =>
        (await query('select id from TABLE order by id')).map((row) => Object.values(Object(row))[0])
      for (const key of ['a:1', 'a:2']) await ledger.update(key, increase)
      clock.now += hourMs / 2
      await ledger.update('a:3', increase)
      clock.now += 1.5 * hourMs
      await ledger.update('a:4', look)
      expect(await ids()).toEqual(['a:1', 'a:2', 'a:3', 'storeport-age'])
      clock.now += 10_000
      await ledger.update('a:4', look)
      await vi.waitFor(async () => expect(await ids()).toEqual(['a:3', 'storeport-age']), 20_000)
    })

    it('updates a document even if deleting expired rows fails', async () => {
      const failed = new Set<string>()
      const run: SqlRun = (sql, parameters) => {
        if (!sql.includes('expires_at <')) return database.run(sql, parameters)
        failed.add(sql)
        throw new Error('no right to delete')
      }
      const { ledger, clock } = await setUp({ run })
      await ledger.update('a:b', increase)
      clock.now += 10_000
      await ledger.update('a:b', increase)
      await vi.waitFor(() => expect(failed.size).toBe(1), 20_000)
      expect(await ledger.update('a:b', increase)).toBe(3)
    })

    it('is young again after `forgot` and after its table is emptied', async () => {
      const { ledger, clock, query } = await setUp()
      const isYoung = () => ledger.update('a:b', (_stored, _now, young) => ({ result: young }))
      for (const forget of [() => ledger.forgot(), () => query('delete from TABLE')]) {
        await isYoung()
        clock.now += 24 * hourMs
        expect(await isYoung()).toBe(false)
        await forget()
        expect(await isYoung()).toBe(true)
        clock.now += 1000
        expect(await isYoung()).toBe(true)
      }
      clock.now += 24 * hourMs
      expect(await isYoung()).toBe(false)
    })

    it('rejects with the original error while the database is unreachable, and recovers afterward', async () => {
      let isUnreachable = true
      const unreachable = new Error('the database is unreachable')
      const run: SqlRun = (...call) => {
        if (isUnreachable) throw unreachable
        return database.run(...call)
      }
      const { ledger } = await setUp({ run })
      await expect(ledger.ready()).rejects.toBe(unreachable)
      await expect(ledger.update('a:b', increase)).rejects.toBe(unreachable)
      isUnreachable = false
      expect(await ledger.update('a:b', increase)).toBe(1)
      isUnreachable = true
      await expect(ledger.update('a:b', increase)).rejects.toBe(unreachable)
    })
  })
}

type Result = Awaited<ReturnType<SqlRun>>

const shape =
  'run: must return { rows, changes }: the rows as objects, and the number of rows that the statement inserted, updated or deleted'
