import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'
import { installTool } from '@storeport/testing/install-tool'
import { expect, it } from 'vitest'
import { type RouteRequest, toRouteHandlers } from '../src/index.ts'

/** The part of `next/server.js` that these tests use. Next is installed as a tool, so its types are not available. */
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

/** Creates a shop that records the inputs of its store. */
function shopOf(options: Partial<IntegrationOptions> = {}) {
  const inputs: unknown[] = []
  const store: StorePort = {
    addProduct: async (input) => void inputs.push(input),
    listProducts: async (input) => {
      inputs.push(input)
      return { products: [] }
    },
    getDiscount: async (input) => {
      inputs.push(input)
      return null
    },
  }
  return { inputs, ...createIntegration({ store, apiKeys: [key], ...options }) }
}

function get(path: string, basePath = ''): RouteRequest {
  return new NextRequest(`https://shop.example${path}`, { headers, nextConfig: { basePath } })
}

function post(path: string, body: string): RouteRequest {
  return new NextRequest(`https://shop.example${path}`, { method: 'POST', headers, body })
}

it.each([
  ['in a folder', '/integration/upsells/products', ''],
  ['in a folder with parent folders', '/api/v2/integration/upsells/products', ''],
  ["below Next's own base path", '/shop/integration/upsells/products', '/shop'],
  [
    'below a Next base path with the same name as the folder',
    '/integration/integration/upsells/products',
    '/integration',
  ],
])('works %s', async (_case, path, basePath) => {
  const shop = shopOf()
  expect((await toRouteHandlers(shop).GET(get(path, basePath))).status).toBe(200)
})

it('passes the body to the store, in the route for all endpoints and in a route for a single endpoint', async () => {
  const shop = shopOf()
  const catchAll = toRouteHandlers(shop).POST(post('/api/integration/upsells/add-product', JSON.stringify(add)))
  const single = toRouteHandlers(shop, 'addProduct').POST(post('/buy', JSON.stringify({ ...add, quantity: 3 })))
  expect([(await catchAll).status, (await single).status]).toEqual([200, 200])
  expect(shop.inputs).toEqual([
    { ...add, quantity: 1, one_time: false },
    { ...add, quantity: 3, one_time: false },
  ])
})

it('handles every method and checks the key first', async () => {
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

it('restores query spaces that Next rewrites as plus signs, except in emails', async () => {
  const shop = shopOf()
  const { GET } = toRouteHandlers(shop)
  await GET(get('/integration/upsells/products?email=a+b%40example.com'))
  await GET(get('/integration/upsells/products?path=upsells&email=a%2Bb%40example.com&path=products'))
  await GET(get('/integration/discounts/get-discount?discount_code=SUMMER+10%2B'))
  await toRouteHandlers(shop, 'getDiscount').GET(get('/code?discount_code=SUMMER+10'))
  expect(shop.inputs).toEqual([
    { email: 'a+b@example.com' },
    { email: 'a+b@example.com' },
    { discount_code: 'SUMMER 10+' },
    { discount_code: 'SUMMER 10' },
  ])
})

it('throws TypeError if the route is not in a folder with the name of the base path', async () => {
  const { GET } = toRouteHandlers(shopOf())
  await expect(GET(get('/api/storeport/upsells/products'))).rejects.toThrow(
    new TypeError(
      "The route is not in a folder /integration. Rename the folder, or set the option basePath to the folder's path.",
    ),
  )
  const renamed = toRouteHandlers(shopOf({ basePath: '/api/storeport' }))
  expect((await renamed.GET(get('/api/storeport/upsells/products'))).status).toBe(200)
})

it('can be created without a key and then rejects every request', async () => {
  const { GET } = toRouteHandlers(shopOf({ apiKeys: [undefined], onError: () => {} }))
  expect((await GET(get('/integration/upsells/products'))).status).toBe(401)
})

it('aborts the signal if the caller disconnects', async () => {
  const leaving = new AbortController()
  const shop = createIntegration({
    apiKeys: [key],
    onError: () => {},
    store: {
      listProducts: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('the database is unreachable')))
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
