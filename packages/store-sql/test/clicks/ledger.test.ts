import { createIntegration, type StorePort } from '@storeport/core'
import { openSqlStore } from '@storeport/store-sql'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { expect, it, vi } from 'vitest'
import { clickRows } from './pending.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
const key = 'a-key-of-the-tests-0001'

await describeDatabases('the ledger of a store', (database) => {
  /** Opens two stores in one database. Both stores run the given function for custom actions. */
  async function openTwo(runCustomAction: NonNullable<StorePort['runCustomAction']>) {
    const url = await database.create()
    const stores = [await openSqlStore({ url, today, seed: 'if-empty' }), await openSqlStore({ url, today })]
    const [first, second] = stores.map((store) => {
      const integration = createIntegration({ store: { ...store, runCustomAction }, apiKeys: [key], onError: () => {} })
      return async (path: string, body: object) => {
        const answer = await integration.answer({
          ...{ method: 'POST', path: `/integration${path}`, query: '' },
          header: (name) => ({ 'x-integration-api-key': key, 'content-type': 'application/json' })[name],
          text: async () => JSON.stringify({ email, ...body }),
        })
        return answer.status
      }
    })
    if (first === undefined || second === undefined) throw new Error('Expected two stores.')
    const close = () => Promise.all(stores.map((store) => store.close()))
    return { first, second, stores, close }
  }

  it('runs a click once for 40 concurrent requests to two processes', async () => {
    let runs = 0
    const { first, second, close } = await openTwo(async () => void (runs += 1))
    for (let round = 0; round < 5; round++) {
      const action_id = `action-${round}`
      const statuses = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const send = index % 2 === 0 ? first : second
          let status = 503
          // On a busy machine, the ledger can be too slow for a request, which the caller then repeats.
          while (status === 503) status = await send('/custom-action', { action_id })
          return status
        }),
      )
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(runs).toBe(round + 1)
    }
    await close()
  })

  it("shares its documents with the store's methods (decision 30)", async () => {
    let runs = 0
    const { first, second, close, stores } = await openTwo(async () => void (runs += 1))
    const act = () => second('/custom-action', { action_id: 'x' })
    const add = () => first('/upsells/add-product', { product_id: 'test_54321' })
    for (const click of [add, act, add, act]) expect(await click()).toBe(200)
    expect(runs).toBe(2)
    expect((await stores[0]?.account(email))?.adds).toHaveLength(2)
    await close()
  })

  it("deletes documents an hour after their expiry, but never deletes the ledger's creation time", async () => {
    const store = await database.open({ today })
    const rows = Array.from({ length: 20 }, (_, index) => ({
      ...{ id: `x:${index}`, version: 'v', document: '{"v":1}' },
      expires_at: Date.now() + (index < 10 ? -3_700_000 : 60_000),
    }))
    await store.database.transaction((db) => db.insertInto('clicks').values(rows).execute())
    const hour = vi.spyOn(performance, 'now')
    hour.mockReturnValue(performance.now() + 60_000)
    store.ledger.sweep()
    await vi.waitFor(async () => expect(await clickRows(store)).toHaveLength(10), { timeout: 10_000 })
    hour.mockRestore()
    const ages = await store.database.read((db) =>
      db
        .selectFrom('clicks')
        .select('id')
        .where('expires_at', '>', Date.now() + 3_600_000)
        .execute(),
    )
    expect(ages).toHaveLength(1)
  })
})
