import type { EndpointName } from '@storeport/core'
import { openSqlStore } from '@storeport/store-sql'
import { startDelayProxy } from '@storeport/testing/delay-proxy'
import { describePostgres } from '@storeport/testing/describe-databases'
import { expect, it, onTestFinished } from 'vitest'
import { countOperations, customers, today } from './count-operations.ts'

/** What passes between the store and the server. */
const expected = {
  listProducts: { statements: 2, roundTrips: 2, commits: 0 },
  getSubscription: { statements: 1, roundTrips: 1, commits: 0 },
  listCancelledSubscriptions: { statements: 1, roundTrips: 1, commits: 0 },
  getDiscount: { statements: 1, roundTrips: 1, commits: 0 },
  addProduct: { statements: 4, roundTrips: 4, commits: 1 },
  undoAddProduct: { statements: 4, roundTrips: 4, commits: 1 },
  swapProduct: { statements: 4, roundTrips: 4, commits: 1 },
  delaySubscription: { statements: 4, roundTrips: 4, commits: 1 },
  sendNow: { statements: 4, roundTrips: 4, commits: 1 },
  reactivateSubscription: { statements: 4, roundTrips: 4, commits: 1 },
  runCustomAction: { statements: 7, roundTrips: 7, commits: 1 },
} as const satisfies Readonly<Record<EndpointName, object>>

await describePostgres('a call', (database) => {
  it.each(customers)(
    'of a customer $name takes as many statements, round trips and commits as it did',
    async ({ size }) => {
      const url = await database.create()
      const proxy = await startDelayProxy(url)
      const store = await openSqlStore({ url: proxy.through(url), today, seed: 'if-empty', poolSize: 1 })
      onTestFinished(async () => {
        await store.close()
        await proxy.stop()
      })
      expect(await countOperations(store, size, proxy.traffic)).toEqual(expected)
    },
  )
})
