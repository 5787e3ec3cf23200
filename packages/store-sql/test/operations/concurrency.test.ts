import { openSqlStore } from '@storeport/store-sql'
import pg from 'pg'
import { expect, it } from 'vitest'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'
const visitor = 'test@example.com'
const timeout = 120_000

/** Returns the number of deadlocks in a PostgreSQL database. */
async function deadlocksIn(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return Number(rows[0]?.deadlocks)
}

await describeDatabases('a store with concurrent clicks', (database) => {
  it('either cancels an order or starts its fulfillment, never both', { timeout }, async () => {
    const url = await database.create()
    const store = await openSqlStore({ url, today, seed: 'if-empty' })
    const winners = new Set<string>()
    for (let round = 0; round < 30; round++) {
      await send(store, click('addProduct', { email: visitor, ...oneOf('test_12345') }))
      const order = (await store.orders(visitor)).at(-1)
      const undo = () => send(store, click('undoAddProduct', { email: visitor, product_id: 'test_12345' }))
      const mark = () => store.markOrder(order?.id ?? '', 'processing')
      const [first, second] = await Promise.all(round % 2 === 0 ? [undo(), mark()] : [mark(), undo()])
      const [outcome, marked] = typeof first === 'string' ? [first, second] : [second, first]
      const after = (await store.orders(visitor)).at(-1)
      expect([outcome, marked, after?.status]).toEqual(
        marked === true ? ['product_not_in_order', true, 'processing'] : ['done', false, 'cancelled'],
      )
      winners.add(String(outcome))
    }
    expect(winners.size).toBeGreaterThan(0)
    // Closes the store first, because PostgreSQL may update the statistics only when a connection closes.
    await store.close()
    if (database.name === 'PostgreSQL') expect(await deadlocksIn(url)).toBe(0)
  })
})
