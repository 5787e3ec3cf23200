import { endpointNames } from '@storeport/core'
import { expect, it } from 'vitest'
import { createDescription } from '../src/describe-playground.ts'
import { connectShop } from '../src/shop-connection.ts'
import { post, send } from './ask.ts'
import { apiKey, shopForTest, token } from './start-shop.ts'

it("contains the page's data, but not the API key", async () => {
  const unset = { shopName: undefined, data: undefined, customers: undefined, actions: undefined }
  const { url } = await shopForTest({ playground: unset })
  const { status, text, json } = await send(`${url}/playground/config`)
  expect([status, text.includes(apiKey)]).toEqual([200, false])
  expect(json()).toEqual({
    ...{ shopName: new URL(url).host, data: 'shop', currency: 'USD', today: '2026-03-10', referencePath: null },
    ...{ baseUrl: url, basePath: '/integration', apiKeyHeader: 'X-Integration-API-Key' },
    ...{ offered: endpointNames, problem: null, paused: [], demo: false, history: false },
    ...{ customers: [], actions: [], discountCodes: ['TEST10', 'TEST20', 'COMEBACK15', 'FIVEOFF', 'EXPIRED5'] },
  })
})

it('contains the reason why the discovery of the endpoints failed, until it succeeds', async () => {
  let attempts = 0
  const offered = async () => {
    if (++attempts === 1) throw new Error(`the shop rejects ${apiKey}`)
    return ['sendNow'] as const
  }
  const { url } = await shopForTest({ playground: { offered } })
  for (const expected of [
    { offered: [], problem: 'the shop rejects <key>' },
    { offered: ['sendNow'], problem: null },
    { offered: ['sendNow'], problem: null },
  ])
    expect((await send(`${url}/playground/config`)).json()).toMatchObject(expected)
  expect(attempts).toBe(2)
})

it('shares one discovery between concurrent requests, and limits their waiting time', async () => {
  let requested = 0
  const target = { baseUrl: 'http://127.0.0.1:1', apiKey }
  const offered = () => {
    requested += 1
    return new Promise<never>(() => {})
  }
  const read = createDescription({ target, token, offered }, connectShop(target), 50)
  const problem = '127.0.0.1:1 has not responded yet: reload the page in a moment'
  for (const config of await Promise.all([read(), read(), read()]))
    expect(config).toMatchObject({ offered: [], problem })
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
  [true, 200, '{}'],
  [false, 403, 'not_own_data'],
])('a reset that returns %s has the status %i', async (isDone, status, part) => {
  const demo = { readState: () => new Promise<never>(() => {}), reset: async () => isDone }
  const { url } = await shopForTest({ playground: { demo } })
  expect(await post(url, '/playground/reset', {})).toMatchObject({ status, text: expect.stringContaining(part) })
})

it('an error of the demo controls is not described to the page', async () => {
  const readState = async () => {
    throw new Error('no such table')
  }
  const { url } = await shopForTest({ playground: { demo: { readState, reset: async () => true } } })
  const text = expect.stringContaining('Internal error in the playground.')
  expect(await send(`${url}/playground/shop`)).toMatchObject({ status: 500, text })
})
