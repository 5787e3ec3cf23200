import { openSqlStore } from '@storeport/store-sql'
import { click } from '@storeport/testing/behaves-like-ledger'
import { contextOf, oneOf } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { expect, it } from 'vitest'
import { clickOfCall } from '../../src/clicks/click-of-call.ts'
import { createFromFixture, readTables, runStatements } from '../fixtures/create-from-fixture.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
const tables = ['applied_keys', 'ledger_clicks', 'clicks']

await describeDatabases('a database of the version before clicks were kept with their changes', (database) => {
  /** The fixture, as if that version had been used just now. */
  async function createOld() {
    const url = await createFromFixture(database, 'after-004-item-names')
    const inAnHour = Date.now() + 3_600_000
    await runStatements(
      url,
      `update ledger_clicks set ends_at = ${inAnHour}, expires_at = ${inAnHour};
       update applied_keys set expires_at = ${inAnHour}`,
    )
    return { url, open: () => openSqlStore({ url, today }) }
  }

  it('has one table of them afterwards, with all that was known', async () => {
    const { url, open } = await createOld()
    const before = await readTables(url, tables)
    await Promise.all([open(), open()].map(async (opening) => (await opening).close()))
    const after = await readTables(url, tables)
    expect(Object.keys(before)).toEqual(['applied_keys', 'ledger_clicks'])
    expect(Object.keys(after)).toEqual(['clicks'])
    const ids = (rows: typeof after) => Object.values(rows).flatMap((list) => list.map(({ id }) => id))
    expect(ids(before).length).toBeGreaterThan(10)
    expect(new Set(ids(after))).toEqual(new Set(ids(before)))
  })

  it('remembers successes and unknown outcomes, and takes what was running for unknown', async () => {
    const { open } = await createOld()
    const store = await open()
    const claim = (id: string, retryUnknown: boolean) =>
      store.ledger.claim(click({ id, customer: 'c', fingerprint: 'f', named: id !== 'done' }), retryUnknown)
    expect(await claim('named', true)).toEqual({ state: 'done' })
    for (const id of ['unknown', 'running']) {
      expect(await claim(id, false)).toMatchObject({ state: 'unknown' })
      // It began before the last success or after it: nobody knows.
      expect(await claim('done', true)).toEqual({ state: 'undecided' })
      expect(await claim(id, true)).toMatchObject({ state: 'claimed', idempotencyKey: `key ${id}` })
      await store.ledger.settle(click({ id }), 'refused')
    }
    expect(await claim('done', true)).toEqual({ state: 'done' })
    await store.close()
  })

  it('forgets what has expired', async () => {
    const { url, open } = await createOld()
    await runStatements(url, 'update ledger_clicks set expires_at = 1000; update applied_keys set expires_at = 1000')
    await (await open()).close()
    expect((await readTables(url, ['clicks']))['clicks']).toEqual([])
  })

  it('knows the keys of changes that were made', async () => {
    const { url, open } = await createOld()
    const input = { email, ...oneOf('test_67890') }
    const { id } = clickOfCall({ name: 'addProduct', input, context: { idempotencyKey: 'a key' } })
    await runStatements(url, `insert into applied_keys (id, expires_at) values ('${id}', ${Date.now() + 1000_000})`)
    const store = await open()
    const before = await store.account(email)
    await store.addProduct(input, contextOf('a key'))
    expect(await store.account(email)).toEqual(before)
    await store.close()
  })
})
