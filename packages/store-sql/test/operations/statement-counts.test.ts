import type { EndpointName } from '@storeport/core'
import { countStatements } from '@storeport/testing/count-statements'
import { describeSqlite } from '@storeport/testing/describe-databases'
import { expect, it } from 'vitest'
import { countOperations, customers, today } from './count-operations.ts'

/** What is sent, the beginning and the end of a transaction included. */
const expected = {
  listProducts: { statements: 2, commits: 0 },
  getSubscription: { statements: 1, commits: 0 },
  listCancelledSubscriptions: { statements: 1, commits: 0 },
  getDiscount: { statements: 1, commits: 0 },
  addProduct: { statements: 6, commits: 1 },
  undoAddProduct: { statements: 5, commits: 1 },
  swapProduct: { statements: 5, commits: 1 },
  delaySubscription: { statements: 5, commits: 1 },
  sendNow: { statements: 7, commits: 1 },
  reactivateSubscription: { statements: 5, commits: 1 },
  runCustomAction: { statements: 7, commits: 1 },
} as const satisfies Readonly<Record<EndpointName, object>>

await describeSqlite('a call', (database) => {
  const counts = countStatements()

  it.each(customers)('of a customer $name takes as many statements as it did', async ({ size }) => {
    const store = await database.open({ today })
    expect(await countOperations(store, size, () => counts)).toEqual(expected)
  })
})
