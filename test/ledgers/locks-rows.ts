import { deferred } from '@storeport/testing/deferred'
import { beans, ok } from '@storeport/testing/post-clicks'
import { describe, expect, it } from 'vitest'
import type { OwnTables } from '../clicks/own-tables.ts'
import { newContext, shopsIn } from './once-shop.ts'

/** Defines the tests of concurrent transactions. A SQLite file has one write transaction at a time, so none can wait. */
export function locksRows(name: string, openDatabase: () => Promise<OwnTables>): void {
  const setUp = shopsIn(openDatabase)

  describe(`${name}: locks of once`, () => {
    it('finds a click that was committed after the snapshot of the transaction, or rethrows the conflict', async () => {
      const { database, table, open, transact, order, orderOnce, clickRows, count } = await setUp()
      const isPostgres = database.dialect === 'postgres'
      const late = transact(
        async (over) => {
          await over(`select * from ${table}`, [])
          expect(await orderOnce(open(), newContext())).toBe('done')
          return open().once(over, newContext(), () => order(over))
        },
        isPostgres ? 'begin isolation level repeatable read' : 'begin',
      )
      const found = await late.catch((error: unknown) => Object(error).code)
      expect(found).toBe(isPostgres ? '40001' : 'replayed')
      expect([await count(), (await clickRows()).length]).toEqual([1, 1])
    })

    it('locks no other customer, with and without a stored row', async () => {
      const { shop } = await setUp()
      const emails = Array.from({ length: 16 }, (_, index) => `customer-${index}@b.example`)
      /** Keeps every lock until the transactions of all customers have their locks. */
      async function addConcurrently(product_id: string, customers: readonly string[]) {
        const all = deferred<void>()
        let inside = 0
        const post = shop(async () => {
          if (++inside === customers.length) all.resolve()
          await all.promise
        })
        return Promise.all(customers.map((email) => post({ ...beans, product_id, email })))
      }
      // The second round inserts rows between locked rows. The third round locks only stored rows.
      const rounds = [emails.filter((_, index) => index % 2 === 0), emails, emails]
      for (const [round, customers] of rounds.entries())
        expect(await addConcurrently(`product-${round}`, customers)).toEqual(customers.map(() => ok))
    })
  })
}
