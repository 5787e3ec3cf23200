import { endpointNames } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { createDescription } from '../src/describe-playground.ts'
import { connectShop } from '../src/shop-connection.ts'
import { post, send } from './ask.ts'
import { apiKey, type ShopOptions, shopForTest, token } from './start-shop.ts'

async function configOf(options: ShopOptions): Promise<unknown> {
  const shop = await shopForTest(options)
  const response = await send(`${shop.url}/playground/config`)
  expect(response.status).toBe(200)
  expect(response.text).not.toContain(apiKey)
  return response.json()
}

describe('the configuration', () => {
  it("contains the page's data, but not the API key", async () => {
    const unset = { shopName: undefined, data: undefined, customers: undefined, actions: undefined }
    const config = await configOf({ playground: unset })
    expect(config).toMatchObject({
      shopName: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      data: 'shop',
      referencePath: null,
      demo: false,
      basePath: '/integration',
      apiKeyHeader: 'X-Integration-API-Key',
      today: '2026-03-10',
      currency: 'USD',
      offered: endpointNames,
      problem: null,
      paused: [],
      customers: [],
      actions: [],
      discountCodes: ['TEST10', 'TEST20', 'COMEBACK15', 'FIVEOFF', 'EXPIRED5'],
    })
  })

  it('contains the reason why the discovery of the endpoints failed, until it succeeds', async () => {
    let attempts = 0
    const offered = async () => {
      if (++attempts === 1) throw new Error(`the shop rejects ${apiKey}`)
      return ['sendNow'] as const
    }
    const { url } = await shopForTest({ playground: { offered } })
    const read = async () => (await send(`${url}/playground/config`)).json()
    expect(await read()).toMatchObject({ offered: [], problem: 'the shop rejects <key>' })
    for (const attempt of ['second', 'third'])
      expect(await read(), attempt).toMatchObject({ offered: ['sendNow'], problem: null })
    expect(attempts).toBe(2)
  })
})

it('shares one discovery between concurrent requests, and limits their waiting time', async () => {
  let requested = 0
  const target = { baseUrl: 'http://127.0.0.1:1', apiKey }
  const offered = () => {
    requested += 1
    return new Promise<never>(() => {})
  }
  const read = createDescription({ target, token, offered }, connectShop(target), 50)
  for (const config of await Promise.all([read(), read(), read()])) {
    expect(config.offered).toEqual([])
    expect(config.problem).toBe('127.0.0.1:1 has not responded yet: reload the page in a moment')
  }
  expect(requested).toBe(1)
})

it('demo controls return 404 with a reason for a real shop', async () => {
  const { url } = await shopForTest()
  for (const response of [await send(`${url}/playground/shop`), await post(url, '/playground/reset', {})]) {
    expect(response.status).toBe(404)
    expect(response.json()).toMatchObject({ success: false, error: { code: 'not_offered' } })
  }
})

it.each([
  [true, 200],
  [false, 403],
])('a reset that returns %s has the status %i', async (isDone, status) => {
  const demo = { readState: () => new Promise<never>(() => {}), reset: async () => isDone }
  const { url } = await shopForTest({ playground: { demo } })
  const response = await post(url, '/playground/reset', {})
  expect(response.status).toBe(status)
  if (!isDone) expect(response.json()).toMatchObject({ error: { code: 'not_own_data' } })
})
