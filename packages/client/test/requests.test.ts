import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createClient } from '../src/index.ts'
import { inputs, outputs } from '@storeport/testing/samples'
import { apiKey, clientOf, startResponding, success } from './start-server.ts'

describe('a client request', () => {
  test('omits fields that are missing or undefined', async () => {
    const { client, seen } = await clientOf([success({ products: [] })])
    await client.listProducts({})
    await client.listProducts({ email: undefined })
    await client.addProduct({ email: 'a@b.example', product_id: 'p', quantity: 3, discount_code: undefined })
    expect(seen.map(({ url, body }) => url + body)).toEqual([
      '/integration/upsells/products',
      '/integration/upsells/products',
      '/integration/upsells/add-product{"email":"a@b.example","product_id":"p","quantity":3}',
    ])
  })

  test('omits fields that the endpoint does not have', async () => {
    const { client, seen } = await clientOf([success({ products: [] })])
    const customer = { email: 'a@b.example', phone: '555 0100' }
    await client.listProducts(customer)
    await client.sendNow(customer)
    expect(seen.map(({ url, body }) => url + body).join()).not.toMatch(/555|phone/)
  })

  test('encodes a plus sign as %2B and a space as %20', async () => {
    const { client, seen } = await clientOf([success({ products: [] })])
    await client.listProducts({ email: 'a+b@c.example' })
    await client.getDiscount({ discount_code: 'ten % & off+#?=é' }).catch(() => {})
    expect(seen.map(({ url }) => url)).toEqual([
      '/integration/upsells/products?email=a%2Bb%40c.example',
      '/integration/discounts/get-discount?discount_code=ten%20%25%20%26%20off%2B%23%3F%3D%C3%A9',
    ])
  })

  test('sends any string unchanged in a query or a body', async () => {
    const { client, seen } = await clientOf([success()])
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (text) => {
        await client.getDiscount({ discount_code: text }).catch(() => {})
        await client.runCustomAction({ email: 'a@b.example', action_id: text })
        const [query, body] = seen.slice(-2)
        expect(new URLSearchParams(query?.url.split('?')[1]).get('discount_code')).toBe(text)
        expect(JSON.parse(body?.body ?? '').action_id).toBe(text)
      }),
      { numRuns: 30 },
    )
  })

  test('rejects a lone surrogate in a query', async () => {
    const { baseUrl, seen } = await startResponding(success())
    const request = createClient({ baseUrl, apiKey }).getDiscount({ discount_code: 'a\uD800' })
    await expect(request).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('discount_code: '),
    })
    expect(seen).toEqual([])
  })

  test('builds the path and header names from the vendor and the base path', async () => {
    const { baseUrl, seen } = await startResponding(success())
    const input = inputs.sendNow
    await createClient({ baseUrl: `${baseUrl}/api//`, apiKey, vendor: 'acme-mail', testMode: true }).sendNow(input)
    const names = { basePath: '/v2/hooks', apiKeyHeader: 'X-Key', testModeHeader: 'X-Try' }
    await createClient({ baseUrl: `${baseUrl}/`, apiKey, ...names }).sendNow(input, { testMode: true })
    expect(seen).toMatchObject([
      {
        url: '/api/acme-mail/customer-portal/send-now',
        headers: { 'x-acme-mail-api-key': apiKey, 'x-acme-mail-test-mode': 'true' },
      },
      { url: '/v2/hooks/customer-portal/send-now', headers: { 'x-key': apiKey, 'x-try': 'true' } },
    ])
  })

  test('sends the request id and test mode with every request, and the idempotency key only with a POST', async () => {
    const { client, seen } = await clientOf([success(outputs.getSubscription)])
    const context = {
      requestId: 'req-1',
      idempotencyKey: 'click-1',
      testMode: true,
      signal: new AbortController().signal,
    }
    await client.getSubscription(inputs.getSubscription, context)
    await client.sendNow(inputs.sendNow, context)
    await client.sendNow(inputs.sendNow)
    const headers = ['x-request-id', 'idempotency-key', 'x-integration-test-mode']
    expect(seen.map((request) => headers.map((name) => request.headers[name]))).toEqual([
      ['req-1', undefined, 'true'],
      ['req-1', 'click-1', 'true'],
      [undefined, undefined, undefined],
    ])
  })

  test('omits an invalid request id, and rejects an invalid idempotency key before sending a request', async () => {
    const { client, seen } = await clientOf([success()])
    await client.sendNow(inputs.sendNow, { requestId: 'line\nbreak' })
    expect(seen[0]?.headers['x-request-id']).toBeUndefined()
    for (const idempotencyKey of ['', 'a b', 'é', 'x'.repeat(256)]) {
      await expect(client.sendNow(inputs.sendNow, { idempotencyKey })).rejects.toThrow(/^idempotencyKey: /)
    }
    expect(seen).toHaveLength(1)
  })
})

describe('createClient', () => {
  const good = { baseUrl: 'https://shop.example/api/', apiKey }

  test.each([
    ['baseUrl', { baseUrl: '' }],
    ['baseUrl', { baseUrl: 'shop.example' }],
    ['baseUrl', { baseUrl: '/api' }],
    ['baseUrl', { baseUrl: 'ftp://shop.example' }],
    ['baseUrl', { baseUrl: 'https://user:secret@shop.example' }],
    ['baseUrl', { baseUrl: 'https://user@shop.example' }],
    ['baseUrl', { baseUrl: 'https://:secret@shop.example' }],
    ['baseUrl', { baseUrl: 'https://shop.example/?' }],
    ['baseUrl', { baseUrl: 'https://shop.example/?a=secret' }],
    ['baseUrl', { baseUrl: 'https://shop.example/#secret' }],
    ['apiKey', { apiKey: '' }],
    ['apiKey', { apiKey: undefined }],
    ['apiKey', { apiKey: 'secret\r\nX-Evil: 1' }],
    ['apiKey', { apiKey: 'secret-é' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: 2 ** 31 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['retries', { retries: -1 }],
    ['retries', { retries: 11 }],
    ['retries', { retries: 0.5 }],
    ['maxResponseBytes', { maxResponseBytes: 0 }],
    ['vendor', { vendor: 'Not A Word' }],
    ['basePath', { basePath: 'no-slash' }],
    ['apiKeyHeader', { apiKeyHeader: 'no header' }],
  ])('rejects %s in %o without quoting the value', (option, invalid) => {
    const create = () => Reflect.apply(createClient, undefined, [{ ...good, ...invalid }])
    expect(create).toThrow(TypeError)
    expect(create).toThrow(new RegExp(`^${option}: `))
    expect(create).not.toThrow(/secret/)
  })

  test('sets honoursIdempotencyKey to its value, or to false by default', () => {
    expect(createClient(good).honoursIdempotencyKey).toBe(false)
    for (const honoursIdempotencyKey of [true, { forMs: 60_000 }])
      expect(createClient({ ...good, honoursIdempotencyKey }).honoursIdempotencyKey).toEqual(honoursIdempotencyKey)
  })
})
