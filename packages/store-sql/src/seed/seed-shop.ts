import { codeKey, type CustomerAccount, isAvailable, type ShopRecords, type Subscription } from '@storeport/rules'
import { sql } from 'kysely'
import { subscriptionRow } from '../account/change-account.ts'
import type { DialectName } from '../db/connections.ts'
import type { Database, Db } from '../db/database.ts'
import type { TableName } from '../db/tables.ts'
import { readSetting } from '../db/settings.ts'
import { insertRows } from '../db/rows.ts'

/**
 * Seeds a database once, if it has no customers and no products. If several processes start concurrently, only one
 * process inserts the seed. Throws an Error that lists the problems in invalid data.
 */
export async function seedShop(database: Database, readRecords: () => ShopRecords): Promise<void> {
  if ((await database.read((db) => readSetting(db, 'seeded'))) !== undefined) return
  const records = readRecords()
  await database.transaction(async (db) => {
    const reached = await db
      .insertInto('settings')
      .values({ name: 'seeded', value: 'yes' })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .execute()
    if (reached.length === 0) return
    const { rows: found } = await sql`select id from products union all select id from customers limit 1`.execute(db)
    if (found.length === 0) await insertShop(db, database.dialect, records)
  })
}

/** Inserts a whole shop. For a customer with a known id, inserts the subscriptions and updates the recommended products. */
export async function insertShop(
  db: Db,
  dialect: DialectName,
  { products, discounts, accounts, actions }: ShopRecords,
  findCustomerId: (email: string) => string | undefined = () => undefined,
): Promise<void> {
  const productRows = products.map(({ id, title, price_minor, available, ...fields }, index) => ({
    ...{ id, title, price_minor, available: isAvailable({ available }), position: index + 1 },
    details: typeof available === 'number' ? { ...fields, max_quantity: available } : fields,
  }))
  const discountRows = discounts.map((terms) => ({
    ...{ percentage: null, amount_minor: null },
    ...terms,
    code_key: codeKey(terms.code),
  }))
  await insert(db, dialect, 'products', productRows)
  await insert(db, dialect, 'discounts', discountRows)
  await insert(db, dialect, 'settings', [{ name: 'actions', value: JSON.stringify([...new Set(actions)]) }])
  const customers = accounts.map((account) => ({
    ...account,
    id: findCustomerId(account.email) ?? `customer_${crypto.randomUUID()}`,
  }))
  await insertCustomers(db, dialect, customers)
}

/** A customer without orders and additions. */
interface NewCustomer extends Pick<CustomerAccount, 'email' | 'last_sent_on' | 'last_sent_at' | 'recommended'> {
  readonly id: string
  readonly subscriptions: readonly Subscription[]
}

/** Inserts customers with their subscriptions. Updates the recommended products of an existing customer. */
export async function insertCustomers(db: Db, dialect: DialectName, customers: readonly NewCustomer[]): Promise<void> {
  const rows = customers.map(({ id, email, last_sent_on, last_sent_at, recommended }) => {
    return { id, email, last_sent_on, last_sent_at, recommended }
  })
  await insert(db, dialect, 'customers', rows, 'on conflict (id) do update set recommended = excluded.recommended')
  const subscriptions = customers.flatMap(({ id: customer_id, subscriptions: own }) =>
    own.map((subscription) => ({ ...subscriptionRow(subscription), customer_id })),
  )
  await insert(db, dialect, 'subscriptions', subscriptions)
}

async function insert(db: Db, dialect: DialectName, table: TableName, rows: readonly object[], conflict = '') {
  if (rows.length > 0) await sql`${insertRows(dialect, table, rows)} ${sql.raw(conflict)}`.execute(db)
}
