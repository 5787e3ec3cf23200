import { afterEach, describe, expect, it } from 'vitest'
import { endpointNames } from '@storeport/core'
import { ask } from './ask.ts'
import { apiKey, type RunningShop, type ShopOptions, startShop } from './start-shop.ts'

let shop: RunningShop | undefined
afterEach(() => shop?.stop())

async function configOf(options: ShopOptions = {}): Promise<unknown> {
  await shop?.stop()
  shop = await startShop(options)
  const reply = await ask(`${shop.url}/playground/config`)
  expect(reply.status).toBe(200)
  expect(reply.text).not.toContain(apiKey)
  return reply.json()
}

describe('the configuration', () => {
  it('tells what there is to show, and never the key', async () => {
    expect(await configOf({ playground: { shopName: undefined, data: undefined } })).toMatchObject({
      shopName: new URL(shop?.url ?? '').host,
      baseUrl: shop?.url,
      data: 'shop',
      referencePath: null,
      beside: { look: false, time: false, reset: false },
      basePath: '/integration',
      apiKeyHeader: 'X-Integration-API-Key',
      testMode: false,
      today: '2026-03-10',
      currency: 'USD',
      offered: endpointNames,
      problem: null,
      customers: [
        { email: 'subscription@example.com', role: 'subscribed' },
        { email: 'cancelled@example.com', role: 'cancelled' },
        { email: 'another@example.com', role: 'neighbour' },
        { email: 'test@example.com', role: 'empty' },
        { email: 'nobody.at.all@example.com', role: 'unknown' },
      ],
      discountCodes: ['TEST10', 'TEST20', 'COMEBACK15', 'FIVEOFF', 'EXPIRED5'],
    })
  })

  it('tells the name of the shop, what its customers are, and what the page may do besides the API', async () => {
    const billed = { today: '2026-03-11', billed: 0 }
    const playground: ShopOptions['playground'] = {
      shopName: 'Corner Coffee',
      data: 'test',
      referencePath: '/docs',
      customerLabels: { 'cancelled@example.com': 'Left two days ago' },
      beside: { moveDate: async () => billed, reset: async () => billed },
      today: async () => '2026-03-11',
    }
    expect(await configOf({ playground })).toMatchObject({
      shopName: 'Corner Coffee',
      data: 'test',
      referencePath: '/docs',
      today: '2026-03-11',
      beside: { look: false, time: true, reset: true },
      customers: expect.arrayContaining([
        { email: 'cancelled@example.com', role: 'cancelled', label: 'Left two days ago' },
        { email: 'another@example.com', role: 'neighbour' },
      ]),
    })
  })

  it('takes codes and actions from the profile when nothing else is given', async () => {
    expect(await configOf({ playground: { discountCodes: undefined, actions: undefined } })).toMatchObject({
      discountCodes: ['TEST10', 'FIVEOFF', 'EXPIRED5'],
      actions: [{ id: 'join_waitlist_product_123' }],
    })
  })

  it('names nobody without a profile', async () => {
    const playground = { profile: undefined, discountCodes: undefined, actions: undefined }
    expect(await configOf({ playground })).toMatchObject({ customers: [], discountCodes: [], actions: [] })
  })

  it("tells the shop's day, in its time zone", async () => {
    const now = () => new Date('2026-03-10T23:30:00Z')
    const { seedProfile } = await import('@storeport/conformance')
    const profile = { ...seedProfile, timeZone: 'Asia/Tokyo' }
    expect(await configOf({ playground: { profile, now } })).toMatchObject({ today: '2026-03-11' })
  })

  it('finds out what a shop offers by asking, without changing anything', async () => {
    const config = await configOf({
      store: ({ listProducts, addProduct, getSubscription }) => ({ listProducts, addProduct, getSubscription }),
      playground: { offered: undefined },
    })
    expect(config).toMatchObject({ offered: ['listProducts', 'addProduct', 'getSubscription'], problem: null })
    expect(shop?.store.orders()).toEqual([])
  })

  it('says why a shop could not be asked, and asks again the next time', async () => {
    shop = await startShop({
      integration: { apiKeys: ['another-key-than-the-one-of-the-playground'] },
      playground: { offered: undefined },
    })
    for (const turn of ['first', 'second']) {
      const reply = await ask(`${shop.url}/playground/config`)
      expect(reply.json(), turn).toMatchObject({ offered: [], problem: expect.stringContaining('refuses the API key') })
    }
  })
})
