import { readShopData, seed } from '@storeport/rules'
import type { ShopData, ShopSettings } from '@storeport/rules'
import type { Database } from '../db/database.ts'
import { insertShop } from './insert-shop.ts'

/**
 * Fills a database without customers and products, once: when two processes start at the same moment, one of them does.
 * Throws an Error that lists what is wrong with the data.
 */
export async function seedShop(
  database: Database,
  data: ShopData | undefined,
  settings: Pick<ShopSettings, 'today' | 'currency'>,
): Promise<void> {
  const isSeeded = await database.read(async (db) => {
    const milestone = await db.selectFrom('milestones').select('name').where('name', '=', 'seeded').executeTakeFirst()
    return milestone !== undefined
  })
  if (isSeeded) return
  const { today, currency } = settings
  const records = readShopData(data ?? seed(today(), currency), currency)
  await database.transaction(async (db) => {
    const reached = await db
      .insertInto('milestones')
      .values({ name: 'seeded' })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .execute()
    if (reached.length === 0) return
    const product = await db.selectFrom('products').select('id').limit(1).executeTakeFirst()
    const customer = await db.selectFrom('customers').select('id').limit(1).executeTakeFirst()
    if (product === undefined && customer === undefined) await insertShop(db, database.dialect, records)
  })
}
