import { seedCustomers } from '@storeport/store-sql'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contextOf } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'

await describeDatabases('seedCustomers', (database) => {
  it('creates the same sample customers in every run', { timeout: 60_000 }, async () => {
    const seen = await Promise.all(
      [1, 2].map(async () => {
        const store = await database.open({ today })
        const progress: number[] = []
        await seedCustomers(store, { count: 5000, today, onProgress: (done) => void progress.push(done) })
        expect(progress).toEqual([0, 2000, 4000, 5000])
        const emails = Array.from({ length: 200 }, (_, index) => `customer000${1000 + index}@example.com`)
        const subscriptions = await Promise.all(
          emails.map((email) => store.getSubscription({ email }, contextOf()).catch(() => null)),
        )
        expect(subscriptions.filter((found) => found !== null).length).toBeGreaterThan(100)
        expect(subscriptions.filter((found) => found === null).length).toBeGreaterThan(20)
        const cancelled = await Promise.all(
          emails.map((email) => store.listCancelledSubscriptions({ email }, contextOf())),
        )
        expect(cancelled.filter((list) => list.subscriptions.length > 0).length).toBeGreaterThan(20)
        const products = await Promise.all(emails.map((email) => store.listProducts({ email }, contextOf())))
        return { subscriptions, cancelled, products }
      }),
    )
    expect(seen[0]).toEqual(seen[1])
  })

  it('continues an interrupted run', { timeout: 60_000 }, async () => {
    const store = await database.open({ today })
    const controller = new AbortController()
    const reason = new Error('aborted')
    const ended = seedCustomers(store, {
      count: 10_000,
      today,
      onProgress: (done) => done >= 4000 && controller.abort(reason),
      signal: controller.signal,
    })
    await expect(ended).rejects.toBe(reason)
    const progress: number[] = []
    await seedCustomers(store, { count: 5000, today, onProgress: (done) => void progress.push(done) })
    await seedCustomers(store, { count: 3000, today })
    expect(progress).toEqual([4000, 5000])
    const { rows } = await store.database.read((db) => sql`select count(*) as count from customers`.execute(db))
    expect(rows).toEqual([{ count: 5004 }])
  })

  it('rejects an invalid count, an invalid date, and a shop without products', async () => {
    const store = await database.open({ today, data: { customers: [] } })
    await expect(seedCustomers(store, { count: -1, today })).rejects.toThrow(RangeError)
    await expect(seedCustomers(store, { count: 10_000_000, today })).rejects.toThrow(RangeError)
    await expect(seedCustomers(store, { count: 1, today: 'today' })).rejects.toThrow(RangeError)
    await expect(seedCustomers(store, { count: 1, today })).rejects.toThrow('The shop has no products')
  })
})
