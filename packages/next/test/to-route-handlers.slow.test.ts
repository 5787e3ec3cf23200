import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'
import { installTool } from '@storeport/testing/install-tool'
import { expect, it } from 'vitest'
import { type RouteRequest, toRouteHandlers } from '../src/index.ts'

/** What is used of `next/server.js`: Next is a tool, so that its types are not here. */
interface NextServer {
  readonly NextRequest: new (
    url: string,
    init?: RequestInit & { readonly nextConfig?: { readonly basePath: string } },
  ) => RouteRequest
}

const { NextRequest }: NextServer = (await installTool('next'))('next/server.js')

const key = 'a-key-of-the-tests-0001'
const headers = { 'X-Integration-API-Key': key, 'Content-Type': 'application/json' }
const add = { email: 'test@example.com', product_id: 'tea' }

/** A shop that keeps what its store was asked. */
function shopOf(options: Partial<IntegrationOptions> = {}) {
  const asked: unknown[] = []
  const store: StorePort = {
    addProduct: async (input) => void asked.push(input),
    listProducts: async (input) => {
      asked.push(input)
      return { products: [] }
    },
    getDiscount: async (input) => {
      asked.push(input)
      return null
    },
  }
  return { asked, ...createIntegration({ store, apiKeys: [key], ...options }) }
}

function get(path: string, basePath = ''): RouteRequest {
  return new NextRequest(`https://shop.example${path}`, { headers, nextConfig: { basePath } })
}

function post(path: string, body: string): RouteRequest {
  return new NextRequest(`https://shop.example${path}`, { method: 'POST', headers, body })
}

it.each([
  ['a folder', '/integration/upsells/products', ''],
  ['folders above it', '/api/v2/integration/upsells/products', ''],
  ["Next's own base path", '/shop/integration/upsells/products', '/shop'],
  ["a base path of Next's with the same name", '/integration/integration/upsells/products', '/integration'],
])('answers in %s', async (_case, path, basePath) => {
  const shop = shopOf()
  expect((await toRouteHandlers(shop).GET(get(path, basePath))).status).toBe(200)
})

it('hands on the body, also of one endpoint in a folder of any name', async () => {
  const shop = shopOf()
  const catchAll = toRouteHandlers(shop).POST(post('/api/integration/upsells/add-product', JSON.stringify(add)))
  const single = toRouteHandlers(shop, 'addProduct').POST(post('/buy', JSON.stringify({ ...add, quantity: 3 })))
  expect([(await catchAll).status, (await single).status]).toEqual([200, 200])
  expect(shop.asked).toEqual([
    { ...add, quantity: 1, one_time: false },
    { ...add, quantity: 3, one_time: false },
  ])
})

it('answers every method itself, the key first', async () => {
  for (const [method, handle] of Object.entries(toRouteHandlers(shopOf()))) {
    const url = 'https://shop.example/integration/no-such-path'
    expect((await handle(new NextRequest(url, { method }))).status).toBe(401)
    expect((await handle(new NextRequest(url, { method, headers }))).status).toBe(404)
  }
  const { HEAD, DELETE } = toRouteHandlers(shopOf(), 'listProducts')
  const head = await HEAD(new NextRequest('https://shop.example/list', { method: 'HEAD', headers }))
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await DELETE(new NextRequest('https://shop.example/list', { method: 'DELETE', headers }))).status).toBe(405)
})

it('reads a query as Next rewrites it: spaces as plus signs, of which an email has none', async () => {
  const shop = shopOf()
  const { GET } = toRouteHandlers(shop)
  await GET(get('/integration/upsells/products?email=a+b%40example.com'))
  await GET(get('/integration/upsells/products?path=upsells&email=a%2Bb%40example.com&path=products'))
  await GET(get('/integration/discounts/get-discount?discount_code=SUMMER+10%2B'))
  await toRouteHandlers(shop, 'getDiscount').GET(get('/code?discount_code=SUMMER+10'))
  expect(shop.asked).toEqual([
    { email: 'a+b@example.com' },
    { email: 'a+b@example.com' },
    { discount_code: 'SUMMER 10+' },
    { discount_code: 'SUMMER 10' },
  ])
})

it('says what to change when no folder has the name of the base path', async () => {
  const { GET } = toRouteHandlers(shopOf())
  await expect(GET(get('/api/storeport/upsells/products'))).rejects.toThrow(
    new TypeError(
      'The route is in no folder /integration: rename one, or set the option basePath to the path of its own',
    ),
  )
  const renamed = toRouteHandlers(shopOf({ basePath: '/api/storeport' }))
  expect((await renamed.GET(get('/api/storeport/upsells/products'))).status).toBe(200)
})

it('can be made without a key, and refuses every call then', async () => {
  const { GET } = toRouteHandlers(shopOf({ apiKeys: [undefined], onError: () => {} }))
  expect((await GET(get('/integration/upsells/products'))).status).toBe(401)
})

it('tells the store that the caller has left', async () => {
  const leaving = new AbortController()
  const shop = createIntegration({
    apiKeys: [key],
    onError: () => {},
    store: {
      listProducts: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('the database has gone')))
          leaving.abort()
        }),
    },
  })
  const request = new NextRequest('https://shop.example/integration/upsells/products', {
    headers,
    signal: leaving.signal,
  })
  expect((await toRouteHandlers(shop).GET(request)).status).toBe(500)
})
