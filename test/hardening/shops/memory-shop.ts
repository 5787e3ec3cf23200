import { createMemoryStore } from '@storeport/store-memory'
import { serveShop } from './serve-shop.ts'
import { data, type Shop, today } from './shop.ts'

/** A shop in memory: it has one host, since nothing of it leaves the process. */
export async function openMemoryShop(): Promise<Shop> {
  const store = createMemoryStore({ data, today })
  const host = await serveShop(store)
  return {
    hosts: [host.url],
    open: async () => store,
    ageClicks: () => Promise.reject(new Error('what is in memory is timed by a clock that nobody sets')),
    effects: async (email) => ({
      orders: store.orders(email).length,
      beans: beansOf(store.account(email)?.subscriptions),
      actions: store.actionsRun.filter((run) => run.email === email).length,
    }),
    startDoomed: () => Promise.reject(new Error('what is in memory ends with its process')),
    close: host.close,
  }
}

/** Units of beans in subscriptions. */
export function beansOf(
  subscriptions: readonly { items: readonly { product_id: string; quantity: number }[] }[] = [],
): number {
  const beans = subscriptions.flatMap(({ items }) => items).filter(({ product_id }) => product_id === 'beans')
  return beans.reduce((sum, { quantity }) => sum + quantity, 0)
}
