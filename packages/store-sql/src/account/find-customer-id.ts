import { StoreError } from '@storeport/core'
import { emailKey } from '@storeport/rules'
import type { Db } from '../db/database.ts'

/** Returns the id of the customer with an email; throws StoreError `customer_not_found`. */
export async function findCustomerId(db: Db, email: string): Promise<string> {
  const customer = await db
    .selectFrom('customers')
    .select('id')
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
  if (customer === undefined) throw new StoreError('customer_not_found')
  return customer.id
}
