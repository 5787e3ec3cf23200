import type { Order } from '@storeport/rules'
import type { NewJsonRow } from '../columns.ts'
import type { Db } from '../db/database.ts'

/** Inserts orders of one customer with their lines. */
export async function insertOrders(db: Db, customer_id: string, orders: readonly Order[]): Promise<void> {
  const rows = orders.map(({ lines: _, ...order }): NewJsonRow<'orders'> => ({ ...order, customer_id }))
  await db.insertInto('orders').values(rows).execute()
  const lines = orders.flatMap(({ id, lines: contents }) =>
    contents.map((line, index): NewJsonRow<'order_lines'> => ({ ...line, order_id: id, position: index + 1 })),
  )
  if (lines.length > 0) await db.insertInto('order_lines').values(lines).execute()
}
