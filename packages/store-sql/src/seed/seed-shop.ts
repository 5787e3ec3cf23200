import {
  codeKey,
  isAvailable,
  readShopData,
  seed,
  type ShopData,
  type ShopRecords,
  type ShopSettings,
} from '@storeport/rules'
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
export async function seedShop(
  database: Database,
  data: ShopData | undefined,
  settings: Pick<ShopSettings, 'today' | 'currency'>,
): Promise<void> {
  if ((await database.read((db) => readSetting(db, 'seeded'))) !== undefined) return
  const { today, currency } = settings
  const records = readShopData(data ?? seed(today(), currency), currency)
  await database.transaction(async (db) => {
    const reached = await db
      .insertInto('settings')
      .values({ name: 'seeded', value: 'yes' })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .execute()
    if (reached.length === 0) return
    const product = await db.selectFrom('products').select('id').limit(1).executeTakeFirst()
    const customer = await db.selectFrom('customers').select('id').limit(1).executeTakeFirst()
    if (product === undefined && customer === undefined) await insertShop(db, database.dialect, records)
  })
}

/** Inserts a whole shop. For a customer with a known id, inserts the subscriptions and updates the recommended products. */
export async function insertShop(
  db: Db,
  dialect: DialectName,
  { products, discounts, accounts, actions }: ShopRecords,
  findCustomerId: (email: string) => string | undefined = () => undefined,
): Promise<void> {
  const customers = accounts.map((account) => ({
    ...account,
    id: findCustomerId(account.email) ?? `customer_${crypto.randomUUID()}`,
  }))
  await insertTables(db, dialect, {
    products: products.map(({ id, title, price_minor, available, ...fields }, index) => ({
      ...{ id, title, price_minor, available: isAvailable({ available }), position: index + 1 },
      details: typeof available === 'number' ? { ...fields, max_quantity: available } : fields,
    })),
    discounts: discounts.map((terms) => ({
      ...{ percentage: null, amount_minor: null },
      ...terms,
      code_key: codeKey(terms.code),
    })),
    settings: [{ name: 'actions', value: JSON.stringify([...new Set(actions)]) }],
    customers: customers.map(({ id, email, last_sent_on, last_sent_at, recommended }) => ({
      ...{ id, email, last_sent_on, last_sent_at, recommended },
    })),
    subscriptions: customers.flatMap(({ id: customer_id, subscriptions }) =>
      subscriptions.map((subscription) => ({ ...subscriptionRow(subscription), customer_id })),
    ),
  })
}

/** Inserts rows by table. Updates the recommended products of an existing customer. */
export async function insertTables(
  db: Db,
  dialect: DialectName,
  tables: { readonly [Table in TableName]?: readonly object[] },
): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    if (rows.length === 0) continue
    const isKnown = table === 'customers' ? ' on conflict (id) do update set recommended = excluded.recommended' : ''
    await sql`${insertRows(dialect, table, rows)}${sql.raw(isKnown)}`.execute(db)
  }
}
