import type { CustomerAccount } from '@storeport/rules'
import type pg from 'pg'
import { columns } from './load.ts'
import { isMissing, saveRows } from './save-rows.ts'

/** Saves the differences between the loaded account and the account that a rule returned. */
export async function save(
  client: pg.PoolClient,
  customer_id: string,
  before: CustomerAccount,
  after: CustomerAccount,
) {
  const orders = await saveRows(client, 'orders', columns.order, before.orders, after.orders, { customer_id })
  for (const { id: order_id, lines } of orders.filter((order) => isMissing(order, before.orders))) {
    const rows = lines.map((line) => ({ id: crypto.randomUUID(), ...line }))
    await saveRows(client, 'order_lines', `id, ${columns.orderLine}`, [], rows, { order_id })
  }
  for (const subscription of await saveRows(
    client,
    'subscriptions',
    columns.state,
    before.subscriptions,
    after.subscriptions,
  )) {
    const { id: subscription_id, items } = subscription
    const known = before.subscriptions.find(({ id }) => id === subscription_id)?.items ?? []
    await saveRows(client, 'subscription_lines', columns.line, known, items, { subscription_id })
  }
  await saveRows(client, 'coupon_uses', columns.use, before.discount_uses, after.discount_uses, { customer_id })
  await saveRows(client, 'storeport_adds', columns.add, before.adds, after.adds, { customer_id })
}
