import { describe, expect, it, vi } from 'vitest'
import { type Context, type EndpointName, type IntegrationOptions, StoreError, type StorePort } from '@storeport/core'
import { deferred, integrationOf, key, send, subscription } from './support.ts'

const portal = '/integration/customer-portal/subscription?email=a@b.example'

it('returns 500 and explains the mount order if the body of a Fetch API request has already been read', async () => {
  const onError = vi.fn<NonNullable<IntegrationOptions['onError']>>()
  const integration = integrationOf({ addProduct: async () => {} }, { onError })
  const readFirst = {
    fetch: async (request: Request) => {
      await request.text()
      return integration.fetch(request)
    },
  }
  const { status, json } = await send(readFirst, '/integration/upsells/add-product', { body: '{}' })
  expect([status, json.error?.code]).toEqual([500, 'internal_error'])
  expect(onError.mock.lastCall?.[1].message).toContain(
    'TypeError: The body was already read. Pass the request before its body is read',
  )
})

describe('store method call', () => {
  it('passes the validated input with defaults and without unknown fields', async () => {
    const addProduct = vi.fn(async () => {})
    const body = '\uFEFF{"email":" A@b.example ","product_id":"p","quantity":null,"x":{},"__proto__":{"one_time":true}}'
    const { text } = await send(integrationOf({ addProduct }), '/integration/upsells/add-product', { body })
    expect(text).toBe('{"success":true}')
    const input = { email: 'A@b.example', product_id: 'p', quantity: 1, one_time: false }
    expect(addProduct.mock.calls).toEqual([[input, expect.anything()]])
  })

  it('passes the store as `this`', async () => {
    class Shop implements StorePort {
      readonly #current = subscription
      async getSubscription() {
        return this.#current
      }
    }
    expect((await send(integrationOf(new Shop()), portal)).json.data).toEqual(subscription)
  })

  it.each([
    ['getSubscription', 'GET', '/customer-portal/subscription?email=a@b.example', true],
    ['sendNow', 'POST', '/customer-portal/send-now', false],
  ] as const)(
    'passes a context to %s, and aborts its signal on disconnect only for a GET (%s)',
    async (name, method, path, aborts) => {
      const called = deferred<Context>()
      const finished = deferred<null>()
      const integration = integrationOf({
        [name]: (_: unknown, context: Context) => {
          context.signal.addEventListener('abort', () => finished.resolve(null))
          called.resolve(context)
          return finished.promise
        },
      })
      const controller = new AbortController()
      const answered = integration.fetch(
        new Request(`https://shop.example/integration${path}`, {
          method,
          headers: { 'x-integration-api-key': key, 'content-type': 'application/json', 'x-request-id': 'click-1' },
          ...(method === 'POST' && { body: '{"email":"a@b.example"}' }),
          signal: controller.signal,
        }),
      )
      const context = await called.promise
      expect({ ...context }.idempotencyKey).toBe(context.idempotencyKey)
      expect([context.requestId, context.testMode, context.signal.aborted]).toEqual(['click-1', false, false])
      controller.abort()
      expect(context.signal.aborted).toBe(aborts)
      finished.resolve(null)
      await answered
    },
  )
})

const throwing = (error: object) =>
  integrationOf({
    getSubscription: () => {
      throw error
    },
  })

it('recognizes a StoreError from another copy of the package, and redacts the email in its message', async () => {
  const error = new Error('a@b.example is unknown')
  const foreign = Object.assign(error, { name: 'StoreError', code: 'customer_not_found' })
  const { status, json } = await send(throwing(foreign), portal)
  expect([status, json.error]).toEqual([404, { code: 'customer_not_found', message: '[email] is unknown' }])
})

it.each([
  [undefined, '1'],
  [2.1, '3'],
  [-5, '0'],
])('converts the retryAfter value %j to the Retry-After header %s', async (retryAfter, header) => {
  const error = Object.assign(new StoreError('rate_limited'), retryAfter !== undefined && { retryAfter })
  expect((await send(throwing(error), portal)).headers.get('retry-after')).toBe(header)
})

describe('integration', () => {
  const store: StorePort = { getSubscription: async () => subscription, delaySubscription: async () => {} }

  it.each([
    [{ vendor: 'acme-mail' }, '/acme-mail', 'X-Acme-Mail-API-Key', 'X-Acme-Mail-Test-Mode'],
    [{ basePath: '/api/email', apiKeyHeader: 'X-Key' }, '/api/email', 'X-Key', 'X-Integration-Test-Mode'],
    [{ basePath: '' }, '', 'X-Integration-API-Key', 'X-Integration-Test-Mode'],
  ])('has the base path and the header names of the options %j', async (options, basePath, apiKeyHeader, header) => {
    const integration = integrationOf(store, options)
    expect(integration).toMatchObject({ basePath, apiKeyHeader, testModeHeader: header })
    const path = `${basePath}/customer-portal/subscription?email=a@b.example`
    const statusWith = async (headers: Record<string, string>) =>
      (await send(integration, path, { headers: { 'x-integration-api-key': '', ...headers } })).status
    expect([await statusWith({ [apiKeyHeader.toLowerCase()]: key }), await statusWith({})]).toEqual([200, 401])
    expect(integration.owns('/anything')).toBe(basePath === '')
  })

  it('has a handler for each endpoint that ignores the request path', async () => {
    const { handlers } = integrationOf(store)
    const statusOf = async (name: EndpointName, headers: Record<string, string> = { 'x-integration-api-key': key }) =>
      (await handlers[name](new Request('https://shop.example/mine?email=a@b.example', { headers }))).status
    expect([await statusOf('getSubscription'), await statusOf('getSubscription', {})]).toEqual([200, 401])
    expect([await statusOf('sendNow'), await statusOf('listProducts')]).toEqual([405, 404])
  })

  it('lists the widgets and buttons that the caller shows', () => {
    const { widgets, offered } = integrationOf(store)
    expect(offered).toEqual(['getSubscription', 'delaySubscription'])
    expect(widgets.portal).toEqual({ ready: true, sendNowButton: false, delayButton: true, swapButton: false })
    expect(widgets.upsells).toEqual({ ready: false, undoButton: false })
  })
})

describe('test mode', () => {
  const store: StorePort = { getSubscription: async () => null }
  const testStore: StorePort = { getSubscription: async (_, context) => (context.testMode ? subscription : null) }

  it.each([
    [{ 'x-integration-test-mode': 'true' }, '', 200],
    [{}, '&test=true', 200],
    [{ 'x-integration-test-mode': 'false' }, '', 404],
    [{}, '', 404],
    [{ 'x-integration-test-mode': 'yes' }, '', 400],
    [{}, '&test=1', 400],
    [{}, '&test', 400],
    [{}, '&test=true&test=true', 400],
  ])('is determined by the header %j and the query %j: status %i', async (headers, query, status) => {
    const integration = integrationOf(store, { testStore })
    expect((await send(integration, portal + query, { headers })).status).toBe(status)
  })

  it('never uses the live store for a test request if the test store is missing', async () => {
    const integration = integrationOf({ getSubscription: async () => expect.unreachable() })
    expect((await send(integration, portal, { headers: { 'x-integration-test-mode': 'true' } })).status).toBe(400)
  })
})
