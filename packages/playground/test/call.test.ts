import { listening } from '@storeport/testing/listen'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Exchange } from '../src/protocol.ts'
import { hideKey } from '../src/shop-connection.ts'
import { post } from './ask.ts'
import { apiKey, type RunningShop, shopForTest, startShop, urlForTest } from './start-shop.ts'

async function callOf(shop: RunningShop, endpoint: string, input: object): Promise<Exchange> {
  const response = await post(shop.url, '/playground/call', { endpoint, input })
  expect(response.status, response.text).toBe(200)
  expect(response.text).not.toContain(apiKey)
  return JSON.parse(response.text)
}

it('sends the API key to the shop, but not to the page', async () => {
  const shop = await shopForTest()
  const input = { email: 'Subscription@example.com' }
  const { request, response, problem, durationMs } = await callOf(shop, 'getSubscription', input)
  const headers = [
    ['X-Integration-API-Key', '<key>'],
    ['Accept', 'application/json'],
  ]
  const url = `${shop.url}/integration/customer-portal/subscription?email=Subscription%40example.com`
  expect(request).toEqual({ method: 'GET', url, headers, body: null })
  expect(response?.status).toBe(200)
  expect(JSON.parse(response?.body ?? '')).toMatchObject({ success: true, data: { next_billing_date: '2026-03-24' } })
  expect(response?.headers.map(([name]) => name)).toContain('x-request-id')
  expect(problem).toBeNull()
  expect(durationMs).toBeGreaterThan(0)
})

it('passes a request to the configured handler, and removes its key from the response', async () => {
  const key = 'a/key+with"odd\\characters'
  const fetch = async ({ headers, url, method }: Request) => {
    const body = { url, method, clear: headers.get('X-Integration-API-Key'), encoded: encodeURIComponent(key) }
    return Response.json(body, { headers: { 'X-Echo': key } })
  }
  const shop = await shopForTest({ playground: { target: { baseUrl: 'https://shop.example/', apiKey: key, fetch } } })
  const { request, response } = await callOf(shop, 'listProducts', { email: 'a+b@example.com' })
  const url = 'https://shop.example/integration/upsells/products?email=a%2Bb%40example.com'
  expect(request.url).toBe(url)
  expect(response?.headers).toContainEqual(['x-echo', '<key>'])
  expect(JSON.parse(response?.body ?? '')).toEqual({ url, method: 'GET', clear: '<key>', encoded: '<key>' })
})

it('sends requests only under the base URL, and follows no redirect', async () => {
  const requested: string[] = []
  const Location = await urlForTest((_req, res) => res.end(String(requested.push('redirected'))))
  const baseUrl = await urlForTest((req, res) => {
    requested.push(req.url ?? '')
    res.writeHead(307, { Location }).end()
  }, '/shop/')
  const shop = await shopForTest({ playground: { target: { baseUrl, apiKey } } })
  const { response } = await callOf(shop, 'getDiscount', { discount_code: '/../..?x=1#y@evil.example' })
  expect(response?.status).toBe(307)
  expect(requested).toEqual([
    '/shop/integration/discounts/get-discount?discount_code=%2F..%2F..%3Fx%3D1%23y%40evil.example',
  ])
})

it('reports an unreachable shop with the system error code', async () => {
  const { url: baseUrl, stop } = await listening(() => {})
  await stop?.()
  const shop = await shopForTest({ playground: { target: { baseUrl, apiKey } } })
  const { response, problem } = await callOf(shop, 'listProducts', {})
  expect([response, problem]).toEqual([null, 'connection failed (ECONNREFUSED)'])
})

it.each([
  ['an endpoint that does not exist', { endpoint: 'constructor', input: {} }, 400, 'endpoint'],
  ['an input that is not an object', { endpoint: 'sendNow', input: [] }, 400, 'input'],
  ['a missing input', { endpoint: 'sendNow' }, 400, 'input'],
  ['a lone surrogate', { endpoint: 'getDiscount', input: { discount_code: '\ud800' } }, 400, 'surrogate'],
  ['a body that is not an object', [], 400, 'body'],
  ['a body that is not JSON', '{', 400, 'JSON'],
  ['a large body', { endpoint: 'sendNow', input: { email: 'x'.repeat(70_000) } }, 413, 'large'],
])('rejects %s', async (_name, body, status, part) => {
  const shop = await shopForTest()
  const text = expect.stringContaining(part)
  expect(await post(shop.url, '/playground/call', body)).toMatchObject({ status, text })
})

it.each(['ftp://shop.example', 'shop.example', 'https://user:pass@shop.example', 'https://shop.example/?a=b', ''])(
  'rejects the base URL %j',
  async (baseUrl) => {
    await expect(startShop({ playground: { target: { baseUrl, apiKey } } })).rejects.toThrow('target.baseUrl')
  },
)

it('hideKey replaces a plain or encoded key, but not a short key inside another word', () => {
  const unit = fc.integer({ min: 33, max: 126 }).map(String.fromCharCode)
  const isHidden = fc.property(fc.string({ minLength: 16, maxLength: 40, unit }), (key) => {
    const shown = hideKey(`a${key}b ${JSON.stringify({ key })} ?k=${encodeURIComponent(key)}`, key)
    expect(shown).toBe('a<key>b {"key":"<key>"} ?k=<key>')
  })
  fc.assert(isHidden)
  const shown = hideKey('{"id":"test_12345","key":"test"} test-mode a/test', 'test')
  expect(shown).toBe('{"id":"test_12345","key":"<key>"} test-mode a/<key>')
})
