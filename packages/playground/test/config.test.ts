import { seedProfile } from '@storeport/conformance'
import { endpointNames } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import { createDescription } from '../src/describe-playground.ts'
import { connectShop } from '../src/shop-connection.ts'
import { ask } from './ask.ts'
import { apiKey, type RunningShop, type ShopOptions, shopForTest, token, urlForTest } from './start-shop.ts'

async function configOf(options: ShopOptions | RunningShop): Promise<unknown> {
  const shop = 'url' in options ? options : await shopForTest(options)
  const reply = await ask(`${shop.url}/playground/config`)
  expect(reply.status).toBe(200)
  expect(reply.text).not.toContain(apiKey)
  return reply.json()
}

describe('the configuration', () => {
  it('tells what there is to show, and never the key', async () => {
    const shop = await shopForTest({ playground: { shopName: undefined, data: undefined } })
    expect(await configOf(shop)).toMatchObject({
      shopName: new URL(shop.url).host,
      baseUrl: shop.url,
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
        { email: 'another@example.com', role: 'otherCustomer' },
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
        { email: 'another@example.com', role: 'otherCustomer' },
      ]),
    })
  })

  it.each([
    [
      'from the profile',
      {},
      { discountCodes: ['TEST10', 'FIVEOFF', 'EXPIRED5'], actions: [{ id: 'join_waitlist_product_123' }] },
    ],
    ['nowhere without a profile', { profile: undefined }, { customers: [], discountCodes: [], actions: [] }],
  ])('takes codes and actions %s when nothing else is given', async (_where, options, expected) => {
    const playground = { discountCodes: undefined, actions: undefined, ...options }
    expect(await configOf({ playground })).toMatchObject(expected)
  })

  it("tells the shop's day, in its time zone", async () => {
    const now = () => new Date('2026-03-10T23:30:00Z')
    const profile = { ...seedProfile, timeZone: 'Asia/Tokyo' }
    expect(await configOf({ playground: { profile, now } })).toMatchObject({ today: '2026-03-11' })
  })

  it('finds out what a shop offers by asking, without changing anything', async () => {
    const shop = await shopForTest({
      store: ({ listProducts, addProduct, getSubscription }) => ({ listProducts, addProduct, getSubscription }),
      playground: { offered: undefined },
    })
    const offered = ['listProducts', 'addProduct', 'getSubscription']
    expect(await configOf(shop)).toMatchObject({ offered, problem: null })
    expect(shop.store.orders()).toEqual([])
  })

  it('says why a shop could not be asked, and asks again the next time', async () => {
    const shop = await shopForTest({
      integration: { apiKeys: ['another-key-than-the-one-of-the-playground'] },
      playground: { offered: undefined },
    })
    const refused = { offered: [], problem: expect.stringContaining('rejects the API key') }
    for (const turn of ['first', 'second']) expect(await configOf(shop), turn).toMatchObject(refused)
  })
})

it('a server that hangs is asked once however many wait, and none waits for long', async () => {
  let asked = 0
  const target = { baseUrl: await urlForTest(() => (asked += 1)), apiKey }
  const read = createDescription({ target, token }, connectShop(target), 50)
  for (const config of await Promise.all([read(), read(), read()])) {
    expect(config.offered).toEqual([])
    expect(config.problem).toMatch(
      /^127\.0\.0\.1:\d+ has not said yet what it offers: load the page again in a moment$/,
    )
  }
  await expect.poll(() => asked).toBe(1)
  await read()
  expect(asked).toBe(1)
})

it('a shop without products and customers is one like any other', async () => {
  const config = await configOf({
    store: () => createMemoryStore({ data: {} }),
    playground: { offered: undefined, profile: undefined },
  })
  expect(config).toMatchObject({ offered: endpointNames, problem: null, customers: [] })
})
