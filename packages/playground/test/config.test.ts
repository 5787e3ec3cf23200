import { seedProfile } from '@storeport/conformance'
import { endpointNames } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { createDescription } from '../src/describe-playground.ts'
import { connectShop } from '../src/shop-connection.ts'
import { send } from './ask.ts'
import { apiKey, type RunningShop, type ShopOptions, shopForTest, token, urlForTest } from './start-shop.ts'

async function configOf(options: ShopOptions | RunningShop): Promise<unknown> {
  const shop = 'url' in options ? options : await shopForTest(options)
  const response = await send(`${shop.url}/playground/config`)
  expect(response.status).toBe(200)
  expect(response.text).not.toContain(apiKey)
  return response.json()
}

describe('the configuration', () => {
  it("contains the page's data, but not the API key", async () => {
    const shop = await shopForTest({ playground: { shopName: undefined, data: undefined } })
    expect(await configOf(shop)).toMatchObject({
      shopName: new URL(shop.url).host,
      baseUrl: shop.url,
      data: 'shop',
      referencePath: null,
      demo: { state: false, time: false, reset: false },
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

  it('contains the customer labels and the available demo controls', async () => {
    const billed = { today: '2026-03-11', billed: 0 }
    const customerLabels = { 'cancelled@example.com': 'Left two days ago' }
    const demo = { moveDate: async () => billed, reset: async () => billed }
    expect(await configOf({ playground: { customerLabels, demo } })).toMatchObject({
      demo: { state: false, time: true, reset: true },
      customers: expect.arrayContaining([
        { email: 'cancelled@example.com', role: 'cancelled', label: 'Left two days ago' },
        { email: 'another@example.com', role: 'otherCustomer' },
      ]),
    })
  })

  it.each([
    [
      'from the profile by default',
      {},
      { discountCodes: ['TEST10', 'FIVEOFF', 'EXPIRED5'], actions: [{ id: 'join_waitlist_product_123' }] },
    ],
    ['empty arrays without a profile', { profile: undefined }, { customers: [], discountCodes: [], actions: [] }],
  ])('contains discount codes and actions: %s', async (_name, options, expected) => {
    const playground = { discountCodes: undefined, actions: undefined, ...options }
    expect(await configOf({ playground })).toMatchObject(expected)
  })

  it("contains the date in the shop's time zone", async () => {
    const now = () => new Date('2026-03-10T23:30:00Z')
    const profile = { ...seedProfile, timeZone: 'Asia/Tokyo' }
    expect(await configOf({ playground: { profile, now } })).toMatchObject({ today: '2026-03-11' })
  })

  it('contains endpoints that were discovered without changing the shop', async () => {
    const shop = await shopForTest({
      store: ({ listProducts, addProduct, getSubscription }) => ({ listProducts, addProduct, getSubscription }),
      playground: { offered: undefined },
    })
    const offered = ['listProducts', 'addProduct', 'getSubscription']
    expect(await configOf(shop)).toMatchObject({ offered, problem: null })
    expect(shop.store.orders()).toEqual([])
  })

  it('contains the reason why discovery failed', async () => {
    const shop = await shopForTest({
      integration: { apiKeys: ['another-key-than-the-one-of-the-playground'] },
      playground: { offered: undefined },
    })
    const failed = { offered: [], problem: expect.stringContaining('rejects the API key') }
    for (const attempt of ['first', 'second']) expect(await configOf(shop), attempt).toMatchObject(failed)
  })
})

it('shares one discovery between concurrent requests, and limits their waiting time', async () => {
  let requested = 0
  const target = { baseUrl: await urlForTest(() => (requested += 1)), apiKey }
  const read = createDescription({ target, token }, connectShop(target), 50)
  for (const config of await Promise.all([read(), read(), read()])) {
    expect(config.offered).toEqual([])
    expect(config.problem).toMatch(/^127\.0\.0\.1:\d+ has not responded yet: reload the page in a moment$/)
  }
  await expect.poll(() => requested).toBe(1)
  await read()
  expect(requested).toBe(1)
})
