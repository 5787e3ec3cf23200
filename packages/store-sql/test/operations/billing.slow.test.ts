import { addMonths, type CustomerData, seed } from '@storeport/rules'
import type { SqlStore } from '@storeport/store-sql'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { listening } from '@storeport/testing/listen'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chargeAt, startProcess } from '../start-process.ts'

const start = '2026-01-15'
const timeout = 600_000

/**
 * Returns customers with two subscriptions, billed every month and every two months. Both are due on the start date.
 */
function dueCustomers(count: number): readonly CustomerData[] {
  return Array.from({ length: count }, (_, index) => ({
    email: `due${index}@example.com`,
    subscriptions: [1, 2].map((months) => ({
      id: `sub_${index}_${months}`,
      next_billing_date: start,
      interval: { unit: 'month', count: months },
      items: [
        { id: `item_${index}_${months}`, product_id: 'test_12345' },
        { id: `once_${index}_${months}`, product_id: 'test_67890', one_time: true },
      ],
    })),
  }))
}

/** Returns the number of orders by subscription id. */
async function countOrders(store: SqlStore): Promise<ReadonlyMap<string | null, number>> {
  const counts = new Map<string | null, number>()
  for (let after = 0; ;) {
    const orders = await store.orders(undefined, { after, limit: 1000 })
    for (const { subscription_id } of orders) counts.set(subscription_id, (counts.get(subscription_id) ?? 0) + 1)
    const last = orders.at(-1)
    if (last === undefined) return counts
    after = last.number
  }
}

async function expectDatesAhead(store: SqlStore, customers: readonly CustomerData[], today: string): Promise<void> {
  for (const { email } of customers) {
    const account = await store.account(email)
    expect(account?.subscriptions).toHaveLength(2)
    for (const { next_billing_date } of account?.subscriptions ?? [])
      expect((next_billing_date ?? '') > today).toBe(true)
  }
}

/** Starts a payment provider that honours keys, and returns the keys of its payments. */
async function startProvider(isCharging: boolean) {
  const payments = new Set<string | undefined>()
  if (!isCharging) return { payments, provider: '', options: {} }
  const { url: provider, stop } = await listening((request, response) => {
    payments.add(request.url)
    response.end()
  })
  onTestFinished(() => stop?.())
  return { payments, provider, options: { charge: chargeAt(provider) } }
}

await describeDatabases('a billing process', (database) =>
  describe.each([
    ['without a payment provider', false],
    ['with a payment provider', true],
  ] as const)('%s', (_name, isCharging) => {
    it('creates one order per subscription while customers click concurrently', { timeout }, async () => {
      const url = await database.create()
      const customers = dueCustomers(200)
      const { payments, provider, options } = await startProvider(isCharging)
      const data = { ...seed(start), customers }
      const store = await database.open({ url, today: start, data, ...options })
      const processes = await Promise.all([1, 2].map(() => startProcess('bill', url, start, 0, provider)))
      // One in ten customers clicks concurrently. Send now creates the due order if it comes before the job.
      const visitors = customers.filter((_, index) => index % 10 === 0)
      const [results, outcomes] = await Promise.all([
        Promise.all(processes.map((each) => each.run())),
        Promise.all(
          visitors.map(async ({ email }) => [
            await send(store, click('addProduct', { email, ...oneOf('test_54321') })),
            await send(store, click('sendNow', { email })),
          ]),
        ),
      ])

      for (const [add, sent] of outcomes) {
        // A click is rejected while the charge of the job is pending.
        const pending = isCharging ? ['store_unavailable'] : []
        expect(['done', ...pending]).toContain(add)
        expect(['done', 'order_already_processing', ...pending]).toContain(sent)
      }
      const counts = await countOrders(store)
      expect(counts.size).toBe(400)
      expect(new Set(counts.values())).toEqual(new Set([1]))
      await expectDatesAhead(store, customers, start)
      const made = results.map((result) => result?.orders ?? 0)
      expect(Math.min(...made)).toBeGreaterThan(0)
      expect(made.reduce((sum, orders) => sum + orders, 0)).toBeGreaterThan(400 - visitors.length - 1)
      expect(await store.billDue()).toEqual({ billed: 0, more: false })
      expect(payments.size).toBe(isCharging ? 400 : 0)
    })

    it('creates each order at most once if the process is killed after any statement', { timeout }, async () => {
      const url = await database.create()
      const customers = dueCustomers(2)
      const clock = { today: start }
      const data = { ...seed(start), customers }
      const { payments, provider, options } = await startProvider(isCharging)
      const store = await database.open({ url, today: () => clock.today, data, ...options })
      const whole = await (await startProcess('bill', url, start, 0, provider)).run()
      expect(whole?.orders).toBe(4)

      // All subscriptions are due in each round. Each round kills its process one statement later.
      const statements = whole?.statements ?? 0
      // Billing sends at least a lock, a read and a write for each customer.
      expect(statements).toBeGreaterThan(2 * 3)
      let interrupted = 0
      let expected = 1
      // The first orders have removed the one-time items, so later rounds send one statement less for each customer.
      for (let killAfter = 1; killAfter <= statements - customers.length; killAfter++) {
        // The monthly subscription gets only one order in each round, although it has missed two billing dates.
        clock.today = addMonths(start, 2 * killAfter)
        const killed = await (await startProcess('bill', url, clock.today, killAfter, provider)).run()
        expect(killed).toBeUndefined()
        const left = await countOrders(store)
        for (const count of left.values()) expect([expected, expected + 1]).toContain(count)
        const missing = [...left.values()].filter((count) => count === expected).length
        if (missing > 0) interrupted += 1
        expect(await store.billDue()).toEqual({ billed: missing, more: false })
        expected += 1
        expect(new Set((await countOrders(store)).values())).toEqual(new Set([expected]))
        expect(payments.size).toBe(isCharging ? 4 * expected : 0)
        await expectDatesAhead(store, customers, clock.today)
      }
      expect(interrupted).toBeGreaterThan(statements / 2)
    })
  }),
)
