import { createIntegration, StoreError } from '@storeport/core'
import { expect, it, vi } from 'vitest'
import { click, contextOf, oneOf, send as sendClick } from '@storeport/testing/clicks'
import { key, send } from '@storeport/testing/send'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'
const visitor = { email: 'test@example.com' }

await describeDatabases('runCustomAction', (database) => {
  const input = { ...visitor, action_id: 'join_waitlist' }

  it('runs the function from the options once per key and records the run', async () => {
    const run = vi.fn()
    const store = await database.open({ today, actions: { join_waitlist: run } })
    const context = contextOf('a key')
    await store.runCustomAction(input, context)
    await store.runCustomAction(input, context)
    expect(run).toHaveBeenCalledExactlyOnceWith(input, context)
    expect(await store.actionsRun()).toEqual([{ number: 1, ...input, run_on: today }])
  })

  it('rejects an unknown customer', async () => {
    const store = await database.open({ today })
    const nobody = 'nobody@example.com'
    for (const call of [store.runCustomAction({ ...input, email: nobody }, contextOf()), store.actionsRun(nobody)])
      await expect(call).rejects.toMatchObject({ code: 'customer_not_found' })
  })

  it('holds no locks while the function runs', async () => {
    let finish = () => {}
    const running = new Promise<void>((resolve) => {
      finish = resolve
    })
    const store = await database.open({ today, actions: { join_waitlist: () => running } })
    const slow = store.runCustomAction(input, contextOf())
    expect(await sendClick(store, click('addProduct', { ...visitor, ...oneOf('test_12345') }))).toBe('done')
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
    const integration = createIntegration({ store, apiKeys: [key], onError: () => {} })
    const act = async () => (await send(integration, '/integration/custom-action', { body: input })).status
    expect([await act(), await act()]).toEqual([502, 200])
    expect([await store.orders(), await store.actionsRun()]).toMatchObject([{ length: 2 }, { length: 1 }])
  })

  it('does not fail with store_unavailable if the run could not be recorded', async () => {
    const store = await database.open({ today, actions: { join_waitlist: () => store.close() } })
    await expect(store.runCustomAction(input, contextOf())).rejects.not.toMatchObject({ code: 'store_unavailable' })
  })
})
