import { openSqlStore } from '@storeport/store-sql'
import { expectSoundAccount } from '@storeport/testing/account-invariants'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { expect, it } from 'vitest'
import { createFromFixture, readTables, runOn, tables } from '../fixtures/create-from-fixture.ts'

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
    for (const table of tables.filter((name) => name !== 'click_history'))
      expect([table, (before[table]?.length ?? 0) > 0]).toEqual([table, true])
    await Promise.all([open(), open()].map(async (opening) => (await opening).close()))
    const migrated = before['customers']?.map((row) => ({ ...row, pending_charge: null }))
    expect(await read()).toEqual({ ...before, customers: migrated, click_history: [] })
  })

  it('preserves the history of clicks', async () => {
    const { url, open } = await createOld()
    await (await open()).close()
    // Restores the tables of the migrations before the chunks.
    await runOn(url, [
      'drop index click_history_of_customer',
      'alter table click_history drop column chunk',
      'create index click_history_of_customer on click_history (customer)',
      `insert into click_history values (5, 'c', null, '{}', 'k', 's')`,
      `delete from storeport_migrations where name = '004-history-chunks'`,
    ])
    const store = await open()
    await store.history.append([{ id: '7', customer: 'c', failure: null, facts: '{}', keyId: 'k', sealed: 's' }])
    const rows = await store.history.select({ customers: ['c'], limit: 10 })
    expect(rows.map(({ id }) => Number(id))).toEqual([7, 5])
    await store.close()
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
