import { openSqlStore } from '@storeport/store-sql'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases, describePostgres } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'
const email = 'subscription@example.com'
const visitor = { email: 'test@example.com' }

await describeDatabases('fulfillment', (database, server) => {
  it('returns orders with their lines in pages, oldest first', async () => {
    const store = await database.open({ today })
    for (let quantity = 1; quantity <= 5; quantity++) {
      await send(store, click('addProduct', { ...visitor, product_id: 'test_12345', quantity, one_time: false }))
    }
    await send(store, click('sendNow', { email }))
    const quantities = (orders: Awaited<ReturnType<typeof store.orders>>) =>
      orders.map(({ lines }) => lines[0]?.quantity)
    expect(quantities(await store.orders(visitor.email))).toEqual([1, 2, 3, 4, 5])
    const first = await store.orders(visitor.email, { limit: 2 })
    expect(quantities(first)).toEqual([1, 2])
    expect(quantities(await store.orders(visitor.email, { limit: 2, after: first[1]?.number }))).toEqual([3, 4])
    expect(await store.orders(undefined, { status: 'open' })).toHaveLength(5)
    expect(await store.orders(undefined, { status: 'processing' })).toMatchObject([
      {
        ...{ email, kind: 'subscription', subscription_id: 'sub_1001', placed_on: today },
        ...{ items_minor: 6985, discount_minor: 500, shipping_minor: 599, tax_minor: 519, total_minor: 7603 },
        lines: [
          { product_id: 'test_12345', title: 'House Espresso, 500 g', quantity: 2, price_minor: 1995, one_time: false },
          {
            product_id: 'test_67890',
            title: 'Single Origin Ethiopia, 500 g',
            quantity: 1,
            price_minor: 2995,
            one_time: false,
          },
        ],
      },
    ])
    expect(await store.orders(email, { status: 'shipped' })).toEqual([])
  })

  it('never returns an order to an earlier status', async () => {
    const store = await database.open({ today })
    const placed = async () => {
      await send(store, click('addProduct', { ...visitor, ...oneOf('test_12345') }))
      return (await store.orders(visitor.email)).at(-1)?.id ?? ''
    }
    const id = await placed()
    expect(await store.markOrder(id, 'processing')).toBe(true)
    expect(await store.markOrder(id, 'processing')).toBe(true)
    const undo = () => send(store, click('undoAddProduct', { ...visitor, product_id: 'test_12345' }))
    expect(await undo()).toBe('product_not_in_order')
    expect((await store.account(visitor.email))?.adds).toEqual([])
    expect(await store.markOrder(id, 'shipped')).toBe(true)
    expect(await store.markOrder(id, 'processing')).toBe(false)
    expect(await store.markOrder(id, 'cancelled')).toBe(false)
    expect((await store.orders(visitor.email)).map(({ status }) => status)).toEqual(['shipped'])

    const taken = await placed()
    expect(await undo()).toBe('done')
    expect(await store.markOrder(taken, 'processing')).toBe(false)
    expect(await store.markOrder(taken, 'cancelled')).toBe(true)
    expect(await store.markOrder('nothing', 'shipped')).toBe(false)
  })

  it('either cancels an order or starts its fulfillment, never both', { timeout: 120_000 }, async () => {
    const url = await database.create()
    const store = await openSqlStore({ url, today, seed: 'if-empty' })
    for (let round = 0; round < 30; round++) {
      await send(store, click('addProduct', { ...visitor, ...oneOf('test_12345') }))
      const order = (await store.orders(visitor.email)).at(-1)
      const undo = () => send(store, click('undoAddProduct', { ...visitor, product_id: 'test_12345' }))
      const mark = () => store.markOrder(order?.id ?? '', 'processing')
      const [first, second] = await Promise.all(round % 2 === 0 ? [undo(), mark()] : [mark(), undo()])
      const [outcome, marked] = typeof first === 'string' ? [first, second] : [second, first]
      const after = (await store.orders(visitor.email)).at(-1)
      expect([outcome, marked, after?.status]).toEqual(
        marked === true ? ['product_not_in_order', true, 'processing'] : ['done', false, 'cancelled'],
      )
    }
    // Closes the store first, because PostgreSQL may update the statistics only when a connection closes.
    await store.close()
    const deadlocks = 'select deadlocks::int from pg_stat_database where datname = current_database()'
    if (server !== undefined) expect(await server.query(deadlocks, url)).toEqual([{ deadlocks: 0 }])
  })
})

await describePostgres("a merchant's change to subscription items", (database, server) => {
  it('is preserved if a customer clicks at the same time', async () => {
    const url = await database.create()
    const store = await database.open({ url, today })
    const [current] = (await store.account(email))?.subscriptions ?? []
    const id = current?.id ?? ''
    let added: Promise<string> | undefined
    await store.database.transaction(async (db) => {
      const items = sql<string>`jsonb_set(items, '{0,quantity}', '7')`
      await db.updateTable('subscriptions').set({ items }).where('id', '=', id).execute()
      added = send(store, click('addProduct', { email, ...oneOf('test_54321') }))
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      await expect.poll(() => server.query(waiting, url)).not.toEqual([])
    })
    expect(await added).toBe('done')
    const [after] = (await store.account(email))?.subscriptions ?? []
    expect(after?.items.map(({ quantity }) => quantity)).toEqual([
      7,
      ...(current?.items.slice(1).map(({ quantity }) => quantity) ?? []),
      1,
    ])
  })
})
