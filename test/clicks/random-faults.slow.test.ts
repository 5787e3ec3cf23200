import { expect, it } from 'vitest'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { isNightly } from '../hardening/is-nightly.ts'
import { chooseOne, createRandom } from './create-random.ts'
import { type FollowedCustomer, followCustomer } from './follow-customer.ts'
import { injectFaults } from './inject-faults.ts'
import { openShop } from './open-shop.ts'
import { numbers, runConcurrently } from './run-concurrently.ts'
import { emailOf, shopOf } from './shop.ts'
import type { ClickHost } from './start-click-host.ts'

/*
 * Runs two hosts on one database during random faults: lost or frozen connections, terminated, canceled or frozen
 * backends, and killed hosts. Every acknowledged click must be stored once, and StorePort must not treat a new click as
 * a repeat.
 */

const customers = isNightly ? 1000 : 60
const clicksEach = isNightly ? 50 : 25
const maxConcurrent = 16
const timeout = isNightly ? 3_600_000 : 600_000
const seed = Number(process.env['STOREPORT_SEED'] ?? Date.now() % 1_000_000)

await describeDatabases('random faults', (database, server) => {
  it(`applies each of ${customers * clicksEach} clicks exactly once; seed ${seed}`, { timeout }, async () => {
    const shop = await openShop(database, shopOf(customers))
    // The window is long enough for late retries, and the timeouts end hanging requests quickly.
    const settings = { windowMs: 3_600_000, timeoutMs: 4000, statementTimeoutMs: 1000 }
    const random = createRandom(seed)
    const faults = await injectFaults({ shop, server, random, startHost: () => shop.startHost(settings) })
    const responses: Record<string, number> = {}
    const followed: FollowedCustomer[] = []
    await runConcurrently(numbers(customers), maxConcurrent, async (number) => {
      const choose = createRandom(seed + number)
      const host: Pick<ClickHost, 'send'> = {
        send: async (...click) => {
          const response = await chooseOne(choose, faults.hosts()).send(...click)
          responses[response.status] = (responses[response.status] ?? 0) + 1
          return response
        },
      }
      const customer = followCustomer(shop, emailOf(number))
      followed.push(customer)
      for (let click = 0; click < clicksEach; click++) {
        const call = choose() < 0.6 ? 'add' : 'undo'
        const key = choose() < 0.5 ? crypto.randomUUID() : undefined
        if (choose() < 0.1)
          await customer.check(...(await Promise.all([customer.send(host, call, key), customer.send(host, call, key)])))
        await customer.retry(host, call, key)
      }
    }).finally(faults.stop)
    const injected = await faults.stop()
    // Detects late effects of frozen requests, which have ended by now.
    for (const customer of followed) await customer.check()
    console.log(`${database.name}, seed ${seed}: responses by status`, responses, injected)
    expect(Object.keys(responses).filter((status) => Number(status) === 0 || Number(status) > 500)).not.toEqual([])
  })
})
