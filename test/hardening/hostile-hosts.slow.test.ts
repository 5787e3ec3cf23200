import { Agent } from 'node:http'
import { join } from 'node:path'
import { seed as seedShop } from '@storeport/rules'
import { openSqlStore } from '@storeport/store-sql'
import { readResourceUsage, resourceUsageArgs } from '@storeport/testing/resource-usage'
import { describeDatabases, type TestDatabase } from '@storeport/testing/stores/describe-databases'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import * as hostile from './hostile-values.ts'
import { isNightly } from './is-nightly.ts'
import { key, sendRequest } from './send-request.ts'

/*
 * Sends hostile requests, mixed with customers' clicks, to two hosts on one database. No response may have a status of
 * 500 or above, every click must be applied once, and memory must not grow.
 */

const requests = isNightly ? 100_000 : 3000
/** Number of requests in a group. The last request in each group is a click. */
const requestsPerClick = 25
const maxConcurrent = 40
/** Number of customers, who click in rotation. Each customer clicks about 20 times, and each click creates an order. */
const customers = Math.ceil(requests / requestsPerClick / 20)
const today = '2026-03-10'
const timeout = isNightly ? 3_600_000 : 120_000
const seed = Number(process.env['STOREPORT_SEED'] ?? Date.now() % 1_000_000)

const anyRequest = fc.oneof(hostile.anyChange, hostile.anyRead, hostile.anyBody, hostile.anyHead)

await describeDatabases('hostile requests to two hosts on one database', (database) => {
  it(
    `handles ${requests.toLocaleString('en')} requests without errors, lost clicks or a memory leak; seed ${seed}`,
    { timeout },
    async () => {
      const { store, startHost } = await openShop(database)
      const first = await startHost()
      const hosts = [first, await startHost()]
      const agent = new Agent({ keepAlive: true, maxSockets: maxConcurrent })
      onTestFinished(() => agent.destroy())
      const statuses = new Map<number, number>()
      const failures: string[] = []
      let clicks = 0

      async function send(at: number, request: hostile.HostileRequest): Promise<number> {
        const { status } = await sendRequest(agent, new URL((hosts[at % hosts.length] ?? first).url), request)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status >= 500) failures.push(`${status} for ${JSON.stringify(request)}`)
        return status
      }

      /** Sends a named click concurrently to both hosts. The click must be applied once. */
      async function click(): Promise<void> {
        const headers = { 'idempotency-key': crypto.randomUUID() }
        const body = JSON.stringify({ email: emailOf(clicks++ % customers), product_id: 'test_12345' })
        const call = { path: '/integration/upsells/add-product', headers, body }
        const both = await Promise.all([send(0, call), send(1, call)])
        if (!both.includes(200)) failures.push(`statuses of a click: ${both.join()}`)
      }

      let sent = 0
      async function sendUntil(end: number): Promise<void> {
        const lane = async () => {
          while (sent < end) {
            for (const hostileRequest of fc.sample(anyRequest, { numRuns: requestsPerClick - 1, seed: seed + sent })) {
              sent += 1
              await send(sent, hostileRequest)
            }
            sent += 1
            await click()
          }
        }
        await Promise.all(Array.from({ length: maxConcurrent }, lane))
      }

      await sendUntil(requests / 2)
      const middle = await Promise.all(hosts.map(({ child }) => readResourceUsage(child)))
      await sendUntil(requests)
      const end = await Promise.all(hosts.map(({ child }) => readResourceUsage(child)))

      const growth = end.map(({ bytes }, index) => bytes / (middle[index]?.bytes ?? 0))
      const share = growth.map((ratio) => ratio.toFixed(3)).join(' and ')
      console.log(`${database.name}, seed ${seed}: ${sent} requests, ${clicks} clicks, memory ${share};`, statuses)
      expect(failures).toEqual([])
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405]))
      let orders = 0
      for (let index = 0; index < customers; index += 1)
        orders += (await store.orders(emailOf(index), { limit: 1000 })).length
      expect(orders).toBe(clicks)
      for (const ratio of growth) expect(ratio).toBeLessThan(isNightly ? 1.05 : 1.25)
    },
  )
})

function emailOf(index: number): string {
  return `customer-${index}@shop.example`
}

/** Opens a database with the customers who click and the seed customers, whose data the hostile values contain. */
async function openShop(database: TestDatabase) {
  const data = await dataFolder()
  const url = database.name === 'SQLite' ? `sqlite:${join(data, 'store.db')}` : await database.create()
  const clicking = Array.from({ length: customers }, (_, index) => ({ email: emailOf(index) }))
  const shop = seedShop(today)
  const all = { ...shop, customers: [...shop.customers, ...clicking] }
  const store = await openSqlStore({ url, data: all, today, seed: 'if-empty' })
  onTestFinished(() => store.close())
  const startHost = async () => {
    const env = {
      STOREPORT_DATA: data,
      STOREPORT_STORE: database.name === 'SQLite' ? 'sqlite' : url,
      STOREPORT_API_KEYS: key,
      STOREPORT_TODAY: today,
      STOREPORT_LOG: 'silent',
    }
    const host = await startHostProcess(env, [], resourceUsageArgs)
    onTestFinished(() => void host.child.kill('SIGKILL'))
    return host
  }
  return { store, startHost }
}
