import { openSqlStore, StoreOpenError } from '@storeport/store-sql'
import { click, contextOf, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { expect, it } from 'vitest'

const today = '2026-03-10'
const email = 'subscription@example.com'

await describeDatabases('the currency of a database', (database) => {
  it.each([
    ['JPY', 1995, 1000],
    ['USD', 19.95, 10],
    ['KWD', 19.95, 10],
    ['CLF', 19.95, 10],
  ])('%s: the seed has its decimals', async (currency, price, discount) => {
    const store = await database.open({ today, currency })
    expect(store.currency).toBe(currency)
    const { products } = await store.listProducts({}, contextOf())
    expect(products[0]).toMatchObject({ id: 'test_12345', price })
    expect(await send(store, click('addProduct', { email, ...oneOf('test_54321'), discount_code: 'FIVEOFF' }))).toBe(
      'done',
    )
    const subscription = await store.getSubscription({ email }, contextOf())
    expect(subscription?.order_discount_total).toBe(discount)
  })

  it('is kept: US dollars unless another one was named, and no other is accepted later', async () => {
    for (const [named, kept] of [
      [undefined, 'USD'],
      ['KWD', 'KWD'],
    ] as const) {
      const url = await database.create()
      await (await openSqlStore({ url, today, currency: named })).close()
      const again = await openSqlStore({ url, today })
      expect(again.currency).toBe(kept)
      await again.close()
      const other = openSqlStore({ url, today, currency: 'EUR' })
      await expect(other).rejects.toThrow(StoreOpenError)
      await expect(other).rejects.toThrow(`The database stores amounts in ${kept}, not in EUR`)
    }
  })

  it('is one for those who open a new database at the same moment', async () => {
    const url = await database.create()
    const opened = await Promise.allSettled(
      ['EUR', 'JPY', 'EUR', 'JPY'].map((currency) => openSqlStore({ url, today, currency })),
    )
    const stores = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(stores).toHaveLength(2)
    expect(new Set(stores.map(({ currency }) => currency)).size).toBe(1)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('must be a currency: nothing is opened with an unknown code', async () => {
    await expect(openSqlStore({ url: 'sqlite:/proc/nowhere/shop.db', currency: 'XYZ' })).rejects.toThrow(/^currency: /)
  })
})
