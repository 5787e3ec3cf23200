import { StoreError } from '@storeport/core'
import { emailKey } from '@storeport/rules'
import type { Db } from '../db/database.ts'

/**
 * Locks a customer until the end of the transaction and returns their id; throws StoreError `customer_not_found`.
 *
 * It changes the row instead of asking for a lock: then a database that keeps transactions apart more strictly than
 * READ COMMITTED notices, too, that another one was there since this one began, and makes it restart.
 */
export async function lockCustomer(db: Db, email: string): Promise<string> {
  const customer = await db
    .updateTable('customers')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('email_key', '=', emailKey(email))
    .returning('id')
    .executeTakeFirst()
  if (customer === undefined) throw new StoreError('customer_not_found')
  return customer.id
}
