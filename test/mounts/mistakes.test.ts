import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'
import { toApiRoute } from '@storeport/next/pages'
import { keys } from '@storeport/testing/keys'
import { expect, it } from 'vitest'

/*
 * Tests mistakes in mounting the API. The tests of `@storeport/express`, `@storeport/fastify`, `@storeport/next` and
 * `@storeport/node` cover the mistakes that these adapters report.
 */

const messages: string[] = []

function shopOf(options: Partial<IntegrationOptions> = {}) {
  const store: StorePort = { addProduct: async () => {} }
  const onError: IntegrationOptions['onError'] = (_error, { message }) => void messages.push(message)
  return createIntegration({ store, apiKeys: [keys.first], onError, ...options })
}

function addTo(path: string): Request {
  const headers = { 'X-Integration-API-Key': keys.first, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ email: 'test@example.com', product_id: 'tea' })
  return new Request(`https://shop.example${path}/upsells/add-product`, { method: 'POST', headers, body })
}

it("throws on the first request in Next's Pages Router if the route is not in a folder /integration", async () => {
  const route = toApiRoute(shopOf())
  const call = Reflect.apply(route, undefined, [{ url: '/api/shop/upsells/products' }, {}])
  await expect(call).rejects.toThrow(
    "The route is not in a folder /integration. Rename the folder, or set the option basePath to the folder's path.",
  )
})

it('returns 500 and explains the mount order if the body of a Fetch API request has already been read', async () => {
  const request = addTo('/integration')
  await request.text()
  const response = await shopOf().fetch(request)
  expect([response.status, JSON.parse(await response.text()).error.code]).toEqual([500, 'internal_error'])
  expect(messages).toEqual([
    expect.stringContaining('TypeError: The body was already read. Pass the request before its body is read'),
  ])
})
