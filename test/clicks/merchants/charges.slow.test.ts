import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { seed } from '@storeport/rules'
import { openSqlStore } from '@storeport/store-sql'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished } from 'vitest'
import { numbers, runConcurrently } from '../run-concurrently.ts'
import { emailOf, key, today } from '../shop.ts'
import { isNightly } from '../../hardening/is-nightly.ts'
import { keepMerchantHost, startProvider } from './start-merchant.ts'

/*
 * Two processes with the SQL store kill themselves at random steps, and the payment provider loses responses and declines
 * cards. Each customer repeats send-now until it succeeds, and must have one order and one charge for this order.
 */

const rounds = isNightly ? 300 : 150

const databases = {
  SQLite: async () => `sqlite:${join(await dataFolder(), 'shop.db')}`,
  PostgreSQL: async () => {
    const server = await sharedPostgres()
    const url = await server.createDatabase()
    onTestFinished(() => server.dropDatabase(url))
    return url
  },
}

it.each(Object.entries(databases))(
  'charges each order of the SQL store once on %s',
  { timeout: 900_000 },
  async (name, createUrl) => {
    const url = await createUrl()
    const customers = [...numbers(rounds)].map((round) => ({
      email: emailOf(round),
      subscriptions: [
        {
          id: `sub_${round}`,
          next_billing_date: '2026-04-01',
          items: [{ id: `item_${round}`, product_id: 'test_12345' }],
        },
      ],
    }))
    const store = await openSqlStore({ url, today, seed: 'if-empty', data: { ...seed(today), customers } })
    onTestFinished(store.close)
    const provider = await startProvider({ declined: 0.05, lost: 0.1 })
    const kills = join(await dataFolder(), 'kills')
    writeFileSync(kills, '')
    const settings = { url, provider: provider.url, killRate: 1 / 200, kills }
    const hosts = [
      await keepMerchantHost(settings, 'sql-charging-host.ts'),
      await keepMerchantHost(settings, 'sql-charging-host.ts'),
    ]
    await runConcurrently(numbers(rounds), 10, async (round) => {
      const headers = { 'x-integration-api-key': key, 'content-type': 'application/json' }
      const deadline = performance.now() + 300_000
      for (let attempt = round; ; attempt++) {
        const target = `http://127.0.0.1:${hosts[attempt % 2]?.port}/integration/customer-portal/send-now`
        const body = JSON.stringify({ email: emailOf(round) })
        const response = await fetch(target, { method: 'POST', headers, body }).catch(() => undefined)
        await response?.text()
        if (response?.status === 200) return
        if (performance.now() > deadline) throw new Error(`A click does not succeed. Last status: ${response?.status}`)
        await after(100)
      }
    })
    const orders = (await store.orders(undefined, { limit: 1000 })).map(({ id, email, total_minor: total }) => ({
      id,
      email,
      total,
    }))
    const paid = provider.paid().map(({ id, email, total }) => ({ id, email, total }))
    const steps = readFileSync(kills, 'utf8').trim().split('\n')
    console.log(
      `${name}: ${orders.length} orders, ${paid.length} charges, ${steps.length} kills at ${new Set(steps).size} steps`,
    )
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
    expect(provider.conflicts).toEqual([])
    expect(orders.toSorted(byId)).toEqual(paid.toSorted(byId))
    expect(new Set(orders.map(({ email }) => email)).size).toBe(rounds)
    expect(orders).toHaveLength(rounds)
    expect(new Set(steps).size).toBeGreaterThan(3)
  },
)
