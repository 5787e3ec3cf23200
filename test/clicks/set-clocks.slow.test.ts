import { join } from 'node:path'
import { openSqlStore } from '@storeport/store-sql'
import { fastSettings } from '@storeport/testing/postgres-on-demand'
import { type FakeClock, findFakeTime, startFakeClock } from '@storeport/testing/fake-clock'
import { dataFolder } from '@storeport/testing/start-host-process'
import { startPostgres } from '@storeport/testing/start-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscribedShopOf, emailOf } from './shop.ts'
import { type ClickHost, type ClickPath, startClickHost } from './start-click-host.ts'

/*
 * Changes the clock of the hosts and their database while they run. A clock change must never cause a second order from
 * sendNow. For other requests, the tests check the effects that `docs/guide/retries.md` documents.
 */

const found = findFakeTime()
const noon = '2026-03-10T12:00:00Z'
const databases = [
  { name: 'SQLite', open: openFile },
  { name: 'PostgreSQL with the same clock', open: openServer },
]

describe.each(databases)('clock change: $name', ({ open }) => {
  if ('missing' in found) return it.skip(found.missing, () => {})
  const { library } = found
  let clock: FakeClock
  let database: Awaited<ReturnType<typeof open>>
  let hosts: readonly [ClickHost, ClickHost]
  let customers = 0

  beforeAll(async () => {
    clock = await startFakeClock(library, noon)
    database = await open(clock)
    // Seeds the shop with dates close to the date of the fake clock.
    const store = await openSqlStore({
      url: database.url,
      today: '2026-03-10',
      data: subscribedShopOf(40),
      seed: 'if-empty',
    })
    await store.close()
    const start = () => startClickHost({ url: database.url }, clock.env)
    hosts = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    for (const host of hosts) await host.kill()
    await database.stop()
    await clock.end()
  })

  /**
   * Sends one request at each time, alternating between the hosts. Returns the responses, and the number of orders or
   * beans after each request.
   */
  async function effectsOf(path: ClickPath, times: readonly string[], key?: (turn: number) => string) {
    const email = emailOf(customers++)
    const body = path === '/upsells/add-product' ? { email, product_id: 'beans' } : { email }
    const effects: number[] = []
    const responses: string[] = []
    for (const [turn, time] of times.entries()) {
      await clock.set(time)
      const { status, code } = await (turn % 2 === 0 ? hosts[0] : hosts[1]).send(
        path,
        body,
        // A key must be unique across customers and endpoints.
        key && `${key(turn)}-of-${email}`,
      )
      responses.push(`${status} ${code}`.trim())
      effects.push(await database.count(email, path === '/upsells/add-product'))
    }
    return { effects, responses }
  }

  describe.each([
    { name: 'with the same key', key: () => 'one-key' },
    { name: 'with a new key each time', key: (turn: number) => `key-${turn}` },
    { name: 'without a key', key: undefined },
  ])('sendNow $name', ({ key }) => {
    it.each([
      ['moves an hour back, then forward', [noon, '2026-03-10T11:00:00Z', '2026-03-10T12:01:00Z']],
      ['moves back across midnight, then forward', ['2026-03-10T00:30', '2026-03-09T23:30', '2026-03-10T00:31']],
      ['moves a day back, then forward', [noon, '2026-03-09T12:00:00Z', '2026-03-10T12:01:00Z']],
      ['moves a year back, then forward', [noon, '2025-03-10T12:00:00Z', '2026-03-10T12:01:00Z']],
      [
        'moves a few seconds across midnight and back',
        ['2026-03-10T23:59:59', '2026-03-11T00:00:03', '2026-03-10T23:59:58'],
      ],
      ['passes midnight', ['2026-03-10T23:50', '2026-03-11T00:05', '2026-03-11T00:45']],
    ])('creates one order when the clock %s', async (_, times) => {
      const { effects, responses } = await effectsOf('/customer-portal/send-now', times.map(inUtc), key)
      expect({ effects, responses }).toMatchObject({ effects: times.map(() => 1) })
      expect(responses.every((each) => each === '200' || each === '400 order_already_processing')).toBe(true)
    })
  })

  it('creates the next order on the next day', async () => {
    const times = [noon, '2026-03-11T12:00:00Z']
    expect((await effectsOf('/customer-portal/send-now', times)).effects).toEqual([1, 2])
  })

  it('applies a repeated add once when the clock moves by less than the window', async () => {
    const times = [noon, '2026-03-10T11:59:58Z', '2026-03-10T12:00:01Z']
    expect((await effectsOf('/upsells/add-product', times)).effects).toEqual([1, 1, 1])
  })

  it('applies a repeated add with a key once when the clock moves by less than a day in either direction', async () => {
    const back = [noon, '2026-03-10T11:00:00Z', '2026-03-10T01:00:00Z', '2026-03-10T12:01:00Z']
    const forward = [noon, '2026-03-10T13:00:00Z', '2026-03-11T11:59:00Z', '2026-03-10T12:01:00Z']
    for (const times of [back, forward]) {
      const { effects } = await effectsOf('/upsells/add-product', times, () => 'one-key')
      expect(effects).toEqual([1, 1, 1, 1])
    }
  })

  it.each([
    ['replays an add with a key when the clock moves back by more than a day', '2026-03-09T11:59:00Z', [1, 1]],
    ['applies an add with a key again when the clock moves forward by more than a day', '2026-03-11T12:01:00Z', [1, 2]],
  ])('%s (decision 22)', async (_, time, counts) => {
    const { effects } = await effectsOf('/upsells/add-product', [noon, time], () => `key-until-${time}`)
    expect(effects).toEqual(counts)
  })

  it('restarts the window of an add when the clock moves back (decision 22)', async () => {
    const times = [noon, '2026-03-10T11:00:00Z', '2026-03-10T11:00:04Z', '2026-03-10T11:00:30Z']
    expect((await effectsOf('/upsells/add-product', times)).effects).toEqual([1, 1, 1, 2])
  })

  it('treats a repeated add as new when the clock moves forward by more than the window', async () => {
    const times = [noon, '2026-03-10T13:00:00Z', '2026-03-10T13:00:01Z']
    expect((await effectsOf('/upsells/add-product', times)).effects).toEqual([1, 2, 2])
  })
})

