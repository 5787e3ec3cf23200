import type { DemoControls, DemoSubscription } from '@storeport/playground'
import { type CustomerAccount, seed } from '@storeport/rules'
import type { OpenStore } from './open-store.ts'

/** Customers and products of the seed data. A shop with demo controls has no other customers. */
const { customers, products } = seed('2026-01-01')

/** Returns a customer's subscriptions: active subscriptions by next billing date, then the others. */
function describeSubscriptions(email: string, account: CustomerAccount | undefined): readonly DemoSubscription[] {
  const dateOf = ({ next_billing_date }: DemoSubscription) => next_billing_date ?? '9999-12-31'
  const titleOf = (id: string) => products.find((product) => product.id === id)?.title ?? id
  const described = (account?.subscriptions ?? []).map(({ id, status, next_billing_date, items }) => ({
    ...{ id, email, status, next_billing_date },
    lines: items.map((item) => ({ ...item, title: titleOf(item.product_id) })),
  }))
  return described.toSorted((one, other) => dateOf(one).localeCompare(dateOf(other)))
}

/** Creates the playground's demo controls for a store with seed data. */
export function createDemoControls({
  latestActivity,
  account,
  reset,
}: Pick<OpenStore, 'latestActivity' | 'account' | 'reset'>): DemoControls {
  return {
    reset,
    readState: async () => {
      const subscriptions = customers.map(async ({ email }) => describeSubscriptions(email, await account(email)))
      return { ...(await latestActivity()), subscriptions: (await Promise.all(subscriptions)).flat() }
    },
  }
}
