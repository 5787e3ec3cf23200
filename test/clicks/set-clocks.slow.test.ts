import { join } from 'node:path'
import { openSqlStore } from '@storeport/store-sql'
import { fastSettings } from '@storeport/testing/postgres-on-demand'
import { type FakeClock, findFakeTime, startFakeClock } from '@storeport/testing/fake-clock'
import { dataFolder } from '@storeport/testing/start-host-process'
import { startPostgres } from '@storeport/testing/start-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxesOf, emailOf } from './shop.ts'
import { type ClickHost, type ClickPath, startClickHost } from './start-click-host.ts'

/*
 * The clock of the machine, that of a host and of its database, is set while they run. It never makes a second box of
 * sendNow. What a clock that was set does to the other calls is written down here: as much as `docs/guide/retries.md` says.
 */

const found = findFakeTime()
const noon = '2026-03-10T12:00:00Z'
const databases = [
  { name: 'SQLite', open: openFile },
  { name: 'PostgreSQL, whose server runs by the same clock', open: openServer },
]

describe.each(databases)('a clock that is set: $name', ({ open }) => {
  if ('missing' in found) return it.skip(found.missing, () => {})
  const { library } = found
  let clock: FakeClock
  let database: Awaited<ReturnType<typeof open>>
  let hosts: readonly [ClickHost, ClickHost]
  let customers = 0

  beforeAll(async () => {
    clock = await startFakeClock(library, noon)
    database = await open(clock)
    // The dates of the shop are around the day of its clock.
    const store = await openSqlStore({ url: database.url, today: '2026-03-10', data: boxesOf(40), seed: 'if-empty' })
    await store.close()
    const start = () => startClickHost({ url: database.url }, clock.env)
    hosts = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    for (const host of hosts) await host.kill()
    await database.stop()
    await clock.end()
  })

  /** Sends a call at each time, to the hosts in turn; returns how many orders or beans there are after each. */
  async function effectsOf(path: ClickPath, times: readonly string[], key?: (turn: number) => string) {
    const email = emailOf(customers++)
    const body = path === '/upsells/add-product' ? { email, product_id: 'beans' } : { email }
    const effects: number[] = []
    const answers: string[] = []
    for (const [turn, time] of times.entries()) {
      await clock.set(time)
      const { status, code } = await (turn % 2 === 0 ? hosts[0] : hosts[1]).send(
        path,
        body,
        // A key names one click of one endpoint, whoever's it is.
        key && `${key(turn)}-of-${email}`,
      )
      answers.push(`${status} ${code}`.trim())
      effects.push(await database.count(email, path === '/upsells/add-product'))
    }
    return { effects, answers }
  }

  describe.each([
    { name: 'under the same key', key: () => 'one-key' },
    { name: 'under a new key each', key: (turn: number) => `key-${turn}` },
    { name: 'without a key', key: undefined },
  ])('sendNow, $name, is one box', ({ key }) => {
    it.each([
      ['an hour back, and forth', [noon, '2026-03-10T11:00:00Z', '2026-03-10T12:01:00Z']],
      ['an hour back over midnight, and forth', ['2026-03-10T00:30', '2026-03-09T23:30', '2026-03-10T00:31']],
      ['a day back, and forth', [noon, '2026-03-09T12:00:00Z', '2026-03-10T12:01:00Z']],
      ['a year back, and forth', [noon, '2025-03-10T12:00:00Z', '2026-03-10T12:01:00Z']],
      [
        'a few seconds over midnight, back and forth',
        ['2026-03-10T23:59:59', '2026-03-11T00:00:03', '2026-03-10T23:59:58'],
      ],
      ['by itself over midnight', ['2026-03-10T23:50', '2026-03-11T00:05', '2026-03-11T00:45']],
    ])('%s', async (_, times) => {
      const { effects, answers } = await effectsOf('/customer-portal/send-now', times.map(inUtc), key)
      expect({ effects, answers }).toMatchObject({ effects: times.map(() => 1) })
      expect(answers.every((answer) => answer === '200' || answer === '400 order_already_processing')).toBe(true)
    })
  })

  it('sends the next box on the next day', async () => {
    const times = [noon, '2026-03-11T12:00:00Z']
    expect((await effectsOf('/customer-portal/send-now', times)).effects).toEqual([1, 2])
  })

  it('counts a repeated add once when the clock is set by less than the window', async () => {
    const times = [noon, '2026-03-10T11:59:55Z', '2026-03-10T12:00:03Z']
    expect((await effectsOf('/upsells/add-product', times)).effects).toEqual([1, 1, 1])
  })

  it('counts a repeated add with its key once when the clock is set by less than a day, either way', async () => {
    const back = [noon, '2026-03-10T11:00:00Z', '2026-03-10T01:00:00Z', '2026-03-10T12:01:00Z']
    const forth = [noon, '2026-03-10T13:00:00Z', '2026-03-11T11:59:00Z', '2026-03-10T12:01:00Z']
    for (const times of [back, forth]) {
      const { effects } = await effectsOf('/upsells/add-product', times, () => 'one-key')
      expect(effects).toEqual([1, 1, 1, 1])
    }
  })

  it.each([
    ['back', '2026-03-09T11:59:00Z', [1, 1]],
    ['forward', '2026-03-11T12:01:00Z', [1, 2]],
  ])(
    'replays an add with its key for a day, when the clock was set %s by more (decision 22)',
    async (_, time, counts) => {
      const { effects } = await effectsOf('/upsells/add-product', [noon, time], () => `key-until-${time}`)
      expect(effects).toEqual(counts)
    },
  )

  it('replays an add within its window, which starts again when the clock was set back (decision 22)', async () => {
    const times = [noon, '2026-03-10T11:00:00Z', '2026-03-10T11:00:09Z', '2026-03-10T11:00:11Z']
    expect((await effectsOf('/upsells/add-product', times)).effects).toEqual([1, 1, 1, 2])
  })

  it('takes an add for a new one when the clock was set forth by more than the window', async () => {
    const times = [noon, '2026-03-10T13:00:00Z', '2026-03-10T13:00:01Z']
    expect((await effectsOf('/upsells/add-product', times)).effects).toEqual([1, 2, 2])
  })
})

