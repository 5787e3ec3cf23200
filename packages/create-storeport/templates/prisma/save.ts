import { changesOf, type CustomerAccount, type RecordChange } from '@storeport/rules'
import type { Db } from './database.ts'
import { Prisma } from './generated/client.ts'

/** Saves the differences between the loaded account and the account that a rule returned. */
export async function save(tx: Db, customer_id: bigint, before: CustomerAccount, after: CustomerAccount) {
  for (const change of changesOf(before, after)) await write(tx, customer_id, change)
}

/** Writes one row. Prisma throws an error if the row to update or delete does not exist. */
function write(tx: Db, customer_id: bigint, change: RecordChange): PromiseLike<unknown> {
  const { kind, operation, id } = change
  const where = { id }
  if (operation === 'delete') {
    if (kind === 'item') return tx.subscription_lines.delete({ where })
    if (kind === 'discount_use') return tx.coupon_uses.delete({ where })
    if (kind === 'add') return tx.storeport_adds.delete({ where })
    throw new Error(`${kind} ${id}: was not deleted`)
  }
  const isNew = operation === 'insert'
  switch (kind) {
    case 'customer': {
      const data = { pending_charge: json(change.values.pending_charge) }
      return tx.customers.update({ where: { id: customer_id }, data })
    }
    case 'subscription': {
      const { status, next_billing_date, cancelled_on, anchor_day, skipped, declined } = change.values
      const dates = { next_date: date(next_billing_date), cancelled_on: date(cancelled_on) }
      const data = { status, ...dates, anchor_day, skipped_dates: [...skipped], declined: json(declined) }
      return tx.subscriptions.update({ where, data })
    }
    case 'item': {
      const { subscription_id, product_id: sku, quantity, price_minor: price_cents, one_time } = change.values
      const data = { id, subscription_id, sku, quantity, price_cents, one_time }
      return isNew ? tx.subscription_lines.create({ data }) : tx.subscription_lines.update({ where, data })
    }
    case 'order': {
      const { subscription_id, status, placed_on, payment, ...totals } = change.values
      if (!isNew) return tx.orders.update({ where, data: { status } })
      const data = {
        ...{ id, customer_id, subscription_id, status, placed_on: new Date(placed_on), payment: json(payment) },
        items_cents: totals.items_minor,
        discount_cents: totals.discount_minor,
        shipping_cents: totals.shipping_minor,
        tax_cents: totals.tax_minor,
        total_cents: totals.total_minor,
      }
      return tx.orders.create({ data })
    }
    case 'order_line': {
      const { order_id, position, product_id: sku, title, quantity, price_minor: price_cents, one_time } = change.values
      return tx.order_lines.create({ data: { order_id, position, sku, title, quantity, price_cents, one_time } })
    }
    case 'discount_use': {
      const { code, used_on, subscription_id, order_id, items } = change.values
      const units = items.map((item) => ({ ...item }))
      const data = { id, customer_id, code, used_on: new Date(used_on), subscription_id, order_id, items: units }
      return isNew ? tx.coupon_uses.create({ data }) : tx.coupon_uses.update({ where, data })
    }
    case 'add': {
      const { product_id: sku, quantity, subscription_id, item_id: line_id, order_id, discount_use_id } = change.values
      const data = {
        id,
        customer_id,
        sku,
        quantity,
        subscription_id,
        line_id,
        order_id,
        coupon_use_id: discount_use_id,
      }
      return isNew ? tx.storeport_adds.create({ data }) : tx.storeport_adds.update({ where, data })
    }
  }
}

function date(value: string | null): Date | null {
  return value === null ? null : new Date(value)
}

/** Returns the value of a JSON column. */
function json(value: unknown) {
  return value === null || value === undefined ? Prisma.DbNull : JSON.parse(JSON.stringify(value))
}
