import type { ClickRecord } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { expect, it } from 'vitest'

const record: ClickRecord = {
  ...{ time: '2026-03-10T12:00:00.000Z', operation: 'sendNow', email: 'a@b.example', input: {}, status: 200 },
  ...{ repeat: false, durationMs: 3, requestId: 'r1', keyName: '01234567' },
}
const failed: ClickRecord = { ...record, time: '2026-03-10T12:00:01.000Z', status: 400, requestId: 'r2' }
const other = { ...record, email: 'other@b.example' }

it('stores click records by customer, request, failure and time', async () => {
  const store = createMemoryStore()
  for (const each of [record, failed, other]) await store.recordClick(each)
  expect(await store.clickRecords({ email: 'A@B.example' })).toEqual([record, failed])
  expect(await store.clickRecords({ requestId: 'r2' })).toEqual([failed])
  expect(await store.clickRecords({ failed: true })).toEqual([failed])
  expect(await store.clickRecords({ since: new Date(failed.time) })).toEqual([failed])
  expect(await store.clickRecords({ limit: 1 })).toEqual([other])
  expect(await store.eraseClickRecords('A@B.example')).toBe(2)
  expect(await store.clickRecords()).toEqual([other])
  store.reset()
  expect(await store.clickRecords()).toEqual([])
})

it('stores the latest 1,000 click records', async () => {
  const store = createMemoryStore()
  for (let at = 0; at < 1001; at++) await store.recordClick({ ...record, durationMs: at })
  const records = await store.clickRecords({ limit: 2000 })
  expect([records.length, records[0]?.durationMs]).toEqual([1000, 1])
})
