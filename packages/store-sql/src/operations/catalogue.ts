import { codeKey } from '@storeport/rules'
import type { CatalogueProduct, DiscountTerms } from '@storeport/rules'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The products of the general list, in its order. */
export async function loadOffered(db: Db): Promise<readonly CatalogueProduct[]> {
  const rows = await db
    .selectFrom('products')
    .select(['id', 'title', 'price_minor', 'compare_at_price_minor', 'description'])
    .select(sql<string>`cast(images as text)`.as('images'))
    .where(sql<boolean>`available`)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, images: JSON.parse(row.images), available: true }))
}

/** A discount by its code, in whatever letter case. */
export async function loadDiscount(db: Db, code: string): Promise<DiscountTerms | undefined> {
  const row = await db.selectFrom('discounts').selectAll().where('code_key', '=', codeKey(code)).executeTakeFirst()
  if (row === undefined) return undefined
  const { code_key: _, kind, percentage, amount_minor, ...limits } = row
  return kind === 'percentage'
    ? { ...limits, kind, percentage: percentage ?? 0 }
    : { ...limits, kind, amount_minor: amount_minor ?? 0 }
}
