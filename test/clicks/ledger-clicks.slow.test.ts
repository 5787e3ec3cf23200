import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { describeDatabases, type TestDatabase } from '@storeport/testing/describe-databases'
import { dataFolder } from '@storeport/testing/start-host-process'
import { countStatements, killAt } from './break-off.ts'
import { type ClickShop, openShop } from './open-shop.ts'
import { hold, readEffects } from './outside-effects.ts'
import { runSideBySide } from './run-side-by-side.ts'
import { emailOf, shopOf } from './shop.ts'
import type { ClickHost, HostSettings } from './start-click-host.ts'

/*
 * Effects outside of the database: a custom action, and a method of a merchant's own with `reconcile`. Between the effect
 * and its outcome in the ledger a host can die, or the ledger cannot be written: there is one effect all the same, and a
 * repeat of something older is never answered as done.
 */

const timeout = 300_000
/** A lease ends five seconds after the time for a call. */
const quick = { timeoutMs: 1000, statementTimeoutMs: 500, windowMs: 60_000 }

/** The two ways to an effect outside of the database. */
const ways = [
  {
    name: 'a method of the merchant with reconcile',
    outside: 'addProduct',
    send: (host: ClickHost, email: string, what: string, key?: string) =>
      host.send('/upsells/add-product', { email, product_id: what }, key),
  },
  {
    name: 'a custom action',
    outside: 'action',
    send: (host: ClickHost, email: string, what: string, key?: string) =>
      host.send('/custom-action', { email, action_id: what }, key),
  },
] as const

/** What keeps a ledger from being written; each returns how to end it. */
const hindrances = [
  { state: 'away', hinder: hideLedger },
  { state: 'locked', hinder: lockLedger },
] as const

await describeDatabases('a click with an effect outside of the database', (database) => {
  it.each(ways)('whose host is killed after each statement: $name', { timeout }, async ({ outside, send }) => {
    const { shop, settings, effectsOf } = await openOutside(database, outside)
    const other = await shop.startHost(settings)
    const counted = await shop.startHost(settings)
    const most = await countStatements(shop, counted, (what) => send(counted, emailOf(0), what))
    const points = Array.from({ length: most }, (_, index) => [
      { n: index + 1, isNamed: false },
      { n: index + 1, isNamed: true },
    ]).flat()
    let broken = 0
    // A trap of the proxy catches whoever comes first.
    await runSideBySide(points.entries(), shop.proxy ? 1 : 2, async ([index, { n, isNamed }]) => {
      const email = emailOf(1 + index)
      const host = await shop.startHost(settings)
      const key = isNamed ? `key-of-${email}` : undefined
      const { status } = await killAt(shop, host, { n, when: 'after' }, () => send(host, email, 'cups', key))
      if (status === 0) broken += 1
    })

    const endings = await Promise.allSettled(
      points.map(async ({ n, isNamed }, index) => {
        const email = emailOf(1 + index)
        const key = isNamed ? `key-of-${email}` : undefined
        const what = `killed after statement ${n}${isNamed ? ', with a key' : ''}`
        await vi.waitUntil(async () => (await send(other, email, 'cups', key)).status === 200, { timeout: 30_000 })
        expect((await send(other, email, 'cups', key)).status, what).toBe(200)
        expect(await effectsOf(email), what).toEqual(['cups'])
      }),
    )
    expect(endings.flatMap((ending) => (ending.status === 'rejected' ? [String(ending.reason)] : []))).toEqual([])
    console.log(`${database.name}, ${outside}: ${most} statements, ${broken} of ${points.length} clicks broken off`)
    expect(broken).toBeGreaterThan(0.8 * points.length)
    if (outside === 'action') {
      const noted = await shop.store.actionsRun(undefined, { limit: 1000 })
      expect(noted.filter(({ email }) => email !== emailOf(0))).toHaveLength(points.length)
    }
  })

  it.each(ways)('whose host is killed before it can settle: $name', { timeout }, async (way) => {
    const { other, held, send, effects } = await holdSecondClick(database, way)
    await held.host.kill()
    held.letGo()
    expect((await held.answer).status).toBe(0)

    // The older one is within its window, but nobody knows what came after it.
    expect(await send(other, 'beans')).toMatchObject({ status: 503, code: 'store_unavailable', retryAfter: '5' })
    await vi.waitUntil(async () => (await send(other, 'cups')).status === 200, { timeout: 30_000 })
    expect(await effects()).toEqual(['beans', 'cups'])
    expect((await send(other, 'beans')).status).toBe(200)
    expect(await effects()).toEqual(['beans', 'cups', 'beans'])
  })

  const hindered = ways.flatMap((way) => hindrances.map((hindrance) => ({ ...way, ...hindrance })))
  it.each(hindered)('whose ledger is $state when it settles: $name', { timeout }, async ({ hinder, ...way }) => {
    const { shop, other, held, send, effects } = await holdSecondClick(database, way)
    const end = await hinder(shop)
    held.letGo()
    // Of an action the store has a note to make as well: then nobody knows.
    const { status } = await held.answer
    if (way.outside === 'action') expect(status).toBeGreaterThanOrEqual(500)
    else expect(status).toBe(200)
    for (const what of ['cups', 'beans']) {
      const refused = await send(other, what)
      expect([what, refused.status, refused.code]).toEqual([what, 503, 'store_unavailable'])
    }
    await end()
    await vi.waitUntil(async () => (await send(other, 'cups')).status === 200, { timeout: 30_000 })
    expect(await effects()).toEqual(['beans', 'cups'])
    expect((await send(other, 'beans')).status).toBe(200)
    expect(await effects()).toEqual(['beans', 'cups', 'beans'])
  })
})

