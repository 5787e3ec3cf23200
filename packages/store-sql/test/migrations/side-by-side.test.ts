import { openSqlStore } from '@storeport/store-sql'
import { expectSoundAccount } from '@storeport/testing/account-invariants'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { columns } from '../../src/columns.ts'
import { createFromFixture, readTables, runStatements } from '../fixtures/create-from-fixture.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
/** Clicks from before are not taken over. */
const otherTables = Object.keys(columns).filter((name) => name !== 'clicks')
const customers = [email, 'test@example.com', 'cancelled@example.com', 'another@example.com']

await describeDatabases('a database of the version before the rows of a customer lay side by side', (database) => {
  async function createOld() {
    const url = await createFromFixture(database, 'after-006-order-times')
    return { url, read: () => readTables(url, otherTables), open: () => openSqlStore({ url, today }) }
  }

  it('has the same rows afterwards, also when two open it at the same moment', async () => {
    const { read, open } = await createOld()
    const before = await read()
    for (const [table, rows] of Object.entries(before)) expect([table, rows.length > 0]).toEqual([table, true])
    await Promise.all([open(), open()].map(async (opening) => (await opening).close()))
    expect(await read()).toEqual(before)
  })

  it('has sound accounts, in which clicks do what they did', async () => {
    const { open } = await createOld()
    const store = await open()
    for (const each of customers) expectSoundAccount((await store.account(each)) ?? expect.fail())
    expect(await send(store, click('addProduct', { email: email.toUpperCase(), ...oneOf('test_67890') }))).toBe('done')
    expect(await send(store, click('undoAddProduct', { email, product_id: 'test_67890' }))).toBe('done')
    expect(await send(store, click('addProduct', { email, ...oneOf('test_67890') }))).toBe('done')
    expect(await send(store, click('sendNow', { email: 'another@example.com' }))).toBe('done')
    await store.close()
  })

  it('keeps what refers to a subscription or an item together with it', async () => {
    const { url, open } = await createOld()
    const store = await open()
    expect(await send(store, click('addProduct', { email, ...oneOf('test_67890') }))).toBe('done')
    const account = await store.account(email)
    const [subscription] = account?.subscriptions ?? []
    const refused = store.database.transaction((db) =>
      sql`update items set subscription_id = 'nothing' where subscription_id = ${subscription?.id}`.execute(db),
    )
    await expect(refused).rejects.toThrow()
    await store.database.transaction((db) => sql`delete from items`.execute(db))
    await store.close()
    const { open_adds, discount_uses } = await readTables(url, ['open_adds', 'discount_uses'])
    expect(open_adds?.filter((row) => row['item_id'] !== null)).toEqual([])
    expect(discount_uses?.filter((row) => row['item_id'] !== null)).toEqual([])
  })

  // A server moves no rows.
  it.runIf(database.name === 'SQLite')('stays as it was when moving them fails in the middle', async () => {
    const { url, read, open } = await createOld()
    const before = await read()
    await runStatements(url, 'create table new_items (id text)')
    await expect(open()).rejects.toThrow()
    expect(await read()).toEqual(before)
    const tables = await readTables(url, ['new_items', 'new_subscriptions', 'items', 'subscriptions'])
    expect(Object.keys(tables)).toEqual(['new_items', 'items', 'subscriptions'])
    await runStatements(url, 'drop table new_items')
    await (await open()).close()
    expect(await read()).toEqual(before)
  })
})
