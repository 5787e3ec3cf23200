import { type ClickRecord, createIntegration } from '@storeport/core'
import { key, send } from '@storeport/testing/send'
import type { TestDatabase } from '@storeport/testing/stores/describe-databases'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createClickRecords } from '../../src/click-records.ts'
import { holdLock } from '../hold-lock.ts'

const today = '2026-03-10'
const day = 86_400_000
const limits = { writeAfterMs: 10, dropAfterMs: 100, batchSize: 500, maxWaiting: 5000 }
/** Returns a time in the past. */
const ago = (days: number, ms = 0) => new Date(Date.now() - days * day + ms).toISOString()
const record: ClickRecord = {
  ...{ time: ago(1), operation: 'addProduct', email: 'a@b.example', status: 200, repeat: false },
  ...{ input: { product_id: 'tea', quantity: 2, one_time: true }, durationMs: 3, requestId: 'r1', keyName: '01234567' },
}
const later = { ...record, time: ago(1, 1000), repeat: true, requestId: 'r2', email: 'A@B.example' }
const failed: ClickRecord = { ...record, time: ago(1, 2000), status: 400, code: 'invalid_date', input: {} }
const other = { ...record, email: 'other@b.example', requestId: 'r3' }

/** Tests the click records of a store. */
export function behavesLikeClickRecords(database: TestDatabase): void {
  /** Opens a store, and the storage of its records with other limits. */
  async function open(changes: Partial<typeof limits> = {}) {
    const url = await database.create()
    const statements: string[] = []
    const store = await database.open({ url, today, onStatement: (text) => statements.push(text) })
    const notices: string[] = []
    const records = createClickRecords(store.database, (notice) => notices.push(notice), { ...limits, ...changes })
    const countWrites = () => statements.filter((text) => text.startsWith('insert into click_records')).length
    return { url, store, notices, records, countWrites }
  }

  it('are read by customer, request, failure and time, and erased by customer', async () => {
    const { store } = await open()
    for (const each of [failed, later, record, other]) void store.recordClick(each)
    expect(await store.clickRecords({ email: 'A@b.EXAMPLE' })).toEqual([record, later, failed])
    expect(await store.clickRecords({ requestId: 'r2' })).toEqual([later])
    expect(await store.clickRecords({ failed: true })).toEqual([failed])
    expect(await store.clickRecords({ since: new Date(later.time) })).toEqual([later, failed])
    expect(await store.clickRecords({ limit: 2 })).toEqual([later, failed])
    expect(await store.eraseClickRecords('a@B.example')).toBe(3)
    expect(await store.clickRecords()).toEqual([other])
  })

  it('are written in one statement after a time, and immediately in a full batch', async () => {
    const { records, countWrites } = await open({ writeAfterMs: 300 })
    const first = records.recordClick(record)
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([first, records.recordClick(later)])
    expect(countWrites()).toBe(1)
    const slow = await open({ writeAfterMs: 60_000, batchSize: 2 })
    await Promise.all([record, later].map(slow.records.recordClick))
    expect(slow.countWrites()).toBe(1)
  })

  it('are written when the store is closed', async () => {
    const { url, store } = await open()
    void store.recordClick(record)
    await store.close()
    const again = await database.open({ url, today })
    expect(await again.clickRecords()).toEqual([record])
  })

  it('are dropped with one notice while the database is locked', async () => {
    const { url, store, records, notices } = await open()
    const unlock = await holdLock(url, 'lock table click_records')
    const start = performance.now()
    await records.recordClick(record)
    await records.recordClick(record)
    // Without the limit, a write would wait for the lock for 5 s.
    expect(performance.now() - start).toBeLessThan(4000)
    expect(notices).toEqual([
      expect.stringMatching(/^Records of clicks are not stored, and dropped: .*not affected\.$/),
    ])
    await unlock()
    await records.recordClick(later)
    expect(notices.slice(1)).toEqual(['Records of clicks are stored again. Dropped: 2.'])
    expect(await store.clickRecords()).toEqual([later])
  })

  it('are dropped if too many records are waiting', async () => {
    const { records, notices } = await open({ maxWaiting: 2 })
    const waiting = [record, later].map(records.recordClick)
    await records.recordClick(other)
    expect(notices).toEqual([expect.stringContaining('2 records are waiting')])
    await Promise.all(waiting)
    expect(await records.clickRecords()).toEqual([record, later])
  })

  it('are deleted after 90 days, at most 500 after each write', async () => {
    const { records, store } = await open({ dropAfterMs: 60_000 })
    const count = async () => (await store.clickRecords({ limit: 2000 })).length
    const recordAll = (length: number, days: number) =>
      Promise.all(Array.from({ length }, () => records.recordClick({ ...record, time: ago(days) })))
    await recordAll(700, 91)
    expect(await count()).toBe(200)
    await recordAll(1, 89)
    expect(await count()).toBe(1)
  })

  it('do not fail a click if their table is missing', async () => {
    const { store, notices, records } = await open()
    await store.database.transaction((db) => sql`drop table click_records`.execute(db))
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const integration = createIntegration({ store, onClick: records.recordClick, onError, apiKeys: [key] })
    const body = { email: 'subscription@example.com' }
    expect((await send(integration, '/integration/customer-portal/send-now', { body })).status).toBe(200)
    await records.flush()
    expect([notices.length, errors]).toEqual([1, []])
  })
}
