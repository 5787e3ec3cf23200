import { createIntegration } from '@storeport/core'
import { installTool } from '@storeport/testing/install-tool'
import { keys } from '@storeport/testing/keys'
import { expect, it, vi } from 'vitest'
import { type RouteRequest, toRouteHandlers } from '../src/index.ts'

/*
 * test/mounts/next.slow.test.ts runs all checks on an app with both routers, and the wire checks on single routes.
 */

/** The part of `next/server.js` that these tests use. Next is installed as a tool, so its types are not available. */
interface NextServer {
  readonly NextRequest: new (
    url: string,
    init?: RequestInit & { readonly nextConfig?: { readonly basePath: string } },
  ) => RouteRequest
}

const { NextRequest }: NextServer = (await installTool('next'))('next/server.js')

/** Creates a shop that records the inputs of its store. */
function openShop() {
  const listProducts = vi.fn(async () => ({ products: [] }))
  const getDiscount = vi.fn(async () => null)
  const inputs = () => [...listProducts.mock.calls, ...getDiscount.mock.calls].map(([input]: unknown[]) => input)
  return { inputs, integration: createIntegration({ apiKeys: [keys.first], store: { listProducts, getDiscount } }) }
}

function get(path: string, basePath = ''): RouteRequest {
  const headers = { 'X-Integration-API-Key': keys.first }
  return new NextRequest(`https://shop.example${path}`, { headers, nextConfig: { basePath } })
}

it.each([
  ['in a folder with parent folders', '/api/v2/integration/upsells/products', ''],
  ["below Next's own base path", '/shop/integration/upsells/products', '/shop'],
  ['below a base path with the name of the folder', '/integration/integration/upsells/products', '/integration'],
])('handles requests %s', async (_case, path, basePath) => {
  expect((await toRouteHandlers(openShop().integration).GET(get(path, basePath))).status).toBe(200)
})

it('restores query spaces that Next rewrites as plus signs, except in emails', async () => {
  const { inputs, integration } = openShop()
  const { GET } = toRouteHandlers(integration)
  await GET(get('/integration/upsells/products?email=a+b%40example.com'))
  await GET(get('/integration/upsells/products?path=upsells&email=a%2Bb%40example.com&path=products'))
  await GET(get('/integration/discounts/get-discount?discount_code=SUMMER+10%2B'))
  await toRouteHandlers(integration, 'getDiscount').GET(get('/code?discount_code=SUMMER+10'))
  expect(inputs()).toEqual([
    { email: 'a+b@example.com' },
    { email: 'a+b@example.com' },
    { discount_code: 'SUMMER 10+' },
    { discount_code: 'SUMMER 10' },
  ])
})
