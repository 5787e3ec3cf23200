import { seed } from '@storeport/rules'
import { openSqlStore } from '@storeport/store-sql'
import { expect, it } from 'vitest'
import { send } from '@storeport/testing/clicks'
import { clicksOf, customersOf } from '@storeport/testing/crash-shop'
import { describeStoppableDatabases } from '@storeport/testing/describe-databases'
import { startClicking } from '../start-clicking.ts'

const today = '2026-03-10'
/** Number of killed processes; higher in the nightly run. */
const rounds = process.env['STOREPORT_NIGHTLY'] === '1' ? 50 : 6
const timeout = 900_000

await describeStoppableDatabases('crash', (database, server) => {
  it(`stores each acknowledged change exactly once after ${rounds} processes are killed`, { timeout }, async () => {
    const url = await database.create()
    const shops = Array.from({ length: rounds }, (_, round) => customersOf(round))
    const data = { ...seed(today), customers: shops.flat() }
    await (await openSqlStore({ url, today, seed: 'if-empty', data })).close()
    let unacknowledged = 0

    for (const [round, customers] of shops.entries()) {
      const clicks = clicksOf(customers, 24)
      const acknowledged = new Set<string>()
      const outcomes = new Set<string>()
      const child = await startClicking(url, today, clicks, 4)
      const killAfter = 1 + ((round * 37) % (clicks.length - 5))
      await new Promise<void>((killed) => {
        child.go((key, outcome) => {
          acknowledged.add(key)
          outcomes.add(outcome)
          if (acknowledged.size === killAfter) {
            child.kill()
            killed()
          }
        })
      })
      await child.ended()
      expect([...outcomes]).toEqual(['done'])

      const store = await openSqlStore({ url, today })
      for (const { email } of customers) {
        const own = clicks.filter(({ input }) => input.email === email)
        const known = own.filter(({ key }) => acknowledged.has(key))
        const least = known.filter(({ call }) => call === 'addProduct').length
        expect(await unitsAdded(store, email)).toBeGreaterThanOrEqual(least)
        expect(await unitsAdded(store, email)).toBeLessThanOrEqual(24)
        const sends = known.filter(({ call }) => call === 'sendNow').length
        expect((await store.orders(email)).length).toBeGreaterThanOrEqual(sends)
      }
      // Repeats all clicks with the same keys. Each change must then exist exactly once.
      for (const one of clicks) {
        expect(await send(store, one)).toBe('done')
        if (!acknowledged.has(one.key)) unacknowledged += 1
      }
      for (const { email } of customers) {
        expect(await unitsAdded(store, email)).toBe(24)
        expect(await store.orders(email)).toHaveLength(1)
      }
      await store.close()
    }
    expect(unacknowledged).toBeGreaterThan(rounds)
  })

  if (server === undefined) return
  it('stores each acknowledged change exactly once after the database server crashes', { timeout }, async () => {
    const customers = customersOf(0)
    const store = await database.open({ today, data: { ...seed(today), customers } })
    const clicks = clicksOf(customers, 24)
    let acknowledged = 0
    let crashed: Promise<void> | undefined
    const outcomes = await Promise.all(
      clicks.map(async (one) => {
        const outcome = await send(store, one)
        acknowledged += 1
        if (acknowledged === 20) crashed = server.crash()
        return outcome
      }),
    )
    await crashed
    expect(new Set([...outcomes, 'done', 'store_unavailable', 'upstream_error']).size).toBe(3)
    const added = await Promise.all(customers.map(({ email }) => unitsAdded(store, email)))
    const least = clicks.filter(({ call }, index) => call === 'addProduct' && outcomes[index] === 'done').length
    const most = clicks.filter(
      ({ call }, index) => call === 'addProduct' && outcomes[index] !== 'store_unavailable',
    ).length
    const total = added.reduce((sum, units) => sum + units, 0)
    expect(total).toBeGreaterThanOrEqual(least)
    expect(total).toBeLessThanOrEqual(most)
    for (const one of clicks) expect(await send(store, one)).toBe('done')
    for (const { email } of customers) {
      expect(await unitsAdded(store, email)).toBe(24)
      expect(await store.orders(email)).toHaveLength(1)
    }
  })
})

/** Returns the number of added units. Added units remain in the subscription after `sendNow`. */
async function unitsAdded(store: Awaited<ReturnType<typeof openSqlStore>>, email: string): Promise<number> {
  const account = await store.account(email)
  const items = account?.subscriptions.flatMap((subscription) => subscription.items) ?? []
  return items.find(({ product_id }) => product_id === 'test_54321')?.quantity ?? 0
}
