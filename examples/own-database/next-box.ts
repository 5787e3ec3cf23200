import { StoreError } from '@storeport/core'
import { dateIn, emailKey } from '@storeport/rules'
import type { openDatabase } from './database.ts'

const today = dateIn('UTC')

/** The box of a customer that ships next, after today; throws StoreError when there is no such customer, or no box. */
export async function nextBox(db: ReturnType<typeof openDatabase>, email: string) {
  const client = await db.selectFrom('client').where('mail', '=', emailKey(email)).select('id').executeTakeFirst()
  if (client === undefined) throw new StoreError('customer_not_found')
  const boxes = db.selectFrom('box').where('client_id', '=', client.id).selectAll()
  const box = await boxes.where('ships_on', '>', today(new Date())).orderBy('ships_on').orderBy('id').executeTakeFirst()
  if (box === undefined) throw new StoreError('subscription_not_found')
  return box
}
