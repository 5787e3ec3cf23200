import { click, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { expect, it } from 'vitest'
import { startProcess } from '../start-process.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'

await describeDatabases('a killed reset', (database) => {
  it('leaves the database unchanged', { timeout: 60_000 }, async () => {
    const url = await database.create()
    const store = await database.open({ url, today })
    await send(store, click('sendNow', { email }))
    const contents = async () => ({
      account: await store.account(email),
      activity: await store.latestActivity(),
    })
    const before = await contents()
    expect(before.activity.orders).toHaveLength(1)
    const reset = async (killAfter: number) => (await startProcess('reset', url, today, killAfter)).run()
    for (const killAfter of [3, 8, 12, 14]) {
      expect(await reset(killAfter), String(killAfter)).toBeUndefined()
      expect(await contents(), String(killAfter)).toEqual(before)
    }
    const whole = await reset(0)
    // Requires that even the last kill happened during the reset.
    expect(whole?.statements).toBeGreaterThanOrEqual(14)
    expect(await contents()).toMatchObject({ activity: { orders: [] } })
  })
})
