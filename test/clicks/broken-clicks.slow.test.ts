import { expect, it } from 'vitest'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { isNightly } from '../hardening/is-nightly.ts'
import { type BreakPoint, countOfAdd, type Fault, faultsOf, killAt } from './break-off.ts'
import { type FollowedCustomer, followCustomer } from './follow-customer.ts'
import { openShop } from './open-shop.ts'
import { runSideBySide } from './run-side-by-side.ts'
import { emailOf, shopOf } from './shop.ts'
import type { ClickHost } from './start-click-host.ts'

/*
 * A click is broken off at each of its statements: what was acknowledged is there, once; what was not is there at most
 * once, and after a retry exactly once; and what the customer does instead of a retry counts, too.
 */

const timeout = 600_000
/** A host that gives up soon, so that what hangs does not hang for long. */
const impatient = { timeoutMs: 4000, statementTimeoutMs: 1000, poolSize: 40 }

/** What the customer does after the click that was broken off. */
const sequels: readonly Sequel[] = [
  {
    name: 'a retry',
    isNamed: false,
    run: async (customer, host) => {
      expect((await customer.retry(host, 'add')).answer.status).toBe(200)
      expect((await customer.retry(host, 'undo')).answer.status).toBe(200)
      await customer.retry(host, 'add')
    },
  },
  {
    name: 'a retry with its key',
    isNamed: true,
    run: async (customer, host, key) => {
      expect((await customer.retry(host, 'add', key)).answer.status).toBe(200)
      expect((await customer.retry(host, 'undo')).answer.status).toBe(200)
      await customer.retry(host, 'add', key)
      await customer.retry(host, 'add')
    },
  },
  {
    name: 'undo, and add anew',
    isNamed: false,
    run: async (customer, host) => {
      await customer.retry(host, 'undo')
      await customer.retry(host, 'add')
    },
  },
]

interface Sequel {
  readonly name: string
  /** Whether the click has an `Idempotency-Key`. */
  readonly isNamed: boolean
  run(customer: FollowedCustomer, host: ClickHost, key: string): Promise<void>
}

interface Point extends BreakPoint {
  readonly sequel: Sequel
}

await describeDatabases('a click that is broken off', (database, server) => {
  it('by the end of its host, after each statement', { timeout }, async () => {
    const shop = await openShop(database, shopOf(200))
    const other = await shop.startHost(impatient)
    const most = await countOfAdd(shop, await shop.startHost(impatient), emailOf(0))
    const points = pointsOf(most, ['after'], true)
    const failures: string[] = []
    let broken = 0
    // A trap of the proxy catches whoever comes first.
    await runSideBySide(points.entries(), shop.proxy ? 1 : 3, async ([index, point]) => {
      const email = emailOf(1 + index)
      const customer = followCustomer(shop, email)
      const { sequel, n } = point
      const key = sequel.isNamed ? `key-of-${email}` : undefined
      const host = await shop.startHost(impatient)
      const sent = await killAt(shop, host, point, () => customer.send(host, 'add', key))
      if (sent.answer.status === 0) broken += 1
      await customer
        .judge(sent)
        .then(() => sequel.run(customer, other, key ?? ''))
        .catch((error: unknown) => failures.push(`${n}, ${sequel.name}: ${String(error)}`))
    })
    report(`${database.name}, killed hosts`, most, { tried: points.length, broken, failures })
  })

  if (server === undefined) return
  it.each(faultsOf(server))('by $name, at each statement', { timeout }, async (fault) => {
    const shop = await openShop(database, shopOf(300))
    const other = await shop.startHost(impatient)
    const host = await shop.startHost(impatient)
    const most = await countOfAdd(shop, host, emailOf(0))
    const points = pointsOf(most, fault.moments, !fault.hangs)
    const failures: string[] = []
    let broken = 0
    const tryPoint = async ({ n, when, sequel }: Point, index: number) => {
      const customer = followCustomer(shop, emailOf(1 + index))
      const key = sequel.isNamed ? `key-${index}` : undefined
      const caught = shop.proxy?.catchStatement(n, when)
      const sent = customer.send(host, 'add', key)
      const connection = await Promise.race([caught?.caught, sent])
      caught?.disarm()
      return async () => {
        if (connection && 'thaw' in connection) {
          broken += 1
          await fault.breakOff(connection, sent)
        }
        await customer.judge(await sent)
        await sequel.run(customer, other, key ?? '')
      }
    }
    const batch = fault.hangs ? 8 : 1
    for (let first = 0; first < points.length; first += batch) {
      const begun: (() => Promise<void>)[] = []
      for (const [index, point] of points.slice(first, first + batch).entries()) {
        begun.push(await tryPoint(point, first + index))
        // A connection for the next one, whose set-up its trap does not count.
        if (fault.hangs)
          await host.send('/upsells/undo-add-product', { email: 'nobody@shop.example', product_id: 'cups' })
      }
      const ended = await Promise.allSettled(begun.map((end) => end()))
      for (const [index, result] of ended.entries()) {
        const { n, when, sequel } = points[first + index] ?? {}
        if (result.status === 'rejected') failures.push(`${when} ${n}, ${sequel?.name}: ${String(result.reason)}`)
      }
    }
    report(`${database.name}, ${fault.name}`, most, { tried: points.length, broken, failures })
  })
})

/** Each statement with each sequel; where one costs seconds, by day with one of them only. */
function pointsOf(statements: number, moments: Fault['moments'], withAllSequels: boolean): readonly Point[] {
  const places = Array.from({ length: statements }, (_, index) =>
    moments.map((when) => ({ n: index + 1, when })),
  ).flat()
  return places.flatMap((place, index) =>
    sequels
      .filter((_, turn) => withAllSequels || isNightly || turn === index % sequels.length)
      .map((sequel) => ({ ...place, sequel })),
  )
}

interface Report {
  readonly tried: number
  readonly broken: number
  readonly failures: readonly string[]
}

function report(what: string, statements: number, { tried, broken, failures }: Report): void {
  console.log(`${what}: ${statements} statements, ${broken} of ${tried} clicks broken off, ${failures.length} wrong`)
  expect(failures).toEqual([])
  // A click has fewer statements here and there, such as one with a key.
  expect(broken).toBeGreaterThan(0.8 * tried)
}
