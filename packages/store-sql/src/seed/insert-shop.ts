import { codeKey } from '@storeport/rules'
import type { ShopRecords } from '@storeport/rules'
import { subscriptionRow } from '../account/subscription-row.ts'
import type { DialectName } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import { insertRows } from './insert-rows.ts'

/** Inserts a whole shop, without orders and uses of codes, which no new shop has; a customer whose id is found is there already. */
export async function insertShop(
  db: Db,
  dialect: DialectName,
  records: ShopRecords,
  findCustomerId: (email: string) => string | undefined = () => undefined,
): Promise<void> {
  const customers = records.accounts.map((account) => {
    const id = findCustomerId(account.email)
    return { ...account, id: id ?? `customer_${crypto.randomUUID()}`, isNew: id === undefined }
  })
  const subscriptions = customers.flatMap((customer) => customer.subscriptions)
  await insertRows(db, dialect, {
    products: records.products.map((product, index) => ({ ...product, position: index + 1 })),
    discounts: records.discounts.map((terms) => ({
      percentage: null,
      amount_minor: null,
      ...terms,
      code_key: codeKey(terms.code),
    })),
    actions: [...new Set(records.actions)].map((id) => ({ id })),
    customers: customers
      .filter(({ isNew }) => isNew)
      .map(({ id, email, last_sent_on, last_sent_at }) => ({ id, email, last_sent_on, last_sent_at })),
    recommendations: customers.flatMap(({ id: customer_id, recommended }) =>
      recommended.map((product_id, index) => ({ customer_id, rank: index + 1, product_id })),
    ),
    subscriptions: customers.flatMap(({ id, subscriptions: all }) => all.map((each) => subscriptionRow(id, each))),
    items: subscriptions.flatMap(({ id: subscription_id, items }) =>
      items.map((item, index) => ({ ...item, subscription_id, position: index + 1 })),
    ),
  })
}
