import type { DemoState } from '@storeport/playground'
import { dataFolder } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../src/settings/settings.ts'
import { startHost } from '../src/start-host.ts'
import { enterPlayground } from './enter-playground.ts'
import { key, openHost } from './open-host.ts'

const today = '2026-03-10'

/** Starts a host with the seed in memory and signs in to its playground. */
async function openPage(env: Record<string, string> = {}, replaced: Parameters<typeof openHost>[1] = {}) {
  const data = await dataFolder()
  const settings = { STOREPORT_PLAYGROUND: 'on', STOREPORT_DATA: data, STOREPORT_TODAY: today, ...env }
  const host = await openHost(settings, { seeded: { today }, ...replaced })
  return { ...host, ...(await enterPlayground(host)) }
}

describe('the playground of the host', () => {
  it('labels the seed data as the example shop', async () => {
    const page = await openPage()
    expect(await (await page.get('/playground/config')).json()).toMatchObject({
      shopName: 'Corner Coffee',
      data: 'test',
      referencePath: '/docs',
      today,
      demo: true,
      customers: [
        { email: 'subscription@example.com', label: 'Subscriber, two boxes' },
        { email: 'cancelled@example.com', label: 'Left two days ago' },
        { email: 'another@example.com' },
        { email: 'test@example.com', label: 'New customer' },
        { email: 'nobody.at.all@example.com', label: 'Not a customer' },
      ],
    })
    expect((await page.get('/docs')).status).toBe(200)
  })

  it('displays STOREPORT_SHOP_NAME as the shop name, and rejects invalid names', async () => {
    const page = await openPage({ STOREPORT_SHOP_NAME: ' Moka & Sons ' })
    expect(await (await page.get('/playground/config')).json()).toMatchObject({ shopName: 'Moka & Sons' })
    expect(() => readSettings(['--shop-name', 'a\nb'], {})).toThrow('STOREPORT_SHOP_NAME')
    expect(() => readSettings(['--shop-name', 'a'.repeat(61)], {})).toThrow('STOREPORT_SHOP_NAME')
  })

  it("has no demo controls if the data is not the host's seed data", async () => {
    const page = await openPage({}, { isHostSeed: false })
    expect(await (await page.get('/playground/config')).json()).toMatchObject({
      shopName: new URL(page.url).host,
      data: 'shop',
      demo: false,
      customers: [],
    })
    expect((await page.get('/playground/shop')).status).toBe(404)
  })

  it('shows subscriptions, orders, discount code uses and action runs', async () => {
    const page = await openPage()
    const send = async (endpoint: string, input: object) => {
      const post = () => page.post('/playground/call', { endpoint, input })
      for (const response of await Promise.all([post(), post()])) expect(await response.text()).not.toContain(key)
    }
    await send('addProduct', {
      ...{ email: 'test@example.com', product_id: 'test_12345', quantity: 2 },
      discount_code: 'TEST10',
    })
    await send('runCustomAction', { email: 'test@example.com', action_id: 'claim_discount_10off' })
    await send('sendNow', { email: 'subscription@example.com' })
    const response = await page.get('/playground/shop')
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the response has no schema
    const { orders, discount_uses, actions_run, subscriptions } = (await response.json()) as DemoState
    expect(orders).toMatchObject([
      {
        ...{ email: 'subscription@example.com', kind: 'subscription', subscription_id: 'sub_1001' },
        ...{ status: 'processing', placed_on: today, items_minor: 6985, total_minor: 7603 },
        lines: [
          { product_id: 'test_12345', title: 'House Espresso, 500 g', quantity: 2, price_minor: 1995 },
          { product_id: 'test_67890', quantity: 1 },
        ],
      },
      { email: 'test@example.com', kind: 'one_off', subscription_id: null, discount_minor: 399, total_minor: 3591 },
    ])
    expect(discount_uses).toMatchObject([{ email: 'test@example.com', code: 'TEST10', order_id: orders[1]?.id }])
    expect(actions_run).toEqual([{ email: 'test@example.com', action_id: 'claim_discount_10off', run_on: today }])
    expect(subscriptions.find(({ id }) => id === 'sub_1001')).toMatchObject({
      ...{ email: 'subscription@example.com', status: 'active' },
      lines: [{ title: 'House Espresso, 500 g' }, {}],
    })
  })

  it.each(['memory', 'sqlite'])('restores the seed data and deletes stored clicks: %s', async (STOREPORT_STORE) => {
    const variables = { PORT: '0', STOREPORT_LOG: 'silent', STOREPORT_TODAY: today, STOREPORT_STORE }
    const host = await startHost(readSettings([], { ...variables, STOREPORT_DATA: await dataFolder() }))
    onTestFinished(() => host.close())
    const page = await enterPlayground(host)
    const look = async (): Promise<DemoState> => JSON.parse(await (await page.get('/playground/shop')).text())
    const email = 'subscription@example.com'
    const seed = await look()
    const own = seed.subscriptions.filter((one) => one.email === email)
    expect(own.map(({ id, next_billing_date }) => [id, next_billing_date])).toEqual([
      ['sub_1001', '2026-03-24'],
      ['sub_1002', '2026-04-09'],
    ])
    // The same clicks change the data again, because a reset deletes the stored clicks.
    for (let turn = 0; turn < 2; turn += 1) {
      await page.post('/playground/call', { endpoint: 'sendNow', input: { email } })
      const action = { email, action_id: 'change_to_quarterly' }
      await page.post('/playground/call', { endpoint: 'runCustomAction', input: action })
      expect(await look()).toMatchObject({ orders: [{ email }], actions_run: [action] })
      expect((await page.post('/playground/reset', {})).status).toBe(200)
      expect(await look()).toEqual(seed)
    }
  })
})
