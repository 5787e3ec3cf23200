import type { CustomerAccount, seed, ShopActivity } from '@storeport/rules'
import type { DemoState, DemoSubscription } from './protocol.ts'

/** Data that a store returns besides the API. */
interface ShopRecords {
  latestActivity(): ShopActivity | Promise<ShopActivity>
  account(email: string): CustomerAccount | undefined | Promise<CustomerAccount | undefined>
}

/** Returns the activity of a shop, and the subscriptions of its customers. The lines contain the titles of `products`. */
export async function readShopState(
  store: ShopRecords,
  { customers, products }: Pick<ReturnType<typeof seed>, 'customers' | 'products'>,
): Promise<DemoState> {
  const titleOf = (id: string) => products.find((product) => product.id === id)?.title ?? id
  const subscriptions = customers.map(async ({ email }) => {
    const { subscriptions: stored = [] } = (await store.account(email)) ?? {}
    const described = stored.map(({ id, status, next_billing_date, items }) => ({
      ...{ id, email, status, next_billing_date },
      lines: items.map((item) => ({ ...item, title: titleOf(item.product_id) })),
    }))
    return described.toSorted(byDate)
  })
  return { ...(await store.latestActivity()), subscriptions: (await Promise.all(subscriptions)).flat() }
}

/** Compares subscriptions: active subscriptions by next billing date, then the others. */
function byDate(one: DemoSubscription, other: DemoSubscription): number {
  const dateOf = ({ next_billing_date }: DemoSubscription) => next_billing_date ?? '9999-12-31'
  return dateOf(one).localeCompare(dateOf(other))
}
