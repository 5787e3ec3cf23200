import { expect, it } from 'vitest'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { isNightly } from '../hardening/is-nightly.ts'
import { clickRepeatedly, compare, type Tally } from './click-repeatedly.ts'
import { createRandom } from './create-random.ts'
import { injectFaults } from './inject-faults.ts'
import { openShop } from './open-shop.ts'
import { numbers, runConcurrently } from './run-concurrently.ts'
import { emailOf, shopOf } from './shop.ts'

/*
 * Runs two hosts on one database during random faults: lost or frozen connections, terminated, canceled or frozen
 * backends, and killed hosts. Every acknowledged click must be stored once, and no new click must count as a repeat.
 */

const customers = isNightly ? 1000 : 60
const clicksEach = isNightly ? 50 : 25
const maxConcurrent = 16
const timeout = isNightly ? 3_600_000 : 120_000
const seed = Number(process.env['STOREPORT_SEED'] ?? Date.now() % 1_000_000)

await describeDatabases('random faults', (database, server) => {
  it(`applies each of ${customers * clicksEach} clicks exactly once; seed ${seed}`, { timeout }, async () => {
    const shop = await openShop(database, shopOf(customers))
    // The window is long enough for late retries, and the timeouts end hanging requests quickly.
    const settings = { windowMs: 3_600_000, timeoutMs: 4000, statementTimeoutMs: 1000 }
    const random = createRandom(seed)
    const faults = await injectFaults({ shop, server, random, startHost: () => shop.startHost(settings) })
    const tally: Tally = { clicks: 0, requests: 0, retried: 0, lost: 0, doubled: 0, swallowed: 0, failures: [] }
    const ordersByEmail = new Map<string, readonly string[]>()
    const startedAt = performance.now()
    await runConcurrently(numbers(customers), maxConcurrent, async (number) => {
      const email = emailOf(number)
      const customer = { email, count: clicksEach, random: createRandom(seed + number) }
      ordersByEmail.set(email, await clickRepeatedly(shop, faults.hosts, customer, tally))
    }).finally(faults.stop)
    const tookMs = performance.now() - startedAt
    const injected = await faults.stop()
    // Detects late effects of frozen requests, which have ended by now.
    for (const [email, orders] of ordersByEmail)
      compare(await shop.ordersOf(email), orders, 0, tally, `${email}, at the end`)
    const { failures, ...counts } = tally
    console.log(`${database.name}, seed ${seed}, ${Math.round(tookMs / 1000)} s:`, { ...counts, ...injected })
    expect(failures).toEqual([])
    expect(tally.clicks).toBe(customers * clicksEach)
    expect(tally.retried).toBeGreaterThan(0)
  })
})
