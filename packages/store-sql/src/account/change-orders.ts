import type { CustomerAccount, Order } from '@storeport/rules'
import type { NewJsonRow } from '../columns.ts'
import { ChangedMeanwhile } from '../db/database-errors.ts'
import type { Write, WriteForm } from '../db/writes.ts'
import { findChanged } from './differences.ts'
import type { LoadedAccount } from './load-account.ts'
import { prepareRows } from './row-writes.ts'

const insertOrders = prepareRows('orders')
const insertLines = prepareRows('order_lines')
const orderStatus: WriteForm = {
  name: 'order_status',
  write: (_, parameter) =>
    `update orders set status = ${parameter(1)} where id = ${parameter(2)} and status = ${parameter(3)}`,
}

/** The writes for new orders, and for those whose state has changed. */
export function changeOrders(
  { account: before, customer_id }: LoadedAccount,
  after: CustomerAccount,
): readonly Write[] {
  const statuses = findChanged(before.orders, after.orders).flatMap(({ id, status }): Write[] => {
    const known = before.orders.find((order) => order.id === id)
    if (known === undefined || known.status === status) return []
    // The merchant's fulfilment takes orders without locking the customer: the first of the two wins.
    return [{ form: orderStatus, parameters: [status, id, known.status], refuse: () => new ChangedMeanwhile() }]
  })
  const placed = after.orders.filter(({ id }) => !before.orders.some((order) => order.id === id))
  return [
    ...statuses,
    ...insertOrders(placed.map(({ lines: _, ...order }) => ({ ...order, customer_id }))),
    ...insertLines(placed.flatMap(linesOf)),
  ]
}

function linesOf({ id: order_id, lines }: Order): NewJsonRow<'order_lines'>[] {
  return lines.map((line, index) => ({ ...line, order_id, position: index + 1 }))
}
