import { describe, expect, it } from 'vitest'
import type { Context, ErrorSummary, IntegrationOptions, StorePort } from '@storeport/core'
import { createIntegration, StoreError } from '@storeport/core'
import { deferred, integrationOf, key, send, subscription } from './support.ts'

const portal = '/integration/customer-portal/subscription?email=a@b.example'

it.each(['/elsewhere', '/integrations'])(
  'fails with 404 outside the base path, even without a key: %s',
  async (path) => {
    expect((await send(integrationOf({}), path, { headers: { 'x-integration-api-key': '' } })).status).toBe(404)
  },
)

it('returns 500 and explains the mount order if the body of a Fetch API request has already been read', async () => {
  const messages: string[] = []
  const onError: IntegrationOptions['onError'] = (_error, { message }) => void messages.push(message)
  const request = new Request('https://shop.example/integration/upsells/add-product', {
    method: 'POST',
    headers: { 'x-integration-api-key': key, 'content-type': 'application/json' },
    body: '{}',
  })
  await request.text()
  const response = await integrationOf({ addProduct: async () => {} }, { onError }).fetch(request)
  expect([response.status, JSON.parse(await response.text()).error.code]).toEqual([500, 'internal_error'])
  expect(messages).toEqual([
    expect.stringContaining('TypeError: The body was already read. Pass the request before its body is read'),
  ])
})

describe('store method call', () => {
  it('passes the validated input with defaults and without unknown fields', async () => {
    const seen: unknown[] = []
    const integration = integrationOf({
      addProduct: async (input) => {
        seen.push(input)
      },
    })
    const body = '\uFEFF{"email":" A@b.example ","product_id":"p","quantity":null,"x":{},"__proto__":{"one_time":true}}'
    expect((await send(integration, '/integration/upsells/add-product', { body })).text).toBe('{"success":true}')
    expect(seen).toEqual([{ email: 'A@b.example', product_id: 'p', quantity: 1, one_time: false }])
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

describe('store method output', () => {
  const returning = (output: unknown, options = {}) =>
    createIntegration({ store: storeReturning(output), apiKeys: [key], ...options })

  it.each([
    [undefined, 'The value is missing'],
    [[], 'The value is a list, not an object with next_billing_date, items'],
    [{ ...subscription, next_billing_date: new Date(0) }, 'next_billing_date is a Date'],
    [{ ...subscription, next_billing_date: '2026-02-30' }, 'next_billing_date must be a date that exists'],
    [{ next_billing_date: '2026-12-01' }, 'items is missing'],
    [{ ...subscription, items: new Set() }, 'items is an object, not a list'],
    [withItem({ price: '19.95' }), 'item item_1: price is a string'],
    [withItem({ quantity: 1.5 }), 'item item_1: quantity must be a whole number'],
    [withItem({ quantity: -1 }), 'item item_1: quantity must be at least 1'],
    [withItem({}, {}), 'item item_1: id is the same as in an earlier row'],
    [{ ...subscription, customer_tax_rate: 8 }, 'customer_tax_rate must be at least 0 and below 1: 0.08 means 8 %'],
    [{ ...subscription, customer_tax_rate: -0.1 }, '0.08 means 8 %'],
    [{ ...subscription, shipping_total_cost: -1 }, 'shipping_total_cost must not be negative'],
    [{ ...subscription, order_discount_total: Infinity }, 'order_discount_total is infinite'],
  ])('is rejected if it violates the contract: %o', async (output, message) => {
    const reported: ErrorSummary[] = []
    const integration = returning(output, { onError: (_: unknown, summary: ErrorSummary) => reported.push(summary) })
    const answered = await send(integration, portal)
    expect(answered.status).toBe(500)
    expect(answered.json).toEqual({
      success: false,
      error: { code: 'invalid_store_response', message: 'The shop returned a response that the API does not allow.' },
    })
    expect(reported).toHaveLength(1)
    expect(reported[0]?.message).toContain(message)
  })

  it('results in a 404 response if it is null', async () => {
    const answered = await send(returning(null), portal)
    expect([answered.status, answered.json.error?.code]).toEqual([404, 'subscription_not_found'])
  })
})

describe('failing store', () => {
  const failing = (thrown: unknown, onError: (error: unknown, summary: ErrorSummary) => void) => {
    const store: StorePort = {
      getSubscription: () => {
        throw thrown
      },
    }
    return createIntegration({ store, apiKeys: [key], onError })
  }

  it('recognizes a StoreError from another copy of the package, and redacts the email in its message', async () => {
    const foreign = Object.assign(new Error('a@b.example is unknown'), {
      name: 'StoreError',
      code: 'customer_not_found',
    })
    const reported: unknown[] = []
    const answered = await send(
      failing(foreign, (thrown) => reported.push(thrown)),
      portal,
    )
    expect(reported).toEqual([])
    expect([answered.status, answered.json.error]).toEqual([
      404,
      { code: 'customer_not_found', message: '[email] is unknown' },
    ])
  })

  it.each([
    [undefined, '1'],
    [2.1, '3'],
    [-5, '0'],
  ])('converts the retryAfter value %j to the Retry-After header %s', async (retryAfter, header) => {
    const error = Object.assign(new StoreError('rate_limited'), retryAfter !== undefined && { retryAfter })
    const reported: unknown[] = []
    const { headers } = await send(
      failing(error, (thrown) => reported.push(thrown)),
      portal,
    )
    expect(reported).toEqual([])
    expect(headers.get('retry-after')).toBe(header)
  })
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
    const withoutKey = { 'x-integration-api-key': '' }
    expect(
      (await send(integration, path, { headers: { ...withoutKey, [apiKeyHeader.toLowerCase()]: key } })).status,
    ).toBe(200)
    expect((await send(integration, path, { headers: withoutKey })).status).toBe(401)
    expect(integration.owns('/anything')).toBe(basePath === '')
  })

  it('has a handler for each endpoint that ignores the request path', async () => {
    const { handlers } = integrationOf(store)
    const request = (headers: Record<string, string>) =>
      new Request('https://shop.example/mine?email=a@b.example', { headers })
    expect((await handlers.getSubscription(request({ 'x-integration-api-key': key }))).status).toBe(200)
    expect((await handlers.getSubscription(request({}))).status).toBe(401)
    expect((await handlers.sendNow(request({ 'x-integration-api-key': key }))).status).toBe(405)
    expect((await handlers.listProducts(request({ 'x-integration-api-key': key }))).status).toBe(404)
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

function withItem(...changes: object[]) {
  return { ...subscription, items: changes.map((change) => ({ ...subscription.items[0], ...change })) }
}

/** Creates a store whose methods return an untyped value. */
function storeReturning(output: unknown): StorePort {
  const method = async () => output
  return Object.fromEntries(['getSubscription', 'sendNow'].map((name) => [name, method]))
}
