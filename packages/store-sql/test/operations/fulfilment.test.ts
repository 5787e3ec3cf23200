import { openSqlStore } from '@storeport/store-sql'
import pg from 'pg'
import { expect, it } from 'vitest'
import { click, contextOf, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases, describePostgres } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'
const email = 'subscription@example.com'
const visitor = { email: 'test@example.com' }

await describeDatabases('fulfillment', (database) => {
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

  it('returns the latest activity, newest first, up to the limit', async () => {
    const store = await database.open({ today })
    expect(await store.latestActivity()).toEqual({ orders: [], discount_uses: [], actions_run: [] })
    const add = (code: string) => ({ ...visitor, ...oneOf('test_12345'), discount_code: code })
    await send(store, click('addProduct', add('TEST10')))
    await send(store, click('addProduct', { email, ...oneOf('test_54321'), discount_code: 'TEST20' }))
    await send(store, click('addProduct', add('FIVEOFF')))
    await send(store, click('sendNow', { email: 'another@example.com' }))
    for (const action_id of ['change_to_quarterly', 'claim_discount_10off'])
      await store.runCustomAction({ ...visitor, action_id }, contextOf())

    const { orders, discount_uses, actions_run } = await store.latestActivity()
    expect(orders.map((order) => order.email)).toEqual(['another@example.com', visitor.email, visitor.email])
    expect(orders[0]).toMatchObject({ kind: 'subscription', lines: [{ title: 'Hand Grinder', quantity: 3 }] })
    expect(orders.map((order) => order.discount_minor)).toEqual([0, 500, 200])
    expect(discount_uses.map((use) => [use.email, use.code, use.amount_minor])).toEqual([
      [email, 'TEST20', 999],
      [visitor.email, 'FIVEOFF', 500],
      [visitor.email, 'TEST10', 200],
    ])
    expect(discount_uses.map(({ order_id }) => order_id)).toEqual([null, orders[1]?.id, orders[2]?.id])
    expect(actions_run).toEqual([
      { email: visitor.email, action_id: 'claim_discount_10off', run_on: today },
      { email: visitor.email, action_id: 'change_to_quarterly', run_on: today },
    ])
    const least = await store.latestActivity(1)
    expect(least).toEqual({
      orders: orders.slice(0, 1),
      discount_uses: discount_uses.slice(0, 1),
      actions_run: actions_run.slice(0, 1),
    })
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

  it("allows custom SQL statements to change an order's status", async () => {
    const store = await database.open({ today })
    await send(store, click('addProduct', { ...visitor, ...oneOf('test_12345') }))
    await store.database.transaction((db) =>
      db.updateTable('orders').set({ status: 'processing' }).where('status', '=', 'open').execute(),
    )
    expect(await send(store, click('undoAddProduct', { ...visitor, product_id: 'test_12345' }))).toBe(
      'product_not_in_order',
    )
  })
})

await describePostgres("a merchant's change to subscription items", (database, server) => {
  it('is preserved if a customer clicks at the same time', async () => {
    const url = await database.create()
    const store = await openSqlStore({ url, today, seed: 'if-empty' })
    const [current] = (await store.account(email))?.subscriptions ?? []
    const merchant = new pg.Client({ connectionString: url })
    await merchant.connect()
    await merchant.query('begin')
    await merchant.query(`update subscriptions set items = jsonb_set(items, '{0,quantity}', '7') where id = $1`, [
      current?.id,
    ])
    const added = send(store, click('addProduct', { email, ...oneOf('test_54321') }))
    await expect
      .poll(() =>
        server.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          url,
        ),
      )
      .not.toEqual([])
    await merchant.query('commit')
    await merchant.end()
    expect(await added).toBe('done')
    const [after] = (await store.account(email))?.subscriptions ?? []
    expect(after?.items.map(({ quantity }) => quantity)).toEqual([
      7,
      ...(current?.items.slice(1).map(({ quantity }) => quantity) ?? []),
      1,
    ])
    await store.close()
  })
})
