import { openSqlStore } from '@storeport/store-sql'
import { expectSoundAccount } from '@storeport/testing/account-invariants'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { expect, it } from 'vitest'
import { createFromFixture, readTables, tables } from '../fixtures/create-from-fixture.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
const customers = [email, 'test@example.com', 'cancelled@example.com', 'another@example.com']

await describeDatabases('a database from an earlier version', (database) => {
  async function createOld() {
    const url = await createFromFixture(database, 'after-001-tables')
    return { url, read: () => readTables(url), open: () => openSqlStore({ url, today }) }
  }

  it('preserves all rows if two stores open the database concurrently', async () => {
    const { read, open } = await createOld()
    const before = await read()
    for (const table of tables.filter((name) => name !== 'click_records'))
      expect([table, (before[table]?.length ?? 0) > 0]).toEqual([table, true])
    await Promise.all([open(), open()].map(async (opening) => (await opening).close()))
    const migrated = before['customers']?.map((row) => ({ ...row, pending_charge: null }))
    expect(await read()).toEqual({ ...before, customers: migrated, click_records: [] })
  })

  it('contains valid accounts that clicks can change', async () => {
    const { open } = await createOld()
    const store = await open()
    for (const each of customers) expectSoundAccount((await store.account(each)) ?? expect.fail())
    const undo = (product_id: string) => send(store, click('undoAddProduct', { email, product_id }))
    expect(await undo('test_54321')).toBe('done')
    expect(await undo('test_54321')).toBe('product_not_in_order')
    expect((await store.account(email))?.discount_uses.map(({ code }) => code)).toEqual(['FIVEOFF'])
    expect(await send(store, click('addProduct', { email: email.toUpperCase(), ...oneOf('test_67890') }))).toBe('done')
    expect(await undo('test_67890')).toBe('done')
    expect(await send(store, click('sendNow', { email: 'another@example.com' }))).toBe('done')
    await store.close()
  })
})
