import { StoreError, type StorePort } from '@storeport/core'
import { emailKey, toMajor } from '@storeport/rules'
import type { openDatabase } from './database.ts'
import { nextBox } from './next-box.ts'

/** Store methods for the product cards in emails. */
export function createUpsells(db: ReturnType<typeof openDatabase>): StorePort {
  return {
    async listProducts({ email = '' }) {
      const owned = db
        .selectFrom('box_line')
        .innerJoin('box', 'box.id', 'box_id')
        .innerJoin('client', 'client.id', 'client_id')
        .where('mail', '=', emailKey(email))
        .where('once', '=', 0)
        .select('sku')
      const offered = db.selectFrom('article').where('stock', '>', 0).where('sku', 'not in', owned)
      const products = (await offered.selectAll().orderBy('name').execute()).map(({ sku, name, cents, photo }) => {
        return { id: sku, title: name, price: toMajor(cents, 2), images: [photo] }
      })
      return { products }
    },

    async addProduct({ email, product_id: sku, quantity, one_time, discount_code }) {
      const box = await nextBox(db, email)
      const article = await db.selectFrom('article').where('sku', '=', sku).select('stock').executeTakeFirst()
      if (article === undefined) throw new StoreError('product_not_found')
      if (article.stock < quantity) throw new StoreError('product_unavailable')
      if (discount_code !== undefined)
        throw new StoreError('invalid_discount_code', 'discount_code: this shop has no discount codes.')
      await db
        .insertInto('box_line')
        .values({ box_id: box.id, sku, units: quantity, once: one_time ? 1 : 0 })
        .onConflict((present) =>
          present
            .columns(['box_id', 'sku', 'once'])
            .doUpdateSet((line) => ({ units: line('box_line.units', '+', quantity) })),
        )
        .execute()
    },
  }
}
