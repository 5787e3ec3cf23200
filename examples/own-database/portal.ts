import { StoreError, type StorePort } from '@storeport/core'
import { dateIn, toMajor, wireItemId } from '@storeport/rules'
import type { openDatabase } from './database.ts'
import { nextBox } from './next-box.ts'

const today = dateIn('UTC')

/** Store methods for the customer portal, including the Delay button. */
export function createPortal(db: ReturnType<typeof openDatabase>): StorePort {
  return {
    async getSubscription({ email }) {
      const { id: boxId, ships_on, freight_cents } = await nextBox(db, email)
      const rows = await db
        .selectFrom('box_line')
        .innerJoin('article', 'article.sku', 'box_line.sku')
        .where('box_id', '=', boxId)
        .select(['article.sku', 'name', 'cents', 'photo', 'units', 'once'])
        .orderBy('id')
        .execute()
      const items = rows.map(({ sku, name, cents, photo, units, once }) => {
        const id = wireItemId({ product_id: sku, one_time: once === 1 })
        return { id, title: name, price: toMajor(cents, 2), images: [photo], quantity: units }
      })
      return { next_billing_date: ships_on, items, shipping_total_cost: toMajor(freight_cents, 2) }
    },

    async delaySubscription({ email, new_date }) {
      const { id, ships_on } = await nextBox(db, email)
      if (new_date < ships_on || new_date <= today(new Date())) throw new StoreError('invalid_date')
      // Rejects the change if another request has moved the box since this request read the date.
      const update = db.updateTable('box').set({ ships_on: new_date }).where('id', '=', id)
      const { numUpdatedRows } = await update.where('ships_on', '=', ships_on).executeTakeFirst()
      if (numUpdatedRows === 0n) throw new StoreError('store_unavailable')
    },
  }
}
