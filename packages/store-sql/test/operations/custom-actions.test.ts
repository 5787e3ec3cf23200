import { StoreError } from '@storeport/core'
import { expect, it, vi } from 'vitest'
import { click, contextOf, oneOf, send } from '@storeport/testing/clicks'
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

  it('stores neither the run nor the key of a rejected action', async () => {
    const run = vi.fn().mockRejectedValueOnce(new StoreError('action_not_allowed'))
    const store = await database.open({ today, actions: { join_waitlist: run } })
    await expect(store.runCustomAction(input, contextOf('a key'))).rejects.toMatchObject({
      code: 'action_not_allowed',
    })
    expect(await store.actionsRun()).toEqual([])
    await store.runCustomAction(input, contextOf('a key'))
    expect(await store.actionsRun(visitor.email)).toHaveLength(1)
  })

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

  it('does not fail with store_unavailable if the run could not be recorded', async () => {
    const store = await database.open({ today, actions: { join_waitlist: () => store.close() } })
    await expect(store.runCustomAction(input, contextOf())).rejects.not.toMatchObject({ code: 'store_unavailable' })
  })
})
