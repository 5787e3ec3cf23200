import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { describeDatabases, type TestDatabase } from '@storeport/testing/stores/describe-databases'
import { dataFolder } from '@storeport/testing/start-host-process'
import { countStatements, killAt } from './break-points.ts'
import { type ClickShop, openShop } from './open-shop.ts'
import { hold, readEffects } from './outside-effects.ts'
import { runConcurrently } from './run-concurrently.ts'
import { emailOf, shopOf } from './shop.ts'
import type { ClickHost, HostSettings } from './start-click-host.ts'

/*
 * Tests effects outside the database: a custom action, and a merchant's method with `reconcile`. After the effect and
 * before the ledger stores the outcome, the host crashes or the ledger is not writable. The click must still have
 * exactly one effect. A repeat of an older click must have a new effect.
 */

const timeout = 300_000
/** Timeouts that keep leases short, because a lease ends five seconds after the request timeout. */
const shortTimeouts = { timeoutMs: 4000, statementTimeoutMs: 2000, windowMs: 60_000 }

/** Operations with an effect outside the database. */
const operations = [
  {
    name: "a merchant's method with reconcile",
    outside: 'addProduct',
    send: (host: ClickHost, email: string, change: string, key?: string) =>
      host.send('/upsells/add-product', { email, product_id: change }, key),
  },
  {
    name: 'a custom action',
    outside: 'action',
    send: (host: ClickHost, email: string, change: string, key?: string) =>
      host.send('/custom-action', { email, action_id: change }, key),
  },
] as const

/** Ways to block writes to the ledger. Each `block` returns a function that unblocks the ledger. */
const obstacles = [
  { state: 'missing', block: hideLedger },
  { state: 'locked', block: lockLedger },
] as const

await describeDatabases('click with an effect outside the database', (database) => {
  it.each(operations)(
    'applies a click once if the host is killed after any statement: $name',
    { timeout },
    async ({ outside, send }) => {
      const { shop, settings, effectsOf } = await openOutside(database, outside)
      const other = await shop.startHost(settings)
      const counted = await shop.startHost(settings)
      const statements = await countStatements(shop, counted, (change) => send(counted, emailOf(0), change))
      const points = Array.from({ length: statements }, (_, index) => [
        { n: index + 1, isNamed: false },
        { n: index + 1, isNamed: true },
      ]).flat()
      let interrupted = 0
      // The proxy counts the statements of all hosts together, so the hosts run one at a time.
      await runConcurrently(points.entries(), shop.proxy ? 1 : 2, async ([index, { n, isNamed }]) => {
        const email = emailOf(1 + index)
        const host = await shop.startHost(settings)
        const key = isNamed ? `key-of-${email}` : undefined
        const { status } = await killAt(shop, host, { n, when: 'after' }, () => send(host, email, 'cups', key))
        if (status === 0) interrupted += 1
      })

      const endings = await Promise.allSettled(
        points.map(async ({ n, isNamed }, index) => {
          const email = emailOf(1 + index)
          const key = isNamed ? `key-of-${email}` : undefined
          const label = `killed after statement ${n}${isNamed ? ', with a key' : ''}`
          await vi.waitUntil(async () => (await send(other, email, 'cups', key)).status === 200, { timeout: 30_000 })
          expect((await send(other, email, 'cups', key)).status, label).toBe(200)
          expect(await effectsOf(email), label).toEqual(['cups'])
        }),
      )
      expect(endings.flatMap((ending) => (ending.status === 'rejected' ? [String(ending.reason)] : []))).toEqual([])
      console.log(
        `${database.name}, ${outside}: ${statements} statements, ${interrupted} of ${points.length} clicks interrupted`,
      )
      expect(interrupted).toBeGreaterThan(0.8 * points.length)
      if (outside === 'action') {
        const recorded = await shop.store.actionsRun(undefined, { limit: 1000 })
        expect(recorded.filter(({ email }) => email !== emailOf(0))).toHaveLength(points.length)
      }
    },
  )

  const blocked = operations.flatMap((operation) => obstacles.map((obstacle) => ({ ...operation, ...obstacle })))
  it.each(blocked)('applies a click once if the ledger is $state after the effect: $name', { timeout }, async (row) => {
    const { shop, other, held, send, effects } = await holdSecondClick(database, row)
    const unblock = await row.block(shop)
    held.release()
    // An action must also be recorded in the database. If the store cannot write the record, the outcome is unknown.
    const { status } = await held.response
    if (row.outside === 'action') expect(status).toBeGreaterThanOrEqual(500)
    else expect(status).toBe(200)
    for (const change of ['cups', 'beans']) {
      const rejected = await send(other, change)
      expect([change, rejected.status, rejected.code]).toEqual([change, 503, 'store_unavailable'])
    }
    await unblock()
    await vi.waitUntil(async () => (await send(other, 'cups')).status === 200, { timeout: 30_000 })
    expect(await effects()).toEqual(['beans', 'cups'])
    expect((await send(other, 'beans')).status).toBe(200)
    expect(await effects()).toEqual(['beans', 'cups', 'beans'])
  })
})

