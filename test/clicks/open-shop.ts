import { openSqlStore, type SqlStore } from '@storeport/store-sql'
import { type DelayProxy, startDelayProxy } from '@storeport/testing/delay-proxy'
import type { TestDatabase } from '@storeport/testing/stores/describe-databases'
import type { ShopData } from '@storeport/rules'
import { onTestFinished } from 'vitest'
import { today } from './shop.ts'
import { type ClickHost, type HostSettings, startClickHost } from './start-click-host.ts'

/** A shop in its own database. */
export interface ClickShop {
  /** URL of the database, without the proxy. */
  readonly url: string
  /** Proxy for PostgreSQL. Undefined for SQLite. */
  readonly proxy: DelayProxy | undefined
  /** Store with its own connections. */
  readonly store: SqlStore
  /** Starts a host, which connects through the proxy if the shop has a proxy, and stops at the end of the test. */
  startHost(settings?: Partial<HostSettings>, env?: Record<string, string>): Promise<ClickHost>
  /** Returns the product of each order of a customer: `beans`, or `-beans` for an order that an undo cancelled. */
  ordersOf(email: string): Promise<readonly string[]>
}

export async function openShop(database: TestDatabase, data: ShopData, delayMs = 0): Promise<ClickShop> {
  const url = await database.create()
  const store = await openSqlStore({ url, data, today, seed: 'if-empty' })
  onTestFinished(() => store.close())
  const proxy = database.name === 'PostgreSQL' ? await startDelayProxy(url, delayMs) : undefined
  if (proxy) onTestFinished(proxy.stop)
  const hostUrl = proxy?.through(url) ?? url
  return {
    url,
    proxy,
    store,
    startHost: async (settings, env) => {
      const host = await startClickHost({ url: hostUrl, today, ...settings }, env)
      onTestFinished(host.kill)
      return host
    },
    ordersOf: async (email) => {
      const orders = await store.orders(email, { limit: 1000 })
      return orders.map(({ status, lines }) => `${status === 'cancelled' ? '-' : ''}${lines[0]?.product_id ?? ''}`)
    },
  }
}
