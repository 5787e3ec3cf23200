import { changesOf, type CustomerAccount, type RecordChange } from '@storeport/rules'
import { eq } from 'drizzle-orm'
import type { Db } from './database.ts'
import * as tables from './schema.ts'

/** Saves the differences between the loaded account and the account that a rule returned. */
export async function save(tx: Db, customer_id: number, before: CustomerAccount, after: CustomerAccount) {
  for (const change of changesOf(before, after)) {
    const { rowCount } = await write(tx, customer_id, change)
    if (rowCount !== 1)
      throw new Error(`${change.kind} ${change.id}: the statement changed ${rowCount} rows instead of 1`)
  }
}

/** Tables of the records that a rule can delete. */
const deletable = {
  item: tables.subscription_lines,
  discount_use: tables.coupon_uses,
  add: tables.storeport_adds,
}

function write(tx: Db, customer_id: number, change: RecordChange) {
  const { kind, operation, id } = change
  if (operation === 'delete') {
    if (kind !== 'item' && kind !== 'discount_use' && kind !== 'add') throw new Error(`${kind} ${id}: was not deleted`)
    const table = deletable[kind]
    return tx.delete(table).where(eq(table.id, id))
  }
  const isNew = operation === 'insert'
  switch (kind) {
    case 'customer': {
      const { pending_charge } = change.values
      return tx.update(tables.customers).set({ pending_charge }).where(eq(tables.customers.id, customer_id))
    }
    case 'subscription': {
      const { status, next_billing_date: next_date, cancelled_on, anchor_day, skipped, declined } = change.values
      const row = { status, next_date, cancelled_on, anchor_day, skipped_dates: skipped, declined }
      return tx.update(tables.subscriptions).set(row).where(eq(tables.subscriptions.id, id))
    }
    case 'item': {
      const { subscription_id, product_id: sku, quantity, price_minor: price_cents, one_time } = change.values
      const row = { id, subscription_id, sku, quantity, price_cents, one_time }
      const table = tables.subscription_lines
      return isNew ? tx.insert(table).values(row) : tx.update(table).set(row).where(eq(table.id, id))
    }
    case 'order': {
      const { subscription_id, status, placed_on, payment, ...totals } = change.values
      const row = {
        ...{ id, customer_id, subscription_id, status, placed_on, payment },
        items_cents: totals.items_minor,
        discount_cents: totals.discount_minor,
        shipping_cents: totals.shipping_minor,
        tax_cents: totals.tax_minor,
        total_cents: totals.total_minor,
      }
      const table = tables.orders
      return isNew ? tx.insert(table).values(row) : tx.update(table).set({ status }).where(eq(table.id, id))
    }
    case 'order_line': {
      const { order_id, position, product_id: sku, title, quantity, price_minor: price_cents, one_time } = change.values
      return tx.insert(tables.order_lines).values({ order_id, position, sku, title, quantity, price_cents, one_time })
    }
    case 'discount_use': {
      const { code, used_on, subscription_id, order_id, items } = change.values
      const row = { id, customer_id, code, used_on, subscription_id, order_id, items }
      const table = tables.coupon_uses
      return isNew ? tx.insert(table).values(row) : tx.update(table).set(row).where(eq(table.id, id))
    }
    case 'add': {
      const { product_id: sku, quantity, subscription_id, item_id: line_id, order_id, discount_use_id } = change.values
      const row = { id, customer_id, sku, quantity, subscription_id, line_id, order_id, coupon_use_id: discount_use_id }
      const table = tables.storeport_adds
      return isNew ? tx.insert(table).values(row) : tx.update(table).set(row).where(eq(table.id, id))
    }
  }
}