/** Has a customer add beans, and then cups: held at one of two hosts when that has had its effect, and has not been settled. */
async function holdSecondClick(database: TestDatabase, { outside, send }: (typeof ways)[number]) {
  const { shop, settings, effects, effectsOf } = await openOutside(database, outside)
  const [host, other] = [await shop.startHost(settings), await shop.startHost(settings)]
  const email = emailOf(0)
  expect((await send(host, email, 'beans')).status).toBe(200)
  const letGo = hold(effects)
  const answer = send(host, email, 'cups')
  await vi.waitUntil(async () => (await effectsOf(email)).length === 2, { timeout: 10_000 })
  return {
    shop,
    other,
    held: { host, answer, letGo },
    send: (to: ClickHost, what: string) => send(to, email, what),
    effects: () => effectsOf(email),
  }
}

/** Opens a shop whose hosts have their effects in a file. */
async function openOutside(database: TestDatabase, outside: 'addProduct' | 'action') {
  const effects = join(await dataFolder(), 'effects')
  const shop = await openShop(database, shopOf(100))
  const settings: Partial<HostSettings> = { ...quick, outside, effects }
  return {
    shop,
    settings,
    effects,
    /** What a customer has: the action's system does nothing when it meets a key again. */
    effectsOf: async (email: string) => {
      const own = (await readEffects(effects)).filter((effect) => effect.email === email)
      const counted = outside === 'action' ? new Map(own.map((effect) => [effect.key, effect])).values() : own
      return [...counted].map(({ what }) => what)
    },
  }
}

async function hideLedger({ store }: ClickShop): Promise<() => Promise<void>> {
  const rename = (name: string, to: string) =>
    store.database.transaction<void>(async (_, send) => void (await send(`alter table ${name} rename to ${to}`, [])))
  await rename('clicks', 'clicks_away')
  return () => rename('clicks_away', 'clicks')
}

/** Locks the ledger until the function that it returns is called. */
async function lockLedger({ store, proxy }: ClickShop): Promise<() => Promise<void>> {
  let isLocked = false
  let unlock = () => {}
  const unlocked = new Promise<void>((resolve) => (unlock = resolve))
  const holding = store.database.transaction(async (_, send) => {
    // A transaction of SQLite has locked the whole file.
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
