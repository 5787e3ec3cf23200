import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpointNames, endpoints, type Endpoint, errors, isErrorCode } from '@storeport/core'
import { integrationOf, key, send } from './support.ts'

/** Every response to a random request must be documented, without a stack trace or an email address. */
describe('random requests', () => {
  const called: string[] = []
  // Only valid input reaches the store. The store returns null, which causes an error for reads.
  const integration = integrationOf(
    Object.fromEntries(
      endpointNames.map((name) => [
        name,
        async () => {
          called.push(name)
          return null
        },
      ]),
    ),
    { onError: () => {} },
  )

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('', ' ', '__proto__', 'a@b.example', '\ud800', '\u0000', '2026-02-30', '2030-01-01'),
  )
  const value = fc.oneof(text, fc.jsonValue(), fc.double(), fc.integer({ min: -2, max: 2000 }))
  const fieldNames = [
    'email',
    'product_id',
    'quantity',
    'discount_code',
    'one_time',
    'new_date',
    'code',
    '__proto__',
    'constructor',
    'test',
  ]
  const name = fc.constantFrom(...endpointNames)

  it('returns a documented response for any body', async () => {
    await fc.assert(
      fc.asyncProperty(name, fc.dictionary(fc.constantFrom(...fieldNames), value), async (endpoint, body) => {
        const row: Endpoint = endpoints[endpoint]
        fc.pre(row.method === 'POST')
        expectEnvelope(await send(integration, `/integration${row.path}`, { body }), JSON.stringify(body))
      }),
      { numRuns: 1000 },
    )
  })

  it('returns 400 for random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const request = new Request('https://shop.example/integration/customer-portal/delay', {
          method: 'POST',
          headers: { 'x-integration-api-key': key, 'content-type': 'application/json' },
          body: bytes,
        })
        const response = await integration.fetch(request)
        expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('"invalid_request"')])
      }),
      { numRuns: 300 },
    )
  })

  it('returns a documented response for any query', async () => {
    const pair = fc.tuple(
      fc.constantFrom(...fieldNames, 'e%6Dail', '%ff'),
      fc.oneof(
        text.map((raw) => encodeURIComponent(raw.toWellFormed())),
        fc.constantFrom('%', '%ff', 'a+b@c.d', '%00'),
      ),
    )
    await fc.assert(
      fc.asyncProperty(name, fc.array(pair, { maxLength: 4 }), async (endpoint, pairs) => {
        const row: Endpoint = endpoints[endpoint]
        fc.pre(row.method === 'GET')
        const query = pairs.map(([field, raw]) => `${field}=${raw}`).join('&')
        expectEnvelope(await send(integration, `/integration${row.path}?${query}`), query)
      }),
      { numRuns: 1000 },
    )
  })

  it('returns a 4xx status for any path, method and header', async () => {
    const header = fc.string({ unit: fc.constantFrom(...'abcXYZ019 ;,=/"*'), maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        fc.webPath(),
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
        header,
        async (path, method, word) => {
          const headers = { 'content-type': word, 'x-request-id': word, 'x-integration-test-mode': word }
          const answered = await send(integration, `/integration${path}`, { method, headers })
          expect(answered.status).toBeGreaterThanOrEqual(400)
          expect(answered.status).toBeLessThan(500)
          if (method !== 'HEAD') expectEnvelope(answered, path)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('returns a documented response for JSON nested 30,000 levels deep in a known or unknown field', async () => {
    for (const field of ['email', 'unknown']) {
      const body = `{"${field}":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
      expectEnvelope(await send(integration, '/integration/customer-portal/send-now', { body }), body)
    }
  })

  it('includes valid requests that reach the store', () => {
    expect(called.length).toBeGreaterThan(0)
  })
})

function expectEnvelope(answered: Awaited<ReturnType<typeof send>>, sent: string): void {
  const { status, headers, json } = answered
  if (status === 500) {
    // The request was valid, but the store returned null.
    expect(json.error?.code).toBe('invalid_store_response')
  } else if (status === 200) {
    expect(answered.text).toBe('{"success":true}')
  } else {
    expect(isErrorCode(json.error?.code) && errors[json.error.code].status).toBe(status)
    expect(json).toEqual({ success: false, error: { code: expect.any(String), message: expect.any(String) } })
    expect(json.error?.message).not.toMatch(/\n|\.[cm]?[jt]s:\d|[^\s@]@[^\s@]/)
    expect(sent.length > 20 && String(json.error?.message).includes(sent)).toBe(false)
  }
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
}
