import { codeKey } from '@storeport/rules'
import type { CustomerAccount, ShopRecords, Subscription } from '@storeport/rules'
import type { DialectName } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import { insertRows, type JsonRow } from './insert-rows.ts'

/** Inserts a whole shop, without orders and uses of codes, which no new shop has. */
export async function insertShop(db: Db, dialect: DialectName, records: ShopRecords): Promise<void> {
  const customers = records.accounts.map((account) => ({ account, id: `customer_${crypto.randomUUID()}` }))
  const subscriptions = customers.flatMap(({ account, id }) => subscriptionsOf(account, id))
  const insert = (table: Parameters<typeof insertRows>[2], rows: readonly JsonRow[]) =>
    insertRows(db, dialect, table, rows)

  await insert(
    'products',
    records.products.map((product, index) => ({ ...product, position: index + 1 })),
  )
  await insert(
    'discounts',
    records.discounts.map((terms) => ({
      percentage: null,
      amount_minor: null,
      ...terms,
      code_key: codeKey(terms.code),
    })),
  )
  await insert(
    'actions',
    [...new Set(records.actions)].map((id) => ({ id })),
  )
  await insert(
    'customers',
    customers.map(({ account: { email, last_sent_on }, id }) => ({ id, email, last_sent_on })),
  )
  await insert(
    'recommendations',
    customers.flatMap(({ account, id: customer_id }) =>
      account.recommended.map((product_id, index) => ({ customer_id, rank: index + 1, product_id })),
    ),
  )
  await insert(
    'subscriptions',
    subscriptions.map(({ row }) => row),
  )
  await insert(
    'items',
    subscriptions.flatMap(({ items }) => items),
  )
}

function subscriptionsOf({ subscriptions }: CustomerAccount, customer_id: string) {
  return subscriptions.map(({ items, interval, ...columns }: Subscription) => ({
    row: { ...columns, customer_id, interval_unit: interval.unit, interval_count: interval.count },
    items: items.map((item, index) => ({ ...item, subscription_id: columns.id, position: index + 1 })),
  }))
}
