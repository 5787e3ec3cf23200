import { type Send, sendByHttp } from '@storeport/conformance'
import { createIntegration, endpointNames, endpoints, errors, isErrorCode } from '@storeport/core'
import { serve } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import { collectStrayErrors } from '@storeport/testing/stray-errors'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'

const key = 'a-key-of-the-tests-0001'
const otherCustomer = 'another@example.com'
vi.setConfig({ testTimeout: 60_000 })

/** Strings with a special meaning in a parser, a database or the shop. */
const special = ['', ' ', '__proto__', 'constructor', '\ud800', '\u0000', '\ufeff', '’; --', '2026-02-30', '9999-12-31']
const known = ['subscription@example.com', 'cancelled@example.com', 'TEST10', 'test_12345', 'item_1', 'sub_2003']
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...special, ...known))
const value = fc.oneof(
  { weight: 6, arbitrary: text },
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-0, 1e308, 2 ** 53, null, true, [], {}, { email: 'a@b' }, [[[]]]),
)
const inputFields = endpointNames.flatMap((name) => Object.keys(endpoints[name].input.shape))
const field = fc.constantFrom(...inputFields, '__proto__', 'constructor', 'toJSON', '', 'test')
const pathsOf = (method: string) =>
  endpointNames.filter((name) => endpoints[name].method === method).map((name) => `/integration${endpoints[name].path}`)
const anyPath = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...pathsOf('GET'), ...pathsOf('POST')) },
  fc.webPath().map((end) => `/integration${end}`),
)
const anyValue = fc.oneof(
  text.map((raw) => encodeURIComponent(raw.toWellFormed())),
  fc.constantFrom('%', '%ff'),
)
const anyQuery = fc.array(fc.tuple(field, anyValue)).map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
const visible = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f)
const anyHeader = fc.tuple(
  fc.constantFrom('Content-Type', 'X-Integration-Test-Mode', 'Idempotency-Key', 'Content-Encoding', 'Expect', 'Origin'),
  fc.oneof(
    fc.string({ unit: visible.map((code) => String.fromCodePoint(code)) }),
    fc.constantFrom('true', 'application/json', 'application/json; charset=utf-16', ',;"'.repeat(900)),
  ),
)

type Hostile = Omit<Parameters<Send>[0], 'headers'> & Partial<Pick<Parameters<Send>[0], 'headers'>>

const kinds: Readonly<Record<string, fc.Arbitrary<Hostile>>> = {
  fields: fc.record({
    method: fc.constant('POST'),
    target: fc.constantFrom(...pathsOf('POST')),
    body: fc.dictionary(field, value, { maxKeys: 6 }).map((fields) => Buffer.from(JSON.stringify(fields))),
  }),
  queries: fc
    .tuple(fc.constantFrom(...pathsOf('GET')), anyQuery)
    .map(([path, query]) => ({ method: 'GET', target: `${path}?${query}` })),
  'the bytes of a body': fc.record({
    method: fc.constant('POST'),
    target: anyPath,
    body: fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((json) => Buffer.from(json).subarray(0, 200)),
    ),
  }),
  'methods, paths and headers': fc.record({
    method: fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'),
    target: anyPath,
    headers: fc.array(anyHeader, { maxLength: 3 }),
  }),
}

const depth = 50_000
/** JSON that is nested more deeply than the call stack allows, and JSON of 1 MB. */
const large = {
  'nested objects': `${'{"email":'.repeat(depth)}1${'}'.repeat(depth)}`,
  'nested prototypes': `${'{"__proto__":'.repeat(depth)}1${'}'.repeat(depth)}`,
  'a string that is almost an email': JSON.stringify(`${'a.'.repeat(500_000)}@`),
  'an email after whitespace': JSON.stringify(`${' '.repeat(1_000_000)}test@example.com`),
  'a small number': `0.${'0'.repeat(1_000_000)}1`,
  'one repeated name': `{${'"email":1,'.repeat(100_000)}"email":2}`,
}

/** Serves a shop. At the end of the test, no error may be reported, and no other customer changed. */
async function openShop(maxBodyBytes?: number) {
  const store = createMemoryStore({ today: '2026-03-10' })
  const before = JSON.stringify(store.account(otherCustomer))
  const problems: unknown[] = collectStrayErrors()
  const onError = (error: unknown) => void problems.push(error)
  const server = await serve(createIntegration({ store, apiKeys: [key], maxBodyBytes, onError }), { port: 0 })
  onTestFinished(async () => {
    await server.close()
    expect([problems, Object.keys(Object.prototype)]).toEqual([[], []])
    expect(JSON.stringify(store.account(otherCustomer))).toBe(before)
  })
  const send = sendByHttp(server.url)
  return async ({ method, target, headers = [], body }: Hostile): Promise<number> => {
    const hasType = headers.some(([name]) => name === 'Content-Type')
    const own = { 'X-Integration-API-Key': key, ...(!hasType && { 'Content-Type': 'application/json' }) }
    const response = await send({ method, target, headers: [...Object.entries(own), ...headers], body })
    expectHandled(response, method === 'HEAD')
    return response.status
  }
}

/** Expects a status below 500, a documented error code, and a message without data of the request. */
function expectHandled({ status, headers, body }: Awaited<ReturnType<Send>>, isHead = false) {
  expect(status).toBeLessThan(500)
  expect(Object.fromEntries(headers)).toMatchObject({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Request-Id': expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
  })
  if (isHead) return expect(body).toBe('')
  const { success, error }: { success: unknown; error?: { code: unknown; message: unknown } } = JSON.parse(body)
  expect(success).toBe(status === 200)
  if (status === 200) return
  // The response to an unsupported `Expect` header has the error code of an invalid request.
  expect(isErrorCode(error?.code) && errors[error.code].status).toBe(status === 417 ? 400 : status)
  expect(error?.message).not.toMatch(/\n|\.[cm]?[jt]s:\d|[^\s@]@[^\s@]|.{600}/)
}

it.each(Object.entries(kinds))('returns valid responses to hostile input in %s', async (_where, anyRequest) => {
  const send = await openShop(4 * 1024 * 1024)
  const property = fc.asyncProperty(anyRequest, async (request) => void (await send(request)))
  await fc.assert(property, { numRuns: 1000 })
})

it.each(Object.entries(large))('rejects %s', async (_what, json) => {
  const [small, wide] = [await openShop(), await openShop(4 * 1024 * 1024)]
  for (const sent of [`{"email":${json}}`, `{"email":"nobody@example.com","unknown":${json}}`, json]) {
    const request = { method: 'POST', target: '/integration/customer-portal/send-now', body: Buffer.from(sent) }
    expect([400, 404]).toContain(await wide(request))
    expect(await small(request)).toBe(413)
  }
})
