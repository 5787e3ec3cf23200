import type { Context } from '@storeport/core'
import { addDays } from '@storeport/rules'
import type { SqlStore } from '@storeport/store-sql'
import { customerSample } from '@storeport/store-sql'
import { firstDay, mostRounds } from './first-day.ts'

/** One call of a store for a customer; `round` counts the rounds of a run. */
export type BenchCall = (store: SqlStore, email: string, round: number) => Promise<unknown>

/** The first call of a round: it alone meets pages of the database that nobody has read yet, where there are many. */
export const firstCall = 'getSubscription, first for a customer'

/** The calls in the order in which a round makes them, each for the same customers: what one adds, the next takes back. */
export const benchCalls: Readonly<Record<string, BenchCall>> = {
  [firstCall]: (store, email) => store.getSubscription({ email }, context()),
  listProducts: (store, email) => store.listProducts({ email }, context()),
  getSubscription: (store, email) => store.getSubscription({ email }, context()),
  listCancelledSubscriptions: (store, email) => store.listCancelledSubscriptions({ email }, context()),
  getDiscount: (store) => store.getDiscount({ discount_code: 'TEST10' }, context()),
  addProduct: (store, email) =>
    store.addProduct(
      { email, product_id: 'test_12345', quantity: 1, one_time: true, discount_code: 'TEST10' },
      context(),
    ),
  undoAddProduct: (store, email) => store.undoAddProduct({ email, product_id: 'test_12345' }, context()),
  sendNow: (store, email) => store.sendNow({ email }, context()),
  // Last, so that nothing is due in a later round: what is billed on a day cannot be sent on it.
  delaySubscription: (store, email, round) =>
    store.delaySubscription({ email, new_date: addDays(firstDay, mostRounds + 75 + 40 * round) }, context()),
  runCustomAction: (store, email) => store.runCustomAction({ email, action_id: 'change_to_quarterly' }, context()),
}

/** The emails of a number of the made-up customers who have an active subscription, spread over all of them. */
export function activeCustomers(count: number, among: number, seed: number): readonly string[] {
  const product = [{ id: 'test_12345', price_minor: 1995 }]
  const emails = new Set<string>()
  // A walk in steps that share no divisor with the number of customers meets each of them once.
  const stride = 611_953 % among || 1
  for (let at = (seed * 7919) % among; emails.size < count; at = (at + stride) % among) {
    const { customer, subscriptions } = customerSample(at + 1, firstDay, product)
    if (subscriptions.some(({ row }) => row.status === 'active')) emails.add(customer.email)
  }
  return [...emails]
}

/** The context of a call that nobody retries. */
function context(): Context {
  return {
    requestId: 'bench',
    signal: new AbortController().signal,
    idempotencyKey: crypto.randomUUID(),
    testMode: false,
  }
}
