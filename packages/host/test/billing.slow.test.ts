import { join } from 'node:path'
import { createClient } from '@storeport/client'
import { openSqlStore, type SqlStoreOptions } from '@storeport/store-sql'
import { describe, expect, it, vi } from 'vitest'
import { dataFolder, run } from '@storeport/testing/start-host-process'
import { key } from './open-host.ts'
import { openProcess } from './open-process.ts'

const email = 'subscription@example.com'

/** Settings of hosts that share one database, at a date. */
async function createPlace() {
  const folder = await dataFolder()
  const env = { STOREPORT_DATA: folder, STOREPORT_API_KEYS: key }
  return { at: (STOREPORT_TODAY: string) => ({ ...env, STOREPORT_TODAY }), url: `sqlite:${join(folder, 'store.db')}` }
}

/** Does something with the database while no host has it. */
async function lookInto<Found>(
  options: SqlStoreOptions,
  look: (store: Awaited<ReturnType<typeof openSqlStore>>) => Found | Promise<Found>,
): Promise<Found> {
  const store = await openSqlStore(options)
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

async function startHost(env: Record<string, string>) {
  const host = await openProcess({ STOREPORT_STORE: 'sqlite', ...env })
  const shop = createClient({ baseUrl: host.url, apiKey: key })
  return {
    shop,
    output: host.output,
    nextDate: async () => (await shop.getSubscription({ email })).next_billing_date,
    /** Ends the host, which finishes what its job has begun, and returns the lines of its log before its end that are no calls. */
    end: async () => {
      const { code, lines } = await host.stop()
      expect([code, lines.pop()?.['msg']]).toEqual([0, 'stopped'])
      return lines.filter(({ msg }) => msg !== 'call')
    },
  }
}

/** A shop that somebody else has filled, with one order due on 24 March. */
const ownData: SqlStoreOptions['data'] = {
  products: [{ id: 'tea', title: 'Tea', price: 5, images: ['https://shop.example/tea.jpg'] }],
  customers: [
    {
      email,
      subscriptions: [{ id: 'sub_1', next_billing_date: '2026-03-24', items: [{ id: 'line_1', product_id: 'tea' }] }],
    },
  ],
}

describe('a host that is left alone', () => {
  it('bills what has come due under a later STOREPORT_TODAY, and answers a date ahead', async () => {
    const { at, url } = await createPlace()
    const before = await startHost(at('2026-03-10'))
    expect(await before.nextDate()).toBe('2026-03-24')
    expect(await before.end()).toEqual([])

    const today = '2026-06-30'
    const after = await startHost(at(today))
    await vi.waitUntil(() => after.output.stdout.includes('billed what was due'), { timeout: 30_000 })
    expect(await after.nextDate()).toBe('2026-07-02')
    const [line, ...others] = await after.end()
    expect([line, others]).toEqual([
      { level: 30, time: expect.any(Number), orders: 3, ms: expect.any(Number), msg: 'billed what was due' },
      [],
    ])
    const orders = await lookInto({ url, today }, (store) => store.orders())
    expect(orders.map(({ subscription_id }) => subscription_id).toSorted()).toEqual([
      'sub_1001',
      'sub_1002',
      'sub_3001',
    ])
    expect(new Set(orders.map(({ placed_on }) => placed_on))).toEqual(new Set([today]))
  })

  it('says in its log that STOREPORT_TODAY was set back', async () => {
    const { at, url } = await createPlace()
    await lookInto({ url, today: '2026-03-10', seed: 'if-empty' }, () => {})
    expect((await run(at('2026-06-30'), ['bill']).exited).code).toBe(0)
    const host = await startHost(at('2026-03-11'))
    expect(await host.nextDate()).toBe('2026-07-02')
    expect(await host.end()).toMatchObject([
      { level: 40, today: '2026-03-11', latestOrderOn: '2026-06-30', msg: expect.stringContaining('set back') },
    ])
  })

  it('leaves the orders of a database that it did not seed to others, unless it is told to', async () => {
    const { at, url } = await createPlace()
    const today = '2026-03-25'
    const ordersNow = () => lookInto({ url, today }, (store) => store.orders())
    await lookInto({ url, today: '2026-03-10', seed: 'if-empty', data: ownData }, () => {})
    const host = await startHost(at(today))
    expect(await host.nextDate()).toBe('2026-04-24')
    await host.end()
    expect(await ordersNow()).toEqual([])
    await (await startHost({ ...at(today), STOREPORT_BILLING: 'on' })).end()
    expect(await ordersNow()).toHaveLength(1)
  })
})

describe('storeport bill', () => {
  it('makes each order once, also when it runs twice, at once and in a row', async () => {
    const { at, url } = await createPlace()
    const today = '2026-03-25'
    await lookInto({ url, today: '2026-03-10', seed: 'if-empty' }, () => {})
    const runBill = () => run(at(today), ['bill']).exited
    const atOnce = await Promise.all([runBill(), runBill()])
    const made = atOnce.map(({ stdout }) => Number(/^(\d+) orders? (?:was|were) made\n$/.exec(stdout)?.[1]))
    expect(atOnce).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ])
    expect(made.reduce((sum, orders) => sum + orders, 0)).toBe(2)
    expect(await runBill()).toMatchObject({ code: 0, stdout: '0 orders were made\n', stderr: '' })
    const orders = await lookInto({ url, today }, (store) => store.orders())
    expect(orders.map(({ subscription_id }) => subscription_id).toSorted()).toEqual(['sub_1001', 'sub_3001'])
  })

  it.each([
    [{ STOREPORT_STORE: 'memory' }, 'storeport: bill: STOREPORT_STORE must be a database'],
    [{ STOREPORT_STORE: 'postgres://127.0.0.1:1/shop' }, 'storeport: STOREPORT_STORE: '],
    [{ STOREPORT_CURRENCY: 'XXX' }, 'storeport: STOREPORT_CURRENCY: must be a code of ISO 4217'],
  ])('refuses %j with a clear message and exit code 1', async (env, message) => {
    const ended = await run({ STOREPORT_DATA: await dataFolder(), ...env }, ['bill']).exited
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain(message)
  })
})

describe('what a caller sees of a host', () => {
  it('are the ids of listProducts in the subscription, before a swap and after it', async () => {
    const { at } = await createPlace()
    const { shop } = await startHost(at('2026-03-10'))
    const listed = (await shop.listProducts({})).products.map(({ id }) => id)
    const itemIds = async () => (await shop.getSubscription({ email })).items.map(({ id }) => id)
    expect(listed).toEqual(['test_12345', 'test_67890', 'test_54321'])
    expect(await itemIds()).toEqual(['test_12345', 'test_67890'])
    await shop.swapProduct({ email, current_item_id: 'test_12345', new_product_id: 'test_54321' })
    expect(await itemIds()).toEqual(['test_54321', 'test_67890'])
  })

  it('are amounts in STOREPORT_CURRENCY, which a database keeps', async () => {
    const { at } = await createPlace()
    const env = at('2026-03-10')
    const priceIn = async (currency: Record<string, string>) => {
      const { shop, end } = await startHost({ ...env, ...currency })
      const { products } = await shop.listProducts({})
      await end()
      return products[0]?.price
    }
    expect(await priceIn({ STOREPORT_CURRENCY: 'JPY' })).toBe(1995)
    expect(await priceIn({})).toBe(1995)
    const refused = await run({ ...env, PORT: '0', STOREPORT_CURRENCY: 'KWD' }).exited
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^storeport: .*JPY/)
  })
})