function inUtc(time: string): string {
  return new Date(time.endsWith('Z') ? time : `${time}${time.length === 16 ? ':00' : ''}Z`).toISOString()
}

interface SetDatabase {
  readonly url: string
  /** Returns the quantity of beans in the customer's subscription, or the number of orders if `beans` is false. */
  count(email: string, beans: boolean): Promise<number>
  stop(): Promise<void>
}

async function openFile(): Promise<SetDatabase> {
  const url = `sqlite:${join(await dataFolder(), 'shop.db')}`
  const { count, close } = await openCounter(url)
  return { url, count, stop: close }
}

async function openServer(clock: FakeClock): Promise<SetDatabase> {
  const server = await clock.startUnder(() => startPostgres(fastSettings))
  const url = await server.createDatabase()
  const { count, close } = await openCounter(url)
  return {
    url,
    count,
    stop: async () => {
      await close()
      await server.stop()
    },
  }
}

async function openCounter(url: string) {
  const store = await openSqlStore({ url, today: '2026-03-10' })
  return {
    close: () => store.close(),
    count: async (email: string, beans: boolean) => {
      if (!beans) return (await store.orders(email)).length
      const items = (await store.account(email))?.subscriptions.flatMap((subscription) => subscription.items) ?? []
      return items.find(({ product_id }) => product_id === 'beans')?.quantity ?? 0
    },
  }
}

describe('two hosts with different clocks', () => {
  if ('missing' in found) return it.skip(found.missing, () => {})
  const { library } = found

  /**
   * Sends one sendNow request to each of two hosts, whose clocks start at `times`. Returns the codes and the number of
   * orders.
   */
  async function sendToBoth(url: string, times: readonly string[], nextBilling: string) {
    const items = [{ id: 'item_0', product_id: 'filters' }]
    const customers = [{ email: emailOf(0), subscriptions: [{ id: 'sub_0', next_billing_date: nextBilling, items }] }]
    const data = { ...subscribedShopOf(0), customers }
    const store = await openSqlStore({ url, data, today: times[0]?.slice(0, 10), seed: 'if-empty' })
    const codes: string[] = []
    for (const [turn, time] of times.entries()) {
      const clock = await startFakeClock(library, time)
      const host = await startClickHost({ url }, clock.env)
      codes.push((await host.send('/customer-portal/send-now', { email: emailOf(0) }, `key-${turn}`)).code)
      await host.kill()
      await clock.end()
    }
    const orders = (await store.orders(emailOf(0))).length
    await store.close()
    return { codes, orders }
  }

  it("creates one order on PostgreSQL, because sendNow uses the database's date and time", async () => {
    const server = await startPostgres(fastSettings)
    const times = [0, 25].map((hours) => new Date(Date.now() + hours * 60 * 60_000).toISOString())
    const sent = await sendToBoth(await server.createDatabase(), times, '2099-01-01')
    expect(sent).toEqual({ codes: ['', 'order_already_processing'], orders: 1 })
    await server.stop()
  })

  it.each([
    ['90 minutes', '2026-03-10T23:00:00Z', '2026-03-11T00:30:00Z'],
    ['23 hours', noon, '2026-03-11T11:00:00Z'],
    ['25 hours', noon, '2026-03-11T13:00:00Z'],
  ])('creates two orders on SQLite if the clocks are %s apart', async (_, ...times) => {
    const url = `sqlite:${join(await dataFolder(), 'shop.db')}`
    expect(await sendToBoth(url, times, '2026-04-20')).toEqual({ codes: ['', ''], orders: 2 })
  })
})
