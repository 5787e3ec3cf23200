import type { RequestListener } from 'node:http'
import { listening } from '@storeport/testing/listen'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hideKey } from '../src/shop-connection.ts'
import type { Exchange } from '../src/protocol.ts'
import { send, post } from './ask.ts'
import { apiKey, type RunningShop, shopForTest, startShop, urlForTest } from './start-shop.ts'

/** Starts a playground that calls the given request listener instead of the test shop. */
async function startOtherShop(answer: RequestListener, path = '', key = apiKey): Promise<RunningShop> {
  return shopForTest({ playground: { target: { baseUrl: await urlForTest(answer, path), apiKey: key } } })
}

async function callOf(shop: RunningShop, endpoint: string, input: object): Promise<Exchange> {
  const response = await post(shop.url, '/playground/call', { endpoint, input })
  expect(response.status, response.text).toBe(200)
  expect(response.text).not.toContain(apiKey)
  return JSON.parse(response.text)
}

describe('a request to the shop', () => {
  it('contains the API key, but the recorded request does not', async () => {
    const shop = await shopForTest()
    const { request, response, problem, durationMs } = await callOf(shop, 'getSubscription', {
      email: 'Subscription@example.com',
    })
    expect(request).toEqual({
      method: 'GET',
      url: `${shop.url}/integration/customer-portal/subscription?email=Subscription%40example.com`,
      headers: [
        ['X-Integration-API-Key', '<key>'],
        ['Accept', 'application/json'],
      ],
      body: null,
    })
    expect(response?.status).toBe(200)
    expect(JSON.parse(response?.body ?? '')).toMatchObject({ success: true, data: { next_billing_date: '2026-03-24' } })
    expect(response?.headers.map(([name]) => name)).toContain('x-request-id')
    expect(problem).toBeNull()
    expect(durationMs).toBeGreaterThan(0)
  })

  it('contains the given fields as JSON if the method is POST', async () => {
    const shop = await shopForTest()
    const input = { email: 'subscription@example.com', product_id: 'test_54321', quantity: 2, one_time: true }
    const { request, response } = await callOf(shop, 'addProduct', input)
    expect(request.headers).toContainEqual(['Content-Type', 'application/json'])
    expect(JSON.parse(request.body ?? '')).toEqual(input)
    expect(response?.body).toBe('{"success":true}')
    expect(shop.store.account('subscription@example.com')?.adds).toHaveLength(1)
  })

  it('is passed to a handler in the same process if the handler is configured', async () => {
    const requested: Request[] = []
    const fetch = async (request: Request) => {
      requested.push(request)
      return Response.json({ success: true, data: { products: [] } }, { headers: { 'X-Request-Id': 'one' } })
    }
    const target = { baseUrl: 'https://shop.example', apiKey, fetch }
    const shop = await shopForTest({ playground: { target } })
    const { request, response } = await callOf(shop, 'listProducts', { email: 'a+b@example.com' })
    expect(request.url).toBe('https://shop.example/integration/upsells/products?email=a%2Bb%40example.com')
    expect(response?.headers).toContainEqual(['x-request-id', 'one'])
    expect(requested[0]?.headers.get('X-Integration-API-Key')).toBe(apiKey)
  })

  it.each([
    ['an endpoint that does not exist', { endpoint: 'constructor', input: {} }],
    ['an input that is not an object', { endpoint: 'sendNow', input: [] }],
    ['a missing input', { endpoint: 'sendNow' }],
    ['a lone surrogate', { endpoint: 'getDiscount', input: { discount_code: '\ud800' } }],
    ['a body that is not an object', []],
    ['a body that is not JSON', '{'],
  ])('is rejected for %s', async (_name, body) => {
    const shop = await shopForTest()
    const response = await post(shop.url, '/playground/call', body)
    expect(response.status).toBe(400)
    expect(response.json()).toMatchObject({ success: false, error: { code: 'invalid_request' } })
  })

  it('is rejected if the body is too large, with or without Content-Length', async () => {
    const shop = await shopForTest()
    const large = JSON.stringify({ endpoint: 'sendNow', input: { email: 'x'.repeat(70_000) } })
    expect((await post(shop.url, '/playground/call', large)).status).toBe(413)
    const stream = new Blob([large]).stream()
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as const
    expect((await send(`${shop.url}/playground/call`, init)).status).toBe(413)
  })
})

describe('a remote shop', () => {
  it('has its API key removed from responses', async () => {
    const key = 'a/key+with"odd\\characters'
    const answer: RequestListener = (req, res) => {
      res.setHeader('X-Echo', String(req.headers['x-integration-api-key']))
      res.end(JSON.stringify({ clear: key, encoded: encodeURIComponent(key) }))
    }
    const { response } = await callOf(await startOtherShop(answer, '', key), 'listProducts', {})
    expect(response?.headers).toContainEqual(['x-echo', '<key>'])
    expect(JSON.parse(response?.body ?? '')).toEqual({ clear: '<key>', encoded: '<key>' })
  })

  it('cannot redirect a request that contains the API key', async () => {
    const requested: string[] = []
    const Location = await urlForTest((req, res) => res.end(String(requested.push(req.url ?? ''))))
    const shop = await startOtherShop((_req, res) => res.writeHead(307, { Location }).end())
    expect((await callOf(shop, 'listProducts', {})).response?.status).toBe(307)
    expect(requested).toEqual([])
  })

  it('receives only requests under its base URL', async () => {
    const requested: string[] = []
    const shop = await startOtherShop((req, res) => res.end(String(requested.push(req.url ?? ''))), '/shop/')
    await callOf(shop, 'getDiscount', { discount_code: '/../..?x=1#y@evil.example' })
    expect(requested).toEqual([
      '/shop/integration/discounts/get-discount?discount_code=%2F..%2F..%3Fx%3D1%23y%40evil.example',
    ])
  })

  it('is reported as unreachable with the system error code', async () => {
    const { url: baseUrl, stop } = await listening(() => {})
    await stop?.()
    const shop = await shopForTest({ playground: { target: { baseUrl, apiKey } } })
    const { response, problem } = await callOf(shop, 'listProducts', {})
    expect(response).toBeNull()
    expect(problem).toBe('connection failed (ECONNREFUSED)')
  })

  it.each(['ftp://shop.example', 'shop.example', 'https://user:pass@shop.example', 'https://shop.example/?a=b', ''])(
    'cannot have the base URL %j',
    async (baseUrl) => {
      await expect(startShop({ playground: { target: { baseUrl, apiKey } } })).rejects.toThrow('target.baseUrl')
    },
  )
})

describe('hideKey', () => {
  it('replaces a plain or encoded key with a placeholder', () => {
    const visible = fc.string({
      minLength: 16,
      maxLength: 40,
      unit: fc.integer({ min: 33, max: 126 }).map(String.fromCharCode),
    })
    fc.assert(
      fc.property(visible, (key) => {
        const shown = hideKey(`a${key}b ${JSON.stringify({ key })} ?k=${encodeURIComponent(key)}`, key)
        expect(shown).toBe('a<key>b {"key":"<key>"} ?k=<key>')
      }),
    )
  })

  it('does not replace a short key inside another word', () => {
    expect(hideKey('{"id":"test_12345","key":"test"} test-mode a/test', 'test')).toBe(
      '{"id":"test_12345","key":"<key>"} test-mode a/<key>',
    )
  })
})
