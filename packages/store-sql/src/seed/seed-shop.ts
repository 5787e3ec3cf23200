import { codeKey, readShopData, seed, type ShopData, type ShopRecords, type ShopSettings } from '@storeport/rules'
import { CompiledQuery } from 'kysely'
import { productRow, subscriptionRow } from '../account/records.ts'
import type { DialectName } from '../db/connections.ts'
import type { Database, Db } from '../db/database.ts'
import type { TableName } from '../db/schema.ts'

/**
 * Seeds a database once, if it has no customers and no products. If several processes start concurrently, only one
 * process inserts the seed. Throws an Error that lists the problems in invalid data.
 */
export async function seedShop(
  database: Database,
  data: ShopData | undefined,
  settings: Pick<ShopSettings, 'today' | 'currency'>,
): Promise<void> {
  const isSeeded = await database.read(async (db) => {
    const found = await db.selectFrom('settings').select('name').where('name', '=', 'seeded').executeTakeFirst()
    return found !== undefined
  })
  if (isSeeded) return
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

/** Inserts a whole shop. If a customer exists, inserts the subscriptions and updates the recommended products. */
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
  const rowsOf = customers.map(({ id, email, last_sent_on, last_sent_at, recommended, isNew }) => ({
    isNew,
    row: { id, email, last_sent_on, last_sent_at, recommended },
  }))
  await insertRows(db, dialect, {
    products: records.products.map((product, index) => ({ ...productRow(product), position: index + 1 })),
    discounts: records.discounts.map((terms) => ({
      percentage: null,
      amount_minor: null,
      ...terms,
      code_key: codeKey(terms.code),
    })),
    settings: [{ name: 'actions', value: JSON.stringify([...new Set(records.actions)]) }],
    customers: rowsOf.filter(({ isNew }) => isNew).map(({ row }) => row),
    subscriptions: customers.flatMap(({ id: customer_id, subscriptions }) =>
      subscriptions.map((subscription) => ({ ...subscriptionRow(subscription), customer_id })),
    ),
  })
  for (const { isNew, row } of rowsOf) {
    const recommended = JSON.stringify(row.recommended)
    if (!isNew) await db.updateTable('customers').set({ recommended }).where('id', '=', row.id).execute()
  }
}

/** Rows by table, with JSON columns as objects. All rows of a table must have the same columns. */
export type NewRows = Readonly<Partial<Record<TableName, readonly object[]>>>

/** Inserts the rows of a table with one JSON parameter, which is much faster than one parameter for each value. */
export async function insertRows(db: Db, dialect: DialectName, rows: NewRows): Promise<void> {
  for (const [table, list] of Object.entries(rows)) {
    const [first] = list
    if (first === undefined) continue
    const columns = Object.keys(first)
    const selected =
      dialect === 'sqlite'
        ? `select ${columns.map((name) => `value ->> '${name}'`).join(', ')} from json_each(?1)`
        : `select ${columns.join(', ')} from json_populate_recordset(null::${table}, $1::json)`
    const statement = `insert into ${table} (${columns.join(', ')}) ${selected}`
    await db.executeQuery(CompiledQuery.raw(statement, [JSON.stringify(list)]))
  }
}
