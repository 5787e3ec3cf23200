import { click, oneOf, send } from '@storeport/testing/clicks'
import { describePostgres } from '@storeport/testing/describe-databases'
import { openSqlStore } from '@storeport/store-sql'
import pg from 'pg'
import { expect, it } from 'vitest'

const email = 'test@example.com'
const today = '2026-03-10'

/** How often two transactions of a database waited for each other: PostgreSQL ends one of them after a second. */
async function deadlocksIn(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return Number(rows[0]?.deadlocks)
}

await describePostgres('the order of locks', (_database, server) => {
  it('is one for fulfilment and for customers: neither waits for the other to be ended', async () => {
    const url = await server.createDatabase()
    const store = await openSqlStore({ url, today, seed: 'if-empty' })
    for (let round = 0; round < 30; round++) {
      await send(store, click('addProduct', { email, ...oneOf('test_12345') }))
      const order = (await store.orders(email)).at(-1)
      const undo = () => send(store, click('undoAddProduct', { email, product_id: 'test_12345' }))
      const mark = () => store.markOrder(order?.id ?? '', 'processing')
      await Promise.all(round % 2 === 0 ? [undo(), mark()] : [mark(), undo()])
    }
    // A connection tells what it has counted when it ends, at the latest.
    await store.close()
    expect(await deadlocksIn(url)).toBe(0)
  })
})
