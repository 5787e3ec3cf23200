import { expect, it } from 'vitest'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { isNightly } from '../hardening/is-nightly.ts'
import { type ClickShop, openShop } from './open-shop.ts'
import { numbers, runConcurrently } from './run-concurrently.ts'
import { emailOf, shopOf } from './shop.ts'
import { explainRace, initialState, type Possible, type RecordedRequest } from './serial-order.ts'
import type { ClickHost } from './start-click-host.ts'

const rounds = isNightly ? 300 : 60
/** Number of rounds in most tests. Tests with two hosts and no delay use `rounds`, because races are likely there. */
const fewerRounds = isNightly ? 300 : 12
const timeout = isNightly ? 900_000 : 60_000
const maxConcurrent = 4

await describeDatabases('double click', (database) => {
  const delays = database.name === 'PostgreSQL' ? [0, 2, 10] : [0]
  for (const hostCount of [1, 2]) {
    for (const delayMs of delays) {
      const count = hostCount === 2 && delayMs === 0 ? rounds : fewerRounds
      const where = `${hostCount} host${hostCount > 1 ? 's' : ''}, ${delayMs} ms to the database`

      it(`creates one order: ${count} rounds, ${where}`, { timeout }, async () => {
        const shop = await openShop(database, shopOf(count), delayMs)
        const hosts = await startHosts(shop, hostCount)
        let doubled = 0
        await runConcurrently(numbers(count), maxConcurrent, async (round) => {
          const body = { email: emailOf(round), product_id: 'beans' }
          const sends = [0, 1].map((turn) => (hosts[turn] ?? hosts[0]).send('/upsells/add-product', body))
          expect((await Promise.all(sends)).map(({ status }) => status)).toEqual([200, 200])
          if ((await shop.ordersOf(body.email)).length !== 1) doubled += 1
        })
        console.log(`double clicks, ${database.name}, ${where}: ${doubled} of ${count} doubled`)
        expect(doubled).toBe(0)
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

async function startHosts(shop: ClickShop, count: number): Promise<Hosts> {
  const [first, ...others] = await Promise.all([
    shop.startHost(),
    ...Array.from({ length: count - 1 }, () => shop.startHost()),
  ])
  return [first, ...others]
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
