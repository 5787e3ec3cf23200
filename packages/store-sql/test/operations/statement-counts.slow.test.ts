import { openSqlStore, type SqlStoreOptions } from '@storeport/store-sql'
import { startDelayProxy } from '@storeport/testing/delay-proxy'
import { describePostgres } from '@storeport/testing/stores/describe-databases'
import { expect, it, onTestFinished } from 'vitest'
import { claimed, countClaimed, countOperations, customers, expected, today } from './count-operations.ts'

await describePostgres('each method', (database) => {
  async function open(options: Partial<SqlStoreOptions> = {}) {
    const url = await database.create()
    const proxy = await startDelayProxy(url)
    const store = await openSqlStore({ url: proxy.through(url), today, seed: 'if-empty', poolSize: 1, ...options })
    onTestFinished(async () => {
      await store.close()
      await proxy.stop()
    })
    return { store, proxy }
  }
  const trafficOf = (counts: typeof expected | typeof claimed) =>
    Object.fromEntries(
      Object.entries(counts).map(([name, { postgres, commits }]) => [
        name,
        { statements: postgres, roundTrips: postgres, commits },
      ]),
    )

  it.each(customers)(
    'uses the expected number of statements, commits and round trips for a customer with $name',
    async ({ size }) => {
      const { store, proxy } = await open()
      expect(await countOperations(store, size, proxy.traffic)).toEqual(trafficOf(expected))
    },
  )

  it('uses the expected number of round trips if the integration claims the click', async () => {
    const { store, proxy } = await open({ charge: async () => {} })
    expect(await countClaimed(store, proxy.traffic)).toEqual(trafficOf(claimed))
  })
})