/** Sends the clicks `beans` and `cups`. Pauses `cups` after its effect and before the ledger stores the outcome. */
async function holdSecondClick(database: TestDatabase, { outside, send }: (typeof operations)[number]) {
  const { shop, settings, effects, effectsOf } = await openOutside(database, outside)
  const [host, other] = [await shop.startHost(settings), await shop.startHost(settings)]
  const email = emailOf(0)
  expect((await send(host, email, 'beans')).status).toBe(200)
  const release = hold(effects)
  const response = send(host, email, 'cups')
  await vi.waitUntil(async () => (await effectsOf(email)).length === 2, { timeout: 10_000 })
  return {
    shop,
    other,
    held: { host, response, release },
    send: (to: ClickHost, change: string) => send(to, email, change),
    effects: () => effectsOf(email),
  }
}

/** Opens a shop whose hosts record their effects in a file. */
async function openOutside(database: TestDatabase, outside: 'addProduct' | 'action') {
  const effects = join(await dataFolder(), 'effects')
  const shop = await openShop(database, shopOf(100))
  const settings: Partial<HostSettings> = { ...shortTimeouts, outside, effects }
  return {
    shop,
    settings,
    effects,
    /** Returns a customer's effects. Counts each key of an action once, because the external system ignores repeats. */
    effectsOf: async (email: string) => {
      const own = (await readEffects(effects)).filter((effect) => effect.email === email)
      const counted = outside === 'action' ? new Map(own.map((effect) => [effect.key, effect])).values() : own
      return [...counted].map(({ change }) => change)
    },
  }
}

/** Renames the ledger table. Returns a function that restores its name. */
async function hideLedger({ store }: ClickShop): Promise<() => Promise<void>> {
  const rename = (name: string, to: string) =>
    store.database.transaction<void>(async (_, send) => void (await send(`alter table ${name} rename to ${to}`, [])))
  await rename('clicks', 'clicks_away')
  return () => rename('clicks_away', 'clicks')
}

/** Locks the ledger table in PostgreSQL, or the whole SQLite file. Returns a function that removes the lock. */
async function lockLedger({ store, proxy }: ClickShop): Promise<() => Promise<void>> {
  let isLocked = false
  let unlock = () => {}
  const unlocked = new Promise<void>((resolve) => (unlock = resolve))
  const holding = store.database.transaction(async (_, send) => {
    // A SQLite transaction locks the whole file.
    if (proxy !== undefined) await send('lock table clicks in access exclusive mode', [])
    isLocked = true
    await unlocked
  })
  await vi.waitUntil(() => isLocked, { timeout: 10_000 })
  return () => {
    unlock()
    return holding
  }
}
