import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describePostgres } from '@storeport/testing/stores/describe-databases'
import type { PostgresDatabases } from '@storeport/testing/postgres-at'
import { type BreakPoint, countOfAdd } from './break-points.ts'
import { followCustomer } from './follow-customer.ts'
import { type ClickShop, openShop } from './open-shop.ts'
import { emailOf, shopOf } from './shop.ts'
import type { ClickHost } from './start-click-host.ts'

/*
 * Pauses a request to one host at each of its SQL statements while another host serves the same customer. Covers every
 * interleaving of the two hosts deterministically.
 */

const timeout = 120_000
const moments = ['before', 'after'] as const

await describePostgres('request paused at each of its SQL statements', (database, server) => {
  /** Runs a function for each statement of an add. The function returns an error message if the result is invalid. */
  async function holdAtEach(
    label: string,
    run: (shop: HeldShop, place: BreakPoint, email: string) => Promise<string | undefined>,
  ): Promise<void> {
    const shop = await openShop(database, shopOf(100))
    const [held, direct] = await Promise.all([shop.startHost(), shop.startHost({ url: shop.url })])
    const statements = await countOfAdd(shop, held, emailOf(0))
    const failures: string[] = []
    let attempts = 0
    let heldCount = 0
    const hold: HeldShop['hold'] = async ({ n, when }, sendHeld, sendDirect) => {
      const trap = shop.proxy?.catchStatement(n, when)
      const first = sendHeld()
      const connection = await Promise.race([trap?.caught, first.then(() => undefined)])
      trap?.disarm()
      const second = sendDirect()
      await waitUntilDoneOrLocked(second, server, shop.url)
      if (connection !== undefined) heldCount += 1
      connection?.thaw()
      return Promise.all([first, second])
    }
    for (let n = 1; n <= statements; n++)
      for (const when of moments) {
        attempts += 1
        const failure = await run({ ...shop, held, direct, hold }, { n, when }, emailOf(attempts))
        if (failure !== undefined) failures.push(`${when} ${n}: ${failure}`)
      }
    console.log(`${label}: ${statements} statements, ${heldCount} of ${attempts} held, ${failures.length} failures`)
    expect(failures).toEqual([])
    expect(heldCount).toBeGreaterThan(0.8 * attempts)
  }

  it('applies a double click once if the other host receives the second request', { timeout }, () =>
    holdAtEach('double clicks during a held request', async ({ held, direct, hold, ordersOf }, place, email) => {
      const add = (host: ClickHost, product_id: string) => host.send('/upsells/add-product', { email, product_id })
      const responses = await hold(
        place,
        () => add(held, 'filters'),
        () => add(direct, 'beans'),
      )
      expect([...responses, await add(direct, 'beans')].map(({ status }) => status)).toEqual([200, 200, 200])
      const orders = await ordersOf(email)
      // `beans, filters, beans` is valid, because a second click on beans after filters is a new click.
      return orders.some((product, index) => product === orders[index - 1]) ? orders.join() : undefined
    }),
  )

  it('applies an undo and a second add that the other host receives', { timeout }, () =>
    holdAtEach('held adds with a concurrent undo', async (shop, place, email) => {
      const customer = followCustomer(shop, email)
      const { held, direct, hold } = shop
      const calls = await hold(
        place,
        () => customer.send(held, 'add'),
        () => customer.send(direct, 'undo'),
      )
      return customer
        .check(...calls)
        .then(() => customer.retry(direct, 'add'))
        .then(() => undefined, String)
    }),
  )
})

/** A shop with two hosts. `held` connects through the proxy, which can pause its requests. */
interface HeldShop extends ClickShop {
  readonly held: ClickHost
  readonly direct: ClickHost
  /**
   * Pauses a request at a statement until a second request ends or waits for the paused request. Returns both results.
   */
  hold<Result>(
    place: BreakPoint,
    sendHeld: () => Promise<Result>,
    sendDirect: () => Promise<Result>,
  ): Promise<readonly [Result, Result]>
}

/** Waits up to 5 s until a request ends or a connection waits for a database lock that the paused request owns. */
async function waitUntilDoneOrLocked(call: Promise<unknown>, { query }: PostgresDatabases, url: string): Promise<void> {
  const done = call.then(() => true)
  const deadline = performance.now() + 5000
  while (performance.now() < deadline) {
    if (await Promise.race([done, setTimeout(5, false)])) return
    const waiting = await query(
      `select 1 from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}' and wait_event_type = 'Lock'`,
    )
    if (waiting.length > 0) return
  }
}
