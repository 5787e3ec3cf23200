import type { CustomerAccount } from '@storeport/rules'
import type { Run } from './database.ts'
import { columns } from './load.ts'
import { saveRows } from './rows.ts'

/** Saves the differences between the loaded account and the account that a rule returned. */
export async function save(run: Run, customer_id: number, before: CustomerAccount, after: CustomerAccount) {
  await saveRows(run, 'orders', columns.order, before.orders, after.orders, () => ({ customer_id }))
  for (const { id: order_id, lines } of after.orders.slice(before.orders.length)) {
    const rows = lines.map((line) => ({ id: crypto.randomUUID(), ...line }))
    await saveRows(run, 'order_lines', columns.orderLine, [], rows, () => ({ order_id }))
  }
  await saveRows(run, 'subscriptions', columns.subscription, before.subscriptions, after.subscriptions)
  for (const { id: subscription_id, items } of after.subscriptions) {
    const known = before.subscriptions.find(({ id }) => id === subscription_id)?.items ?? []
    await saveRows(run, 'subscription_lines', columns.line, known, items, () => ({ subscription_id }))
  }
  await saveRows(run, 'coupon_uses', columns.use, before.discount_uses, after.discount_uses, () => ({ customer_id }))
  await saveRows(run, 'storeport_adds', columns.add, before.adds, after.adds, () => ({ customer_id }))
}
