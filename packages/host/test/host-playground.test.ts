import type { DemoState } from '@storeport/playground'
import { dataFolder } from '@storeport/testing/start-host-process'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../src/settings/settings.ts'
import { enterPlayground } from './enter-playground.ts'
import { key } from '@storeport/testing/send'
import { openHost, openHostWithStore } from './open-host.ts'

const today = '2026-03-10'

/** Starts a host with the seed in memory and signs in to its playground. */
async function openPage(env: Record<string, string> = {}, replaced: Parameters<typeof openHost>[1] = {}) {
  const data = await dataFolder()
  const settings = { STOREPORT_PLAYGROUND: 'on', STOREPORT_DATA: data, STOREPORT_TODAY: today, ...env }
  const host = await openHost(settings, replaced)
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

  it.each(['memory', 'sqlite'])('restores the seed data and deletes stored clicks: %s', async (STOREPORT_STORE) => {
    const page = await enterPlayground(await openHostWithStore({ STOREPORT_TODAY: today, STOREPORT_STORE }))
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
      const input = { email, product_id: 'test_54321', quantity: 1, discount_code: 'TEST10' }
      expect(await (await page.post('/playground/call', { endpoint: 'addProduct', input })).text()).not.toContain(key)
      const action = { email, action_id: 'change_to_quarterly' }
      await page.post('/playground/call', { endpoint: 'runCustomAction', input: action })
      expect(await look()).toMatchObject({
        orders: [{ email }],
        discount_uses: [{ code: 'TEST10' }],
        actions_run: [action],
      })
      expect((await page.post('/playground/reset', {})).status).toBe(200)
      expect(await look()).toEqual(seed)
    }
  })
})
