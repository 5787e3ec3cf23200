import { emailKey } from '@storeport/rules'
import type { Db } from '../db/database.ts'

/**
 * Locks a customer until the end of the transaction. Whether there is one is seen by the statement that reads the account:
 * what a statement reads that waited for a lock is older than the lock.
 *
 * It changes the row instead of asking for a lock: then a database that keeps transactions apart more strictly than
 * READ COMMITTED notices, too, that another one was there since this one began, and makes it restart.
 */
export async function lockCustomer(db: Db, email: string): Promise<void> {
  await db
    .updateTable('customers')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('email_key', '=', emailKey(email))
    .execute()
}
