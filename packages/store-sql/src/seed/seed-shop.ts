import { codeKey, readShopData, seed, type ShopData, type ShopRecords, type ShopSettings } from '@storeport/rules'
import { CompiledQuery } from 'kysely'
import { productRow, subscriptionRow } from '../account/records.ts'
import type { DialectName } from '../db/connections.ts'
import type { Database, Db } from '../db/database.ts'
import type { TableName } from '../db/schema.ts'
import { readSetting } from '../db/settings.ts'
import { insertStatement } from '../db/writes.ts'

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
  await insertRows(db, dialect, {
    products: products.map((product, index) => ({ ...productRow(product), position: index + 1 })),
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

/** Rows by table, with JSON columns as objects. All rows of a table must have the same columns. */
type NewRows = Readonly<Partial<Record<TableName, readonly object[]>>>

/** Inserts rows. Updates the recommended products of an existing customer. */
export async function insertRows(db: Db, dialect: DialectName, rows: NewRows): Promise<void> {
  for (const [table, list] of Object.entries(rows)) {
    const [first] = list
    if (first === undefined) continue
    const update = table === 'customers' ? ' on conflict (id) do update set recommended = excluded.recommended' : ''
    const statement = insertStatement(dialect, table, Object.keys(first)) + update
    await db.executeQuery(CompiledQuery.raw(statement, [JSON.stringify(list)]))
  }
}
