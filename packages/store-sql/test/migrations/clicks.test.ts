import { openSqlStore } from '@storeport/store-sql'
import { contextOf, oneOf } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { expect, it } from 'vitest'
import { createFromFixture, readTables } from '../fixtures/create-from-fixture.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'

await describeDatabases('a database of a version before click documents', (database) => {
  it.each(['after-004-item-names', 'after-006-order-times'])(
    'has one table of documents afterwards, and no click from before: %s',
    async (fixture) => {
      const url = await createFromFixture(database, fixture)
      const open = () => openSqlStore({ url, today })
      await Promise.all([open(), open()].map(async (opening) => (await opening).close()))
      const after = await readTables(url, ['applied_keys', 'ledger_clicks', 'clicks'])
      expect(Object.keys(after)).toEqual(['clicks'])
      expect(after['clicks']).toMatchObject([{ id: 'storeport-age' }])

      const store = await open()
      const adds = async () => (await store.account(email))?.adds.length ?? 0
      const before = await adds()
      for (let time = 0; time < 2; time++) await store.addProduct({ email, ...oneOf('test_67890') }, contextOf('a key'))
      expect(await adds()).toBe(before + 1)
      await store.close()
    },
  )
})
