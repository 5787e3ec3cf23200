import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { isNightly } from '../hardening/is-nightly.ts'
import { type ClickShop, openShop } from './open-shop.ts'
import { numbers, runConcurrently } from './run-concurrently.ts'
import { emailOf, shopOf } from './shop.ts'
import { explainRace, initialState, type Possible, type RecordedRequest } from './serial-order.ts'
import type { ClickHost } from './start-click-host.ts'

const rounds = isNightly ? 300 : 60
/** Number of rounds, except for two hosts without a delay, which run more rounds because races are likely there. */
const fewerRounds = isNightly ? 300 : 12
const timeout = isNightly ? 900_000 : 60_000
const maxConcurrent = 4
/** Returns a window in milliseconds that expires during a test but is long enough for a click with this delay. */
const windowFor = (delayMs: number) => 200 + 40 * delayMs

await describeDatabases('double click', (database) => {
  const delays = database.name === 'PostgreSQL' ? [0, 2, 10] : [0]
  for (const hostCount of [1, 2]) {
    for (const delayMs of delays) {
      const count = hostCount === 2 && delayMs === 0 ? rounds : fewerRounds
      const where = `${hostCount} host${hostCount > 1 ? 's' : ''}, ${delayMs} ms to the database`

      it(`creates one order for a new product: ${count} rounds, ${where}`, { timeout }, async () => {
        const shop = await openShop(database, shopOf(count), delayMs)
        const hosts = await startHosts(shop, hostCount)
        let doubled = 0
        await runConcurrently(numbers(count), maxConcurrent, async (round) => {
          const { orders } = await clickTwice(shop, hosts, emailOf(round))
          if (orders !== 1) doubled += 1
        })
        console.log(`first double clicks, ${database.name}, ${where}: ${doubled} of ${count} doubled`)
        expect(doubled).toBe(0)
      })

      it(`creates one order for a repeated product: ${count} rounds, ${where}`, { timeout }, async ({ skip }) => {
        const shop = await openShop(database, shopOf(maxConcurrent), delayMs)
        const windowMs = windowFor(delayMs)
        const hosts = await startHosts(shop, hostCount, windowMs)
        const ordered = new Map<string, number>()
        let attempts = 0
        let valid = 0
        let doubled = 0
        let lost = 0
        await runConcurrently(numbers(maxConcurrent), maxConcurrent, async (customer) => {
          const email = emailOf(customer)
          while (valid < count && attempts < 10 * count) {
            attempts += 1
            const { orders, tookMs } = await clickTwice(shop, hosts, email)
            const made = orders - (ordered.get(email) ?? 0)
            ordered.set(email, orders)
            // If the second request arrives after the window of the first request, both count, so the round is ignored.
            if (tookMs < windowMs) {
              valid += 1
              if (made > 1) doubled += 1
              if (made < 1) lost += 1
            }
            // Waits two windows, because the exact time at which the window started is unknown.
            await setTimeout(2 * windowMs)
          }
        })
        console.log(`expired double clicks, ${database.name}, ${where}: ${doubled} of ${valid} doubled, ${lost} lost`)
        expect({ doubled, lost }).toEqual({ doubled: 0, lost: 0 })
        skip(valid === 0, 'the machine is too busy for two requests within one window')
      })
    }
  }

  it(`serializes concurrent adds and undos on two hosts: ${rounds} rounds`, { timeout }, async () => {
    const customers = rounds / 5
    const shop = await openShop(database, shopOf(customers))
    const hosts = await startHosts(shop, 2)
    const unexplained: string[] = []
    await runConcurrently(numbers(customers), maxConcurrent, async (customer) => {
      const email = emailOf(customer)
      let states: readonly Possible[] = [initialState]
      for (let round = 0; round < 5; round += 1) {
        const calls = await Promise.all(
          racesOf(customer * 5 + round).map(async (call, index): Promise<RecordedRequest> => {
            const path = call.call === 'add' ? '/upsells/add-product' : '/upsells/undo-add-product'
            const host = hosts[(customer + index) % 2] ?? hosts[0]
            return { ...call, response: await host.send(path, { email, product_id: call.product }, call.key) }
          }),
        )
        const orders = await shop.ordersOf(email)
        const after = explainRace(states, calls, orders)
        if (after.length === 0) {
          unexplained.push(JSON.stringify({ states, calls, orders }))
          return
        }
        states = after
      }
    })
    console.log(`races of adds and undos, ${database.name}: ${unexplained.length} of ${rounds} without a serial order`)
    expect(unexplained).toEqual([])
  })
})

type Hosts = readonly [ClickHost, ...ClickHost[]]

async function startHosts(shop: ClickShop, count: number, ofWindowMs?: number): Promise<Hosts> {
  const start = () => shop.startHost({ windowMs: ofWindowMs })
  const [first, ...others] = await Promise.all([start(), ...Array.from({ length: count - 1 }, start)])
  return [first, ...others]
}

/** Sends a click twice concurrently, to both hosts if there are two. Returns the order count and the duration. */
async function clickTwice(shop: ClickShop, hosts: Hosts, email: string) {
  const startedAt = performance.now()
  const body = { email, product_id: 'beans' }
  const responses = await Promise.all(
    [0, 1].map((turn) => (hosts[turn] ?? hosts[0]).send('/upsells/add-product', body)),
  )
  const tookMs = performance.now() - startedAt
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  return { orders: (await shop.ordersOf(email)).length, tookMs }
}

/** Returns the requests of one round: adds and undos of one or two products, some with keys. */
function racesOf(round: number): readonly Pick<RecordedRequest, 'call' | 'product' | 'key'>[] {
  const product = round % 7 === 0 ? 'filters' : 'beans'
  const key = round % 3 === 0 ? `key-${round}` : undefined
  const calls = [
    { call: 'add', product: 'beans', key },
    { call: 'undo', product },
    { call: 'add', product, key: round % 2 === 0 ? key : undefined },
    { call: 'undo', product: 'beans' },
  ] as const
  return calls.slice(0, 3 + (round % 2))
}
