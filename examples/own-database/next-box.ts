import { StoreError } from '@storeport/core'
import { dateIn, emailKey } from '@storeport/rules'
import type { openDatabase } from './database.ts'

const today = dateIn('UTC')

/** Returns the customer's first box after today; throws StoreError if the customer or the box does not exist. */
export async function nextBox(db: ReturnType<typeof openDatabase>, email: string) {
  const client = await db.selectFrom('client').where('mail', '=', emailKey(email)).select('id').executeTakeFirst()
  if (client === undefined) throw new StoreError('customer_not_found')
  const boxes = db.selectFrom('box').where('client_id', '=', client.id).selectAll()
  const box = await boxes.where('ships_on', '>', today(new Date())).orderBy('ships_on').orderBy('id').executeTakeFirst()
  if (box === undefined) throw new StoreError('subscription_not_found')
  return box
}
