import { openSqlStore, StoreOpenError } from '@storeport/store-sql'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { expect, it } from 'vitest'

const today = '2026-03-10'

await describeDatabases('the currency of a database', (database) => {
  it('is stored in the database with a default of USD, and cannot be changed later', async () => {
    for (const [option, stored] of [
      [undefined, 'USD'],
      ['KWD', 'KWD'],
    ] as const) {
      const url = await database.create()
      await (await openSqlStore({ url, today, currency: option })).close()
      const again = await openSqlStore({ url, today })
      expect(again.currency).toBe(stored)
      await again.close()
      const other = openSqlStore({ url, today, currency: 'EUR' })
      await expect(other).rejects.toThrow(StoreOpenError)
      await expect(other).rejects.toThrow(`The database stores amounts in ${stored}, not in EUR`)
    }
  })

  it('is set only once if several stores concurrently open a new database', async () => {
    const url = await database.create()
    const opened = await Promise.allSettled(
      ['EUR', 'JPY', 'EUR', 'JPY'].map((currency) => openSqlStore({ url, today, currency })),
    )
    const stores = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(stores).toHaveLength(2)
    expect(new Set(stores.map(({ currency }) => currency)).size).toBe(1)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('is validated before the database is opened', async () => {
    await expect(openSqlStore({ url: 'sqlite:/proc/nowhere/shop.db', currency: 'XYZ' })).rejects.toThrow(/^currency: /)
  })
})
