import { createIntegration, type EndpointName } from '@storeport/core'
import { addDays } from '@storeport/rules'
import type { SqlStore } from '@storeport/store-sql'
import { contextOf } from '@storeport/testing/clicks'
import { key, send } from '@storeport/testing/send'
import { type AccountSize, makeCustomer } from '@storeport/testing/stores/make-customer'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import Libsql from 'libsql'
import pg from 'pg'
import { expect, it, vi } from 'vitest'

/** The store's date. */
const today = '2026-03-10'

/** Customers of different sizes, for which the tests count statements. */
const customers = [
  { name: 'one subscription', size: { subscriptions: 1, cancelled: 1, orders: 0 } },
  { name: '200 subscriptions and 1,000 orders', size: { subscriptions: 100, cancelled: 100, orders: 1000 } },
]

/**
 * Expected number of statements and commits of requests whose clicks the integration claims, with a charge. On SQLite, the
 * claim is one commit more.
 */
const claimed = {
  runCustomAction: { sqlite: 11, postgres: 8, commits: 1 },
  sendNow: { sqlite: 17, postgres: 13, commits: 2 },
} as const

/** Expected number of statements and commits of each method. On PostgreSQL, each statement is a round trip. */
const expected = {
  listProducts: { sqlite: 2, postgres: 2, commits: 0 },
  getSubscription: { sqlite: 1, postgres: 1, commits: 0 },
  listCancelledSubscriptions: { sqlite: 1, postgres: 1, commits: 0 },
  getDiscount: { sqlite: 1, postgres: 1, commits: 0 },
  addProduct: { sqlite: 5, postgres: 4, commits: 1 },
  'addProduct with a discount code': { sqlite: 6, postgres: 4, commits: 1 },
  // The first replay of a success is stored.
  'a repeated addProduct': { sqlite: 4, postgres: 4, commits: 1 },
  undoAddProduct: { sqlite: 5, postgres: 4, commits: 1 },
  swapProduct: { sqlite: 5, postgres: 4, commits: 1 },
  delaySubscription: { sqlite: 5, postgres: 4, commits: 1 },
  sendNow: { sqlite: 6, postgres: 4, commits: 1 },
  reactivateSubscription: { sqlite: 5, postgres: 4, commits: 1 },
  runCustomAction: { sqlite: 7, postgres: 6, commits: 1 },
} as const satisfies Readonly<Record<EndpointName, object>> & Readonly<Record<string, object>>

const statement: { run(): void; get(): void; all(): void } = Object.getPrototypeOf(
  new Libsql(':memory:').prepare('select 1'),
)
const sent = [
  ...(['run', 'get', 'all'] as const).map((name) => vi.spyOn(statement, name)),
  vi.spyOn(Libsql.prototype, 'exec'),
  vi.spyOn(pg.Client.prototype, 'query'),
]

interface Counts {
  readonly statements: number
  readonly commits: number
}

/** Returns the numbers of statements that this process has sent, including `begin` and `commit`. */
function counts(): Counts {
  const calls = sent.flatMap((spy): unknown[][] => spy.mock.calls)
  return { statements: calls.length, commits: calls.filter(([first]) => first === 'commit').length }
}

/** Calls each method once for a customer of the given size. Returns how much each call increased the counts. */
async function countOperations(store: SqlStore, size: AccountSize): Promise<Record<string, Counts>> {
  const email = 'much@example.com'
  const customer = { email }
  await makeCustomer(store, email, size, today)
  const cancelled = await store.listCancelledSubscriptions(customer, contextOf())
  const subscription_id = cancelled.subscriptions[0]?.subscription_id ?? ''
  const product = { email, product_id: 'test_54321' }
  const swap = { email, current_item_id: 'test_67890', new_product_id: 'test_54321' }
  const delay = { email, new_date: addDays(today, 200) }
  // Completes one-time work.
  await store.addProduct({ email, product_id: 'test_12345', quantity: 1, one_time: true }, contextOf())

  const add = { email, product_id: 'test_67890', quantity: 1, one_time: true, discount_code: 'TEST10' }
  const calls: Record<keyof typeof expected, () => Promise<unknown>> = {
    listProducts: () => store.listProducts(customer, contextOf()),
    getSubscription: () => store.getSubscription(customer, contextOf()),
    listCancelledSubscriptions: () => store.listCancelledSubscriptions(customer, contextOf()),
    getDiscount: () => store.getDiscount({ discount_code: 'TEST10' }, contextOf()),
    addProduct: () => store.addProduct({ ...product, quantity: 1, one_time: false }, contextOf()),
    'addProduct with a discount code': () => store.addProduct(add, contextOf('with a code')),
    'a repeated addProduct': () => store.addProduct(add, contextOf('with a code')),
    undoAddProduct: () => store.undoAddProduct(product, contextOf()),
    swapProduct: () => store.swapProduct(swap, contextOf()),
    // Called before delaySubscription, which can make a different subscription the current subscription.
    sendNow: () => store.sendNow(customer, contextOf()),
    delaySubscription: () => store.delaySubscription(delay, contextOf()),
    reactivateSubscription: () => store.reactivateSubscription({ email, subscription_id }, contextOf()),
    runCustomAction: () => store.runCustomAction({ email, action_id: 'change_to_quarterly' }, contextOf()),
  }
  const found: Record<string, Counts> = {}
  for (const [name, call] of Object.entries(calls)) found[name] = await countCall(call)
  return found
}

async function countCall(call: () => Promise<unknown>): Promise<Counts> {
  const before = counts()
  await call()
  const after = counts()
  return { statements: after.statements - before.statements, commits: after.commits - before.commits }
}

/** Sends a custom action and sendNow to an integration. Returns the counts of each request. */
async function countClaimed(store: SqlStore): Promise<Record<keyof typeof claimed, Counts>> {
  const integration = createIntegration({ store, apiKeys: [key], onError: () => {} })
  const post = (path: string, body: object) => () =>
    send(integration, `/integration/${path}`, { body: { email: 'subscription@example.com', ...body } })
  const act = (action_id: string) => post('custom-action', { action_id })
  await act('join_waitlist_product_123')()
  return {
    runCustomAction: await countCall(act('change_to_quarterly')),
    sendNow: await countCall(post('customer-portal/send-now', {})),
  }
}

await describeDatabases('each method', (database) => {
  const [dialect, claims] = database.name === 'SQLite' ? (['sqlite', 1] as const) : (['postgres', 0] as const)
  const countsIn = (rows: typeof expected | typeof claimed, more = 0) =>
    Object.fromEntries(
      Object.entries(rows).map(([name, row]) => [name, { statements: row[dialect], commits: row.commits + more }]),
    )

  it.each(customers)(
    'uses the expected number of statements and commits for a customer with $name',
    async ({ size }) => {
      const store = await database.open({ today, poolSize: 1 })
      expect(await countOperations(store, size)).toEqual(countsIn(expected))
    },
  )

  it('uses the expected number of statements and commits if the integration claims the click', async () => {
    const store = await database.open({ today, poolSize: 1, charge: async () => {} })
    expect(await countClaimed(store)).toEqual(countsIn(claimed, claims))
  })
})
