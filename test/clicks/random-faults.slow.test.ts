import { expect, it } from 'vitest'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { isNightly } from '../hardening/is-nightly.ts'
import { clickOn, compare, type Tally } from './click-on.ts'
import { createRandom } from './create-random.ts'
import { injectFaults } from './inject-faults.ts'
import { openShop } from './open-shop.ts'
import { numbers, runSideBySide } from './run-side-by-side.ts'
import { emailOf, shopOf } from './shop.ts'

/*
 * Two hosts on one database, while connections are lost and frozen, backends terminated, cancelled and frozen, and hosts
 * killed: every click that was acknowledged is there once, and no click that is not a repeat is taken for one.
 */

const customers = isNightly ? 1000 : 60
const clicksEach = isNightly ? 50 : 25
/** Customers who click side by side. */
const atOnce = 16
const timeout = isNightly ? 3_600_000 : 120_000
const seed = Number(process.env['STOREPORT_SEED'] ?? Date.now() % 1_000_000)

await describeDatabases('clicks under random faults', (database, server) => {
  it(`none of ${customers * clicksEach} is lost, doubled or swallowed; seed ${seed}`, { timeout }, async () => {
    const shop = await openShop(database, shopOf(customers))
    // A retry counts as one however late it comes, and what hangs is given up soon.
    const settings = { windowMs: 3_600_000, timeoutMs: 4000, statementTimeoutMs: 1000 }
    const random = createRandom(seed)
    const faults = await injectFaults({ shop, server, random, startHost: () => shop.startHost(settings) })
    const tally: Tally = { clicks: 0, calls: 0, retried: 0, lost: 0, doubled: 0, swallowed: 0, faults: [] }
    const seen = new Map<string, readonly string[]>()
    const startedAt = performance.now()
    await runSideBySide(numbers(customers), atOnce, async (number) => {
      const email = emailOf(number)
      const customer = { email, count: clicksEach, random: createRandom(seed + number) }
      seen.set(email, await clickOn(shop, faults.hosts, customer, tally))
    }).finally(faults.stop)
    const tookMs = performance.now() - startedAt
    const injected = await faults.stop()
    // What was frozen has come through by now: none of it may count.
    for (const [email, orders] of seen) compare(await shop.ordersOf(email), orders, 0, tally, `${email}, at the end`)
    const { faults: wrong, ...counts } = tally
    console.log(`${database.name}, seed ${seed}, ${Math.round(tookMs / 1000)} s:`, { ...counts, ...injected })
    expect(wrong).toEqual([])
    expect(tally.clicks).toBe(customers * clicksEach)
    expect(tally.retried).toBeGreaterThan(0)
  })
})
