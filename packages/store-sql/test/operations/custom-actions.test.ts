import { createIntegration, StoreError } from '@storeport/core'
import { expect, it } from 'vitest'
import { click, contextOf, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'
const visitor = { email: 'test@example.com' }

await describeDatabases('runCustomAction', (database) => {
  const input = { ...visitor, action_id: 'join_waitlist' }

  it('holds no locks while the function runs', async () => {
    let finish = () => {}
    const running = new Promise<void>((resolve) => {
      finish = resolve
    })
    const store = await database.open({ today, actions: { join_waitlist: () => running } })
    const slow = store.runCustomAction(input, contextOf())
    expect(await send(store, click('addProduct', { ...visitor, ...oneOf('test_12345') }))).toBe('done')
    finish()
    await slow
    expect(await store.actionsRun()).toHaveLength(1)
  })

  it('makes every change of its function once, and records one run', async () => {
    const lost = [new StoreError('upstream_error')]
    const store = await database.open({
      today,
      actions: {
        join_waitlist: async (_, context) => {
          for (const product_id of ['test_12345', 'test_54321'])
            await store.addProduct({ ...visitor, ...oneOf(product_id) }, context)
          const error = lost.pop()
          if (error !== undefined) throw error
        },
      },
    })
    const { fetch } = createIntegration({ store, apiKeys: ['a-key-of-the-tests-0001'], onError: () => {} })
    const act = async () => {
      const headers = { 'x-integration-api-key': 'a-key-of-the-tests-0001', 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(input) }
      return (await fetch(new Request('https://shop.example/integration/custom-action', request))).status
    }
    expect([await act(), await act()]).toEqual([502, 200])
    expect([await store.orders(), await store.actionsRun()]).toMatchObject([{ length: 2 }, { length: 1 }])
  })

  it('does not fail with store_unavailable if the run could not be recorded', async () => {
    const store = await database.open({ today, actions: { join_waitlist: () => store.close() } })
    await expect(store.runCustomAction(input, contextOf())).rejects.not.toMatchObject({ code: 'store_unavailable' })
  })
})
