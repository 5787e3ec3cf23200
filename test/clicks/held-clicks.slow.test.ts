import { expect, it } from 'vitest'
import { describePostgres } from '@storeport/testing/describe-databases'
import type { PostgresDatabases } from '@storeport/testing/postgres-at'
import { countStatements } from './break-off.ts'
import { followCustomer } from './follow-customer.ts'
import { openShop } from './open-shop.ts'
import { emailOf, shopOf } from './shop.ts'

/*
 * A call of one host is held at each of its statements while another host serves the same customer, so that whatever the
 * two can do to each other happens, by counting and not by luck.
 */

const timeout = 120_000
const moments = ['before', 'after'] as const

await describePostgres('a call that is held at each of its statements', (database, server) => {
  it('does not make a double click of the other host count twice', { timeout }, async () => {
    const shop = await openShop(database, shopOf(100))
    const [held, direct] = await Promise.all([shop.startHost(), shop.startHost({ url: shop.url })])
    const statements = await countStatements(shop, held, emailOf(0))
    const doubled: string[] = []
    let tried = 0
    let wasHeld = 0
    for (const { n, when } of placesOf(statements)) {
      const email = emailOf(++tried)
      const add = { email, product_id: 'beans' }
      const trap = shop.proxy?.catchStatement(n, when)
      const other = held.send('/upsells/add-product', { email, product_id: 'filters' })
      const connection = await Promise.race([trap?.caught, other])
      trap?.disarm()
      const first = direct.send('/upsells/add-product', add)
      await isOverOrWaits(first, server, shop.url)
      if (connection && 'thaw' in connection) {
        wasHeld += 1
        connection.thaw()
      }
      const answers = [await other, await first, await direct.send('/upsells/add-product', add)]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      const orders = await shop.ordersOf(email)
      // Beans, filters, beans is right: then the second was a click of its own.
      if (orders.some((product, index) => product === orders[index - 1])) doubled.push(`${when} ${n}: ${orders.join()}`)
    }
    console.log(
      `${statements} statements, ${wasHeld} of ${tried} double clicks beside a held call, ${doubled.length} doubled`,
    )
    expect(doubled).toEqual([])
    expect(wasHeld).toBeGreaterThan(0.8 * tried)
  })

  it('does not swallow what the customer does next at the other host', { timeout }, async () => {
    const shop = await openShop(database, shopOf(100))
    const [held, direct] = await Promise.all([shop.startHost(), shop.startHost({ url: shop.url })])
    const statements = await countStatements(shop, held, emailOf(0))
    const failures: string[] = []
    let tried = 0
    let wasHeld = 0
    for (const { n, when } of placesOf(statements)) {
      const customer = followCustomer(shop, emailOf(++tried))
      const trap = shop.proxy?.catchStatement(n, when)
      const add = customer.send(held, 'add')
      const connection = await Promise.race([trap?.caught, add])
      trap?.disarm()
      const undo = customer.send(direct, 'undo')
      await isOverOrWaits(undo, server, shop.url)
      if (connection && 'thaw' in connection) {
        wasHeld += 1
        connection.thaw()
      }
      await customer
        .judge(await add, await undo)
        .then(() => customer.retry(direct, 'add'))
        .catch((error: unknown) => failures.push(`${when} ${n}: ${String(error)}`))
    }
    console.log(
      `${statements} statements, ${wasHeld} of ${tried} adds held while they were undone, ${failures.length} wrong`,
    )
    expect(failures).toEqual([])
    expect(wasHeld).toBeGreaterThan(0.8 * tried)
  })
})

function placesOf(statements: number) {
  return Array.from({ length: statements }, (_, index) => moments.map((when) => ({ n: index + 1, when }))).flat()
}

/** Waits until a call is over, or the database says that somebody waits for a lock, which is then that of the held call. */
async function isOverOrWaits(call: Promise<unknown>, { query }: PostgresDatabases, url: string): Promise<void> {
  const over = call.then(() => true)
  const giveUpAt = performance.now() + 5000
  while (performance.now() < giveUpAt) {
    if (await Promise.race([over, soon()])) return
    const waiting = await query(
      `select 1 from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}' and wait_event_type = 'Lock'`,
    )
    if (waiting.length > 0) return
  }
}

function soon(): Promise<boolean> {
  return new Promise((later) => setTimeout(() => later(false), 5))
}