function inUtc(time: string): string {
  return new Date(time.endsWith('Z') ? time : `${time}${time.length === 16 ? ':00' : ''}Z`).toISOString()
}

interface SetDatabase {
  readonly url: string
  /** How many orders a customer has, or how many beans were added to their subscription. */
  count(email: string, beans: boolean): Promise<number>
  stop(): Promise<void>
}

async function openFile(): Promise<SetDatabase> {
  const url = `sqlite:${join(await dataFolder(), 'shop.db')}`
  const { count, close } = await openCount(url)
  return { url, count, stop: close }
}

async function openServer(clock: FakeClock): Promise<SetDatabase> {
  const server = await clock.startUnder(() => startPostgres(fastSettings))
  const url = await server.createDatabase()
  const { count, close } = await openCount(url)
  return {
    url,
    count,
    stop: async () => {
      await close()
      await server.stop()
    },
  }
}

async function openCount(url: string) {
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

describe('two hosts over PostgreSQL whose own clocks differ by 25 hours', () => {
  if ('missing' in found) return it.skip(found.missing, () => {})
  const { library } = found

  it('send one box: the date and the time of sendNow are those of the database', async () => {
    const server = await startPostgres(fastSettings)
    const ahead = await startFakeClock(library, new Date(Date.now() + 25 * 60 * 60_000).toISOString())
    const url = await server.createDatabase()
    const items = [{ id: 'item_0', product_id: 'filters' }]
    const customers = [{ email: emailOf(0), subscriptions: [{ id: 'sub_0', next_billing_date: '2099-01-01', items }] }]
    const store = await openSqlStore({ url, data: { ...boxesOf(0), customers }, seed: 'if-empty' })
    const hosts = [await startClickHost({ url }), await startClickHost({ url }, ahead.env)] as const
    const answers: string[] = []
    for (const [turn, host] of [hosts[0], hosts[1], hosts[0]].entries()) {
      const { status, code } = await host.send('/customer-portal/send-now', { email: emailOf(0) }, `key-${turn}`)
      answers.push(`${status} ${code}`.trim())
    }
    expect(answers).toEqual(['200', '400 order_already_processing', '400 order_already_processing'])
    expect(await store.orders(emailOf(0))).toHaveLength(1)
    await store.close()
    for (const host of hosts) await host.kill()
    await server.stop()
    await ahead.end()
  })
})
