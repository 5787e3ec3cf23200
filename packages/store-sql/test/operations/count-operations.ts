import { createIntegration, type EndpointName } from '@storeport/core'
import { addDays } from '@storeport/rules'
import type { SqlStore } from '@storeport/store-sql'
import { contextOf } from '@storeport/testing/clicks'
import { key, send } from '@storeport/testing/send'
import { type AccountSize, makeCustomer } from '@storeport/testing/stores/make-customer'

/** The store's date. */
export const today = '2026-03-10'

/** Customers of different sizes, for which the tests count statements. */
export const customers = [
  { name: 'one subscription', size: { subscriptions: 1, cancelled: 1, orders: 0 } },
  { name: '200 subscriptions and 1,000 orders', size: { subscriptions: 100, cancelled: 100, orders: 1000 } },
]

/** Calls each method once for a customer of the given size. Returns how much each call increased the counts. */
export async function countOperations<Name extends string>(
  store: SqlStore,
  size: AccountSize,
  counts: () => Readonly<Record<Name, number>>,
): Promise<Readonly<Record<keyof typeof expected, Readonly<Record<Name, number>>>>> {
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

  const count = (call: () => Promise<unknown>) => countCall(call, counts)
  const add = { email, product_id: 'test_67890', quantity: 1, one_time: true }
  return {
    listProducts: await count(() => store.listProducts(customer, contextOf())),
    getSubscription: await count(() => store.getSubscription(customer, contextOf())),
    listCancelledSubscriptions: await count(() => store.listCancelledSubscriptions(customer, contextOf())),
    getDiscount: await count(() => store.getDiscount({ discount_code: 'TEST10' }, contextOf())),
    addProduct: await count(() => store.addProduct({ ...product, quantity: 1, one_time: false }, contextOf())),
    'addProduct with a discount code': await count(() =>
      store.addProduct({ ...add, discount_code: 'TEST10' }, contextOf('with a code')),
    ),
    'a repeated addProduct': await count(() =>
      store.addProduct({ ...add, discount_code: 'TEST10' }, contextOf('with a code')),
    ),
    undoAddProduct: await count(() => store.undoAddProduct(product, contextOf())),
    swapProduct: await count(() => store.swapProduct(swap, contextOf())),
    // Called before delaySubscription, which can make a different subscription the current subscription.
    sendNow: await count(() => store.sendNow(customer, contextOf())),
    delaySubscription: await count(() => store.delaySubscription(delay, contextOf())),
    reactivateSubscription: await count(() => store.reactivateSubscription({ email, subscription_id }, contextOf())),
    runCustomAction: await count(() => store.runCustomAction({ email, action_id: 'change_to_quarterly' }, contextOf())),
  }
}

async function countCall<Name extends string>(
  call: () => Promise<unknown>,
  counts: () => Readonly<Record<Name, number>>,
): Promise<Readonly<Record<Name, number>>> {
  const before = { ...counts() }
  await call()
  const after: Record<Name, number> = { ...counts() }
  for (const name in after) after[name] -= before[name]
  return after
}

/** Sends a custom action and sendNow to an integration. Returns the counts of each request. */
export async function countClaimed<Name extends string>(
  store: SqlStore,
  counts: () => Readonly<Record<Name, number>>,
): Promise<Readonly<Record<keyof typeof claimed, Readonly<Record<Name, number>>>>> {
  const integration = createIntegration({ store, apiKeys: [key], onError: () => {} })
  const post = (path: string, body: object) => () =>
    send(integration, `/integration/${path}`, { body: { email: 'subscription@example.com', ...body } })
  const act = (action_id: string) => post('custom-action', { action_id })
  await act('join_waitlist_product_123')()
  return {
    runCustomAction: await countCall(act('change_to_quarterly'), counts),
    sendNow: await countCall(post('customer-portal/send-now', {}), counts),
  }
}

/**
 * Expected number of statements and commits of requests whose clicks the integration claims, with a charge. On SQLite, the
 * claim is one commit more.
 */
export const claimed = {
  runCustomAction: { sqlite: 11, postgres: 8, commits: 1 },
  sendNow: { sqlite: 17, postgres: 13, commits: 2 },
} as const

/** Expected number of statements and commits of each method. On PostgreSQL, each statement is a round trip. */
export const expected = {
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
