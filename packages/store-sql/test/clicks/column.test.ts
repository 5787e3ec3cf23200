import { type Click, createIntegration, type StorePort } from '@storeport/core'
import type { SqlStore, SqlStoreOptions } from '@storeport/store-sql'
import { contextOf, oneOf } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { expect, it, vi } from 'vitest'

const today = '2026-03-10'
const email = 'subscription@example.com'
const key = 'a-key-of-the-tests-0001'
const product = oneOf('test_54321')

/** Returns a function that sends a request. The status of a replay is `replayed`. */
function serve(store: StorePort, scope = 'shop') {
  const integration = createIntegration({ store, testStore: store, scope, apiKeys: [key], onError: () => {} })
  return async (path: string, body: object, headers: Record<string, string> = {}) => {
    const { status, headers: sent } = await integration.answer({
      ...{ method: 'POST', path: `/integration${path}`, query: '' },
      header: (name) => ({ 'x-integration-api-key': key, 'content-type': 'application/json', ...headers })[name],
      text: async () => JSON.stringify({ email, ...body }),
    })
    return sent['Idempotency-Replayed'] === 'true' ? 'replayed' : status
  }
}

await describeDatabases("the clicks in a customer's row", (database) => {
  const open = async (options = {}) => {
    const store = await database.open({ today, ...options })
    return { store, post: serve(store) }
  }
  /** Opens two stores in one database, like two processes. */
  async function openTwo(options: Partial<SqlStoreOptions> = {}) {
    const url = await database.create()
    const openOne = () => database.open({ url, today, ...options })
    return [await openOne(), await openOne()] as const
  }
  const addsIn = async (store: SqlStore) => (await store.account(email))?.adds.length
  const stored = ({ database: { read } }: SqlStore) =>
    read((db) => db.selectFrom('customers').select('clicks').where('clicks', 'is not', null).execute())

  it('are separate for each scope and mode, and for calls without an integration', async () => {
    const { store } = await open()
    const [one, other] = [serve(store), serve(store, 'other')]
    const add = '/upsells/add-product'
    const send = [
      () => one(add, product),
      () => one(add, product, { 'x-integration-test-mode': 'true' }),
      () => other(add, product),
    ]
    const direct = () => store.addProduct({ email, ...product }, contextOf('key'))
    for (const each of send) expect(await each()).toBe(200)
    await direct()
    for (const each of send) expect(await each()).toBe('replayed')
    await direct()
    expect(await addsIn(store)).toBe(4)
    const documents: object = JSON.parse((await stored(store))[0]?.clicks ?? '')
    expect(Object.keys(documents)).toEqual(['shop:live', 'shop:test', 'other:live', 'call'])
  })

  it('are not stored for a rejected change, an unknown customer or a change after its time limit', async () => {
    const { store, post } = await open()
    expect(await post('/upsells/undo-add-product', { product_id: 'test_54321' })).toBe(404)
    for (const path of ['/upsells/add-product', '/custom-action'])
      expect(await post(path, { email: 'nobody@example.com', ...product, action_id: 'x' })).toBe(404)
    const late: Click = {
      ...{ customer: `shop:live:${email}`, commitBy: 0, idempotencyKey: 'k', ledger: undefined },
      claim: () => ({ result: 'run' }),
      succeed: () => ({ result: undefined, document: { v: 2 } }),
    }
    const adding = store.addProduct({ email, ...product }, { ...contextOf(), click: late })
    await expect(adding).rejects.toMatchObject({ code: 'store_timeout', outcome: 'refused' })
    expect(await stored(store)).toEqual([])
    expect(await addsIn(store)).toBe(0)
    // The guard has not set a ledger, and stores an unknown outcome in the ledger of the transaction.
    await late.ledger?.update('shop:live:digest', () => ({ result: undefined, document: { v: 2 } }))
    expect(await stored(store)).toEqual([{ clicks: '{"shop:live":{"v":2}}' }])
  })

  it.each(['{', '[]', 'null', '{"shop:live":null}', '{"shop:live":{"v":1,"at":0,"clicks":[]}}'])(
    'stop every change with 503 if they are %s',
    async (clicks) => {
      const run = vi.fn()
      const { store, post } = await open({ actions: { x: run } })
      await store.database.transaction((db) => db.updateTable('customers').set({ clicks }).execute())
      expect(await post('/upsells/add-product', product)).toBe(503)
      expect(await post('/custom-action', { action_id: 'x' })).toBe(503)
      expect([await addsIn(store), run.mock.calls]).toEqual([0, []])
      expect(new Set((await stored(store)).map((row) => row.clicks))).toEqual(new Set([clicks]))
    },
  )

  it('run a custom action once for concurrent requests to two processes, among other changes', async () => {
    const run = vi.fn()
    const stores = await openTwo({ actions: { x: run, y: run } })
    const posts = stores.map((store) => serve(store))
    const act = (action_id: string) => posts.map((post) => () => post('/custom-action', { action_id }))
    const add = () => posts[0]?.('/upsells/add-product', product)
    for (const [index, wave] of [act('x'), act('y'), act('x')].entries()) {
      const ends = await Promise.all([...wave, ...wave, ...wave].map((each) => each()))
      expect(ends.toSorted()).toEqual([200, ...Array.from({ length: 5 }, () => 'replayed')])
      expect(run).toHaveBeenCalledTimes(index + 1)
      // A change of a marked method ends the window of the action, and the other way round.
      expect(await add()).toBe(200)
    }
    expect(await stores[0].actionsRun()).toHaveLength(3)
    expect(await addsIn(stores[1])).toBe(3)
  })

  it('make a double click on sendNow one order and one charge in two processes', async () => {
    let pay = () => {}
    const paid = new Promise<void>((resolve) => (pay = resolve))
    const charge = vi.fn(() => paid)
    const [one, other] = await openTwo({ charge })
    const first = serve(one)('/customer-portal/send-now', {})
    await vi.waitFor(() => expect(charge).toHaveBeenCalled(), 10_000)
    const second = serve(other)('/customer-portal/send-now', {})
    const polled = vi.spyOn(other.ledger, 'update')
    await vi.waitFor(() => expect(polled.mock.calls.length).toBeGreaterThan(1), 10_000)
    pay()
    expect([await first, await second]).toEqual([200, 'replayed'])
    expect(charge).toHaveBeenCalledOnce()
    expect(await one.orders()).toHaveLength(1)
  })

  it('keep a click that a transaction stores during an update of the ledger', async () => {
    const [one, other] = await openTwo()
    const seen: unknown[] = []
    let updating: unknown
    await one.database.transaction(
      async (db) => {
        updating = other.ledger.update(`shop:live:${email}`, (document) => {
          seen.push(document)
          return { result: undefined, document: { v: 2 } }
        })
        // On PostgreSQL, the update reads before the commit, and writes after it.
        if (one.database.dialect === 'postgres') await vi.waitFor(() => expect(seen).toEqual([undefined]), 10_000)
        const clicks = '{"shop:test":{"v":2}}'
        await db.updateTable('customers').set({ clicks }).where('email', '=', email).execute()
      },
      { customer: email },
    )
    await updating
    expect(await stored(one)).toEqual([{ clicks: '{"shop:test":{"v":2},"shop:live":{"v":2}}' }])
  })
})
