import { expect, it } from 'vitest'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { isNightly } from '../hardening/is-nightly.ts'
import { type BreakPoint, countOfAdd, type Fault, faultsOf, killAt } from './break-points.ts'
import { type FollowedCustomer, followCustomer } from './follow-customer.ts'
import { openShop } from './open-shop.ts'
import { runConcurrently } from './run-concurrently.ts'
import { emailOf, shopOf } from './shop.ts'
import type { ClickHost } from './start-click-host.ts'

/*
 * Interrupts a click at each of its SQL statements. An acknowledged click must be stored once. A click without a
 * response must be stored at most once, and exactly once after a retry. A different click must be stored separately.
 */

const timeout = 600_000
/** Timeouts that end hanging requests quickly. */
const shortTimeouts = { timeoutMs: 4000, statementTimeoutMs: 1000, poolSize: 40 }

/** Clicks that the customer sends after the interrupted click. */
const sequels: readonly Sequel[] = [
  {
    name: 'a retry',
    isNamed: false,
    run: async (customer, host) => {
      expect((await customer.retry(host, 'add')).response.status).toBe(200)
      expect((await customer.retry(host, 'undo')).response.status).toBe(200)
      await customer.retry(host, 'add')
    },
  },
  {
    name: 'a retry with its key',
    isNamed: true,
    run: async (customer, host, key) => {
      expect((await customer.retry(host, 'add', key)).response.status).toBe(200)
      expect((await customer.retry(host, 'undo')).response.status).toBe(200)
      await customer.retry(host, 'add', key)
      await customer.retry(host, 'add')
    },
  },
  {
    name: 'an undo and a second add',
    isNamed: false,
    run: async (customer, host) => {
      await customer.retry(host, 'undo')
      await customer.retry(host, 'add')
    },
  },
]

interface Sequel {
  readonly name: string
  /** Whether the interrupted click has an `Idempotency-Key`. */
  readonly isNamed: boolean
  run(customer: FollowedCustomer, host: ClickHost, key: string): Promise<void>
}

interface Point extends BreakPoint {
  readonly sequel: Sequel
}

await describeDatabases('interrupted click', (database, server) => {
  it('applies a click once when the host is killed after any statement', { timeout }, async () => {
    const shop = await openShop(database, shopOf(200))
    const other = await shop.startHost(shortTimeouts)
    const statements = await countOfAdd(shop, await shop.startHost(shortTimeouts), emailOf(0))
    const points = pointsOf(statements, ['after'], true)
    const failures: string[] = []
    let interrupted = 0
    // The proxy counts the statements of all hosts together, so the hosts run one at a time.
    await runConcurrently(points.entries(), shop.proxy ? 1 : 3, async ([index, point]) => {
      const email = emailOf(1 + index)
      const customer = followCustomer(shop, email)
      const { sequel, n } = point
      const key = sequel.isNamed ? `key-of-${email}` : undefined
      const host = await shop.startHost(shortTimeouts)
      const sent = await killAt(shop, host, point, () => customer.send(host, 'add', key))
      if (sent.response.status === 0) interrupted += 1
      await customer
        .check(sent)
        .then(() => sequel.run(customer, other, key ?? ''))
        .catch((error: unknown) => failures.push(`${n}, ${sequel.name}: ${String(error)}`))
    })
    report(`${database.name}, killed hosts`, statements, { attempts: points.length, interrupted, failures })
  })

  if (server === undefined) return
  it.each(faultsOf(server))('applies a click once despite $name at any statement', { timeout }, async (fault) => {
    const shop = await openShop(database, shopOf(300))
    const other = await shop.startHost(shortTimeouts)
    const host = await shop.startHost(shortTimeouts)
    const statements = await countOfAdd(shop, host, emailOf(0))
    const points = pointsOf(statements, fault.moments, !fault.hangs)
    const failures: string[] = []
    let interrupted = 0
    const startAtPoint = async ({ n, when, sequel }: Point, index: number) => {
      const customer = followCustomer(shop, emailOf(1 + index))
      const key = sequel.isNamed ? `key-${index}` : undefined
      const caught = shop.proxy?.catchStatement(n, when)
      const sent = customer.send(host, 'add', key)
      const connection = await Promise.race([caught?.caught, sent])
      caught?.disarm()
      return async () => {
        if (connection && 'thaw' in connection) {
          interrupted += 1
          await fault.inject(connection, sent)
        }
        await customer.check(await sent)
        await sequel.run(customer, other, key ?? '')
      }
    }
    const batch = fault.hangs ? 8 : 1
    for (let first = 0; first < points.length; first += batch) {
      const started: (() => Promise<void>)[] = []
      for (const [index, point] of points.slice(first, first + batch).entries()) {
        started.push(await startAtPoint(point, first + index))
        // Opens a connection before the next click, so that the proxy does not count the setup statements.
        if (fault.hangs)
          await host.send('/upsells/undo-add-product', { email: 'nobody@shop.example', product_id: 'cups' })
      }
      const ended = await Promise.allSettled(started.map((end) => end()))
      for (const [index, result] of ended.entries()) {
        const { n, when, sequel } = points[first + index] ?? {}
        if (result.status === 'rejected') failures.push(`${when} ${n}, ${sequel?.name}: ${String(result.reason)}`)
      }
    }
    report(`${database.name}, ${fault.name}`, statements, { attempts: points.length, interrupted, failures })
  })
})

/** Combines each break point with one sequel, or with all sequels if `withAllSequels` is true or the run is nightly. */
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
  readonly attempts: number
  readonly interrupted: number
  readonly failures: readonly string[]
}

function report(label: string, statements: number, { attempts, interrupted, failures }: Report): void {
  console.log(
    `${label}: ${statements} statements, ${interrupted} of ${attempts} clicks interrupted, ${failures.length} failures`,
  )
  expect(failures).toEqual([])
  // Some clicks have fewer statements than the maximum and complete without an interruption.
  expect(interrupted).toBeGreaterThan(0.8 * attempts)
}
