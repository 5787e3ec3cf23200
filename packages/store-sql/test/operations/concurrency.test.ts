import { seed } from '@storeport/rules'
import { openSqlStore } from '@storeport/store-sql'
import pg from 'pg'
import { expect, it } from 'vitest'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'
/** Options with a long timeout, because a change may wait for a hundred other changes. */
const longTimeout = { today, statementTimeoutMs: 60_000 }
const email = 'subscription@example.com'
const visitor = 'test@example.com'
const timeout = 120_000

const count = (list: readonly unknown[], value: unknown) => list.filter((each) => each === value).length

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
  it('adds a product to one subscription 100 times and undoes all additions', { timeout }, async () => {
    const store = await database.open(longTimeout)
    const before = await store.account(email)
    const added = await Promise.all(
      Array.from({ length: 100 }, () => send(store, click('addProduct', { email, ...oneOf('test_54321') }))),
    )
    expect(count(added, 'done')).toBe(100)
    const account = await store.account(email)
    const items = account?.subscriptions.flatMap((subscription) => subscription.items) ?? []
    expect(items.find(({ product_id, id }) => product_id === 'test_54321' && id !== 'item_3')?.quantity).toBe(100)
    expect(account?.adds).toHaveLength(100)

    const undone = await Promise.all(
      Array.from({ length: 101 }, () => send(store, click('undoAddProduct', { email, product_id: 'test_54321' }))),
    )
    expect([count(undone, 'done'), count(undone, 'product_not_in_order')]).toEqual([100, 1])
    expect(await store.account(email)).toEqual(before)
  })

  it(
    'creates one order for 20 concurrent sendNow calls, both for 20 clicks and for one repeated click',
    { timeout },
    async () => {
      const store = await database.open(longTimeout)
      const different = await Promise.all(Array.from({ length: 20 }, () => send(store, click('sendNow', { email }))))
      expect([count(different, 'done'), count(different, 'order_already_processing')]).toEqual([1, 19])
      const same = click('sendNow', { email: 'another@example.com' })
      const repeated = await Promise.all(Array.from({ length: 20 }, () => send(store, same)))
      expect(count(repeated, 'done')).toBe(20)
      expect(await store.orders(email)).toHaveLength(1)
      expect(await store.orders('another@example.com')).toHaveLength(1)
    },
  )

  it("never exceeds a discount code's maximum number of uses", { timeout }, async () => {
    const customers = Array.from({ length: 20 }, (_, index) => ({ email: `customer${index}@example.com` }))
    const discounts = [{ code: 'THREE', discount_type: 'percentage', discount_percentage: 10, max_uses: 3 } as const]
    const store = await database.open({ ...longTimeout, data: { ...seed(today), customers, discounts } })
    const clicks = customers.map((customer) =>
      click('addProduct', { ...customer, ...oneOf('test_12345'), discount_code: 'three' }),
    )
    const outcomes = await Promise.all(clicks.map((each) => send(store, each)))
    expect([count(outcomes, 'done'), count(outcomes, 'invalid_discount_code')]).toEqual([3, 17])
    const winner = customers[outcomes.indexOf('done')]?.email ?? ''
    expect(await send(store, click('undoAddProduct', { email: winner, product_id: 'test_12345' }))).toBe('done')
    const again = await Promise.all(clicks.map(({ call, input }) => send(store, click(call, input))))
    expect(count(again, 'done')).toBe(1)
  })

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
