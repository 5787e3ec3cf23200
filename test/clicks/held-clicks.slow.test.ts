import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describePostgres } from '@storeport/testing/describe-databases'
import type { PostgresDatabases } from '@storeport/testing/postgres-at'
import { type BreakPoint, countOfAdd } from './break-off.ts'
import { followCustomer } from './follow-customer.ts'
import { type ClickShop, openShop } from './open-shop.ts'
import { emailOf, shopOf } from './shop.ts'
import type { ClickHost } from './start-click-host.ts'

/*
 * A call of one host is held at each of its statements while another host serves the same customer, so that whatever the
 * two can do to each other happens, by counting and not by luck.
 */

const timeout = 120_000
const moments = ['before', 'after'] as const

await describePostgres('a call that is held at each of its statements', (database, server) => {
  /** Tries what a function does to a customer at each statement of an add; it returns what is wrong. */
  async function holdAtEach(
    what: string,
    run: (shop: HeldShop, place: BreakPoint, email: string) => Promise<string | undefined>,
  ): Promise<void> {
    const shop = await openShop(database, shopOf(100))
    const [held, direct] = await Promise.all([shop.startHost(), shop.startHost({ url: shop.url })])
    const statements = await countOfAdd(shop, held, emailOf(0))
    const failures: string[] = []
    let tried = 0
    let wasHeld = 0
    const hold: HeldShop['hold'] = async ({ n, when }, sendHeld, sendDirect) => {
      const trap = shop.proxy?.catchStatement(n, when)
      const first = sendHeld()
      const connection = await Promise.race([trap?.caught, first.then(() => undefined)])
      trap?.disarm()
      const second = sendDirect()
      await isOverOrWaits(second, server, shop.url)
      if (connection !== undefined) wasHeld += 1
      connection?.thaw()
      return Promise.all([first, second])
    }
    for (let n = 1; n <= statements; n++)
      for (const when of moments) {
        tried += 1
        const wrong = await run({ ...shop, held, direct, hold }, { n, when }, emailOf(tried))
        if (wrong !== undefined) failures.push(`${when} ${n}: ${wrong}`)
      }
    console.log(`${statements} statements, ${wasHeld} of ${tried} ${what}, ${failures.length} wrong`)
    expect(failures).toEqual([])
    expect(wasHeld).toBeGreaterThan(0.8 * tried)
  }

  it('does not make a double click of the other host count twice', { timeout }, () =>
    holdAtEach('double clicks beside a held call', async ({ held, direct, hold, ordersOf }, place, email) => {
      const add = (host: ClickHost, product_id: string) => host.send('/upsells/add-product', { email, product_id })
      const answers = await hold(
        place,
        () => add(held, 'filters'),
        () => add(direct, 'beans'),
      )
      expect([...answers, await add(direct, 'beans')].map(({ status }) => status)).toEqual([200, 200, 200])
      const orders = await ordersOf(email)
      // Beans, filters, beans is right: then the second was a click of its own.
      return orders.some((product, index) => product === orders[index - 1]) ? orders.join() : undefined
    }),
  )

  it('does not swallow what the customer does next at the other host', { timeout }, () =>
    holdAtEach('adds held while they were undone', async (shop, place, email) => {
      const customer = followCustomer(shop, email)
      const { held, direct, hold } = shop
      const calls = await hold(
        place,
        () => customer.send(held, 'add'),
        () => customer.send(direct, 'undo'),
      )
      return customer
        .judge(...calls)
        .then(() => customer.retry(direct, 'add'))
        .then(() => undefined, String)
    }),
  )
})

/** A shop with a host whose calls can be held, and another one. */
interface HeldShop extends ClickShop {
  readonly held: ClickHost
  readonly direct: ClickHost
  /** Holds a call at a statement until another one is over or waits for it; returns both responses. */
  hold<Answer>(
    place: BreakPoint,
    sendHeld: () => Promise<Answer>,
    sendDirect: () => Promise<Answer>,
  ): Promise<readonly [Answer, Answer]>
}

/** Waits until a call is over, or the database says that somebody waits for a lock, which is then that of the held call. */
async function isOverOrWaits(call: Promise<unknown>, { query }: PostgresDatabases, url: string): Promise<void> {
  const over = call.then(() => true)
  const giveUpAt = performance.now() + 5000
  while (performance.now() < giveUpAt) {
    if (await Promise.race([over, setTimeout(5, false)])) return
    const waiting = await query(
      `select 1 from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}' and wait_event_type = 'Lock'`,
    )
    if (waiting.length > 0) return
  }
}
