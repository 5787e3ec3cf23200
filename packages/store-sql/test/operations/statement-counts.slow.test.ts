import { openSqlStore } from '@storeport/store-sql'
import { startDelayProxy } from '@storeport/testing/delay-proxy'
import { describePostgres } from '@storeport/testing/stores/describe-databases'
import { expect, it, onTestFinished } from 'vitest'
import { countOperations, customers, expected, today } from './count-operations.ts'

await describePostgres('each method', (database) => {
  it.each(customers)(
    'uses the expected number of statements, commits and round trips for a customer with $name',
    async ({ size }) => {
      const url = await database.create()
      const proxy = await startDelayProxy(url)
      const store = await openSqlStore({ url: proxy.through(url), today, seed: 'if-empty', poolSize: 1 })
      onTestFinished(async () => {
        await store.close()
        await proxy.stop()
      })
      expect(await countOperations(store, size, proxy.traffic)).toEqual(
        Object.fromEntries(
          Object.entries(expected).map(([name, { postgres, commits }]) => [
            name,
            { statements: postgres, roundTrips: postgres, commits },
          ]),
        ),
      )
    },
  )
})
