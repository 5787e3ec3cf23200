import { createHistory, createSqlHistory, type HistoryFilter, sqlHistoryTable } from '@storeport/core'
import type { SqlRun } from '@storeport/core/sql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ShopDatabase } from './databases.ts'

const row = { customer: 'c', failure: null, facts: '{}', keyId: 'k', sealed: 's' }

/** Returns an id above 2^53, which many drivers would round. */
const idOf = (at: number) => `230584300921369${String(at).padStart(4, '0')}`

/** Defines the tests of a history in a merchant's database. */
export function behavesLikeSqlHistory(name: string, openDatabase: () => Promise<ShopDatabase>): void {
  let database: ShopDatabase
  let tables = 0
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())

  /** Opens a storage with a new table. */
  async function setUp(wrap: (run: SqlRun) => SqlRun = (run) => run) {
    const { dialect, run } = database
    const table = `history_${++tables}`
    // The migration may run again.
    for (let turn = 0; turn < 2; turn++) await database.exec(sqlHistoryTable(dialect, table))
    return createSqlHistory({ dialect, run: wrap(run), table })
  }

  it(`${name}: a history stores each row once, and selects, counts and erases rows`, async () => {
    const storage = await setUp()
    const facts = `{"text":"ü\\\\🫘"}`
    const rows = [
      { ...row, id: idOf(1), facts },
      { ...row, id: idOf(2), failure: 'r', sealed: 'x'.repeat(70_000) },
      { ...row, id: idOf(3), customer: 'C', keyId: 'K' },
      { ...row, id: `0${'4'.repeat(18)}`, customer: 'd', failure: 'R'.repeat(128) },
    ]
    await storage.append(rows)
    await storage.append([
      { ...row, id: idOf(1), failure: 'r' },
      { ...row, id: idOf(5) },
    ])
    const found = (filter: Partial<HistoryFilter> = {}) => storage.select({ limit: 10, ...filter })
    const ids = async (filter: Partial<HistoryFilter>) => (await found(filter)).map(({ id }) => Number(id.slice(-1)))
    expect(await found()).toEqual([{ ...row, id: idOf(5) }, ...rows.slice(0, 3).toReversed(), rows[3]])
    expect([
      await ids({ limit: 2 }),
      await ids({ failed: true }),
      await ids({ customers: ['C', 'd'] }),
      await ids({ requestId: 'r' }),
      await ids({ requestId: 'R'.repeat(128), failed: true }),
      await ids({ customers: ['c'], from: idOf(2) }),
    ]).toEqual([[5, 3], [2, 4], [3, 4], [2], [4], [5, 2]])
    expect([...(await storage.countByKey())].toSorted()).toEqual([
      ['K', 1],
      ['k', 4],
    ])
    expect(await storage.erase(['C', 'd', 'e'])).toBe(2)
    expect(await ids({})).toEqual([5, 2, 1])
  })

  it(`${name}: a history finds and erases a customer in all chunks`, async () => {
    const storage = await setUp()
    const others = Array.from({ length: 5000 }, (_, at) => ({ ...row, id: idOf(at + 1), customer: 'd' }))
    await storage.append([{ ...row, id: idOf(0) }, ...others])
    await storage.append([{ ...row, id: `4${idOf(0).slice(1)}` }])
    // A new process.
    const another = createSqlHistory({ dialect: database.dialect, run: database.run, table: `history_${tables}` })
    await another.append([{ ...row, id: idOf(6000) }])
    expect(await storage.select({ customers: ['c'], limit: 10 })).toHaveLength(3)
    expect(await another.erase(['c', 'e'])).toBe(3)
    expect(await storage.select({ customers: ['c'], limit: 10 })).toEqual([])
    expect(await storage.erase(['d'])).toBe(5000)
  })

  // MySQL and MariaDB end a recursive query after 1,000 rows.
  it(`${name}: a history finds and erases the latest records of a customer in 1,100 chunks`, async () => {
    const storage = await setUp()
    const id = (period: number) => String(BigInt(period) << 47n).padStart(19, '0')
    for (let period = 1; period <= 1100; period++)
      await storage.append([{ ...row, id: id(period), customer: period > 1098 ? 'c' : 'd' }])
    expect(await storage.select({ customers: ['c'], limit: 10 })).toHaveLength(2)
    expect(await storage.erase(['c', 'd'])).toBe(1100)
  })

  it(`${name}: a history deletes old rows in steps, also if two processes sweep`, async () => {
    const storage = await setUp()
    await storage.append(Array.from({ length: 30 }, (_, at) => ({ ...row, id: idOf(at) })))
    const both = await Promise.all([storage.deleteBefore(idOf(20), 15), storage.deleteBefore(idOf(20), 15)])
    expect(both[0] + both[1] + (await storage.deleteBefore(idOf(20), 15))).toBe(20)
    expect((await storage.select({ limit: 100 })).map(({ id }) => id).at(-1)).toBe(idOf(20))
  })

  it(`${name}: a history stores each record once if the response to a write is lost`, async () => {
    let isLost = true
    const storage = await setUp((run) => async (sql, parameters) => {
      const result = await run(sql, parameters)
      if (sql.startsWith('insert') && isLost) throw new Error('The connection was lost.')
      return result
    })
    const history = createHistory(storage, { keys: ['k'.repeat(32)], onError: () => {} })
    const entry = { scope: 's', email: 'a@b.example', status: 200, ms: 1, apiKey: 'key', requestId: 'r' } as const
    const inputs = Array.from({ length: 300 }, (_, at) => ({ action_id: `ü\u0000“${at}` }))
    for (const input of inputs) history.record({ ...entry, input, at: Date.now(), operation: 'sendNow' })
    await history.flush()
    expect(history.counts()).toEqual({ waiting: 300, dropped: 0 })
    isLost = false
    const { records, unreadable } = await history.read({ email: 'A@b.example' })
    expect([records.map(({ input }) => input), unreadable]).toEqual([inputs, 0])
  })
}
