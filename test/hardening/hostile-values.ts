import { endpointNames, endpoints } from '@storeport/core'
import fc from 'fast-check'

/** Strings with a special meaning in a parser, a database or the shop, and malformed variants. */
const specialStrings = [
  ['', ' ', '__proto__', 'constructor', 'toString', '\ud800', '\udc00x', '\u0000', '\u202e', '\ufeff', '’; --'],
  ['2026-02-30', '2030-01-01', '9999-12-31', '0000-00-00', '2026-03-10T00:00:00Z', 'a@b', 'a@b@c', '"a b"@c.example'],
  ['subscription@example.com', 'cancelled@example.com', 'test@example.com', 'TEST10', 'FIVEOFF', 'EXPIRED5'],
  ['test_12345', 'test_54321', 'test_00000', 'item_1', 'item_7', 'sub_2003', 'sub_3002', 'claim_discount_10off'],
].flat()
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...specialStrings))
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(-0, 1e308, 1e-308, 2 ** 53))
const value = fc.oneof(
  { weight: 6, arbitrary: text },
  fc.jsonValue({ maxDepth: 3 }),
  number,
  fc.constantFrom(null, true, false, [], {}, ['a'], { email: 'a@b' }, [[[]]]),
)
const fieldNames = [
  ['email', 'product_id', 'quantity', 'discount_code', 'code', 'one_time', 'new_date', 'current_item_id', 'test'],
  ['new_product_id', 'subscription_id', 'action_id', '__proto__', 'constructor', 'prototype', 'toJSON', ''],
].flat()
const field = fc.constantFrom(...fieldNames)
const visible = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f)
const headerNames = [
  ['content-type', 'x-request-id', 'x-integration-test-mode', 'idempotency-key', 'x-integration-api-key', 'accept'],
  ['content-encoding', 'x-http-method-override', 'x-forwarded-for', 'origin', 'cookie', 'expect', 'traceparent'],
].flat()
const headerValues = [
  'true',
  'false',
  'application/json',
  'text/plain',
  'application/json; charset=utf-16',
  'gzip',
  'PUT',
]
const header = fc.tuple(
  fc.constantFrom(...headerNames),
  fc.oneof(
    fc.string({ unit: visible.map((code) => String.fromCodePoint(code)) }),
    fc.string({ unit: fc.constantFrom('a', ',', ';', '"'), minLength: 500, maxLength: 3000 }),
    fc.constantFrom(...headerValues),
  ),
)
const methods = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
const pathOf = (name: (typeof endpointNames)[number]) => `/integration${endpoints[name].path}`
const json = fc.json().map((each) => Buffer.from(each))

const changingPath = fc.constantFrom(...endpointNames.filter((name) => endpoints[name].method === 'POST').map(pathOf))

const readingPath = fc.constantFrom(...endpointNames.filter((name) => endpoints[name].method === 'GET').map(pathOf))

/** Generates paths of endpoints, and sometimes other paths. */
const anyPath = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...endpointNames.map(pathOf)) },
  fc.webPath().map((end) => `/integration${end}`),
  fc.webPath().map((path) => (path.startsWith('/') ? path : `/${path}`)),
)

const anyMethod = fc.constantFrom(...methods)

/** Generates a JSON object with arbitrary values in valid and invalid fields. */
const anyFields = fc.dictionary(field, value, { maxKeys: 6, noNullPrototype: true }).map((body) => JSON.stringify(body))

/** Generates a query string with arbitrary values in valid and invalid parameters. */
const anyQuery = fc
  .array(
    fc.tuple(
      field,
      fc.oneof(
        text.map((raw) => encodeURIComponent(raw.toWellFormed())),
        fc.constantFrom('%', '%ff', '%00', 'a+b@c.d', '%C0%AF', '%u0041', '=&='),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))

/** Generates random bytes, JSON, or truncated JSON. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  json,
  fc.tuple(json, fc.nat(200)).map(([bytes, length]) => bytes.subarray(0, length)),
)

/** Generates headers that StorePort or HTTP uses, mostly with invalid values. */
const anyHeaders = fc.array(header, { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs))

/** A request to send. The default method is POST. */
export interface HostileRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}

/** Generates a POST request with arbitrary values in the fields of its body. */
export const anyChange: fc.Arbitrary<HostileRequest> = fc.record({ path: changingPath, body: anyFields })

export const anyRead: fc.Arbitrary<HostileRequest> = fc
  .tuple(readingPath, anyQuery)
  .map(([path, query]) => ({ method: 'GET', path: `${path}?${query}` }))

export const anyBody: fc.Arbitrary<HostileRequest> = fc.record({ path: anyPath, body: anyBytes })

export const anyHead: fc.Arbitrary<HostileRequest> = fc.record({
  method: anyMethod,
  path: anyPath,
  headers: anyHeaders,
})

/** Generates one of the given requests with some bytes changed. */
export function anyCorrupted(requests: readonly string[]): fc.Arbitrary<Buffer> {
  const byte = fc.oneof(fc.constantFrom(0, 9, 10, 13, 32, 34, 58, 44, 0x7f, 0xff), fc.integer({ min: 0, max: 255 }))
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(3),
    put: fc.array(byte, { maxLength: 3 }),
  })
  return fc
    .tuple(fc.constantFrom(...requests), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([request, changes]) =>
      changes.reduce((bytes, { at, removed, put }) => {
        const start = Math.floor(at * bytes.length)
        return Buffer.concat([bytes.subarray(0, start), Buffer.from(put), bytes.subarray(start + removed)])
      }, Buffer.from(request)),
    )
}

const depth = 50_000

/** JSON that is nested more deeply than the call stack allows. */
export const nested: readonly [what: string, json: string][] = [
  ['arrays', '['.repeat(depth) + ']'.repeat(depth)],
  ['objects', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ['objects with the name of a valid field', `${'{"email":'.repeat(depth)}"test@example.com"${'}'.repeat(depth)}`],
  ['objects in `__proto__`', `${'{"__proto__":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ['unterminated arrays', '['.repeat(depth)],
]

/** JSON values of about 1 MB, by description. */
export const long: readonly [what: string, json: string][] = [
  ['a string', JSON.stringify('x'.repeat(1_000_000))],
  ['a string that is almost an email', JSON.stringify(`${'a.'.repeat(500_000)}@`)],
  ['an email after whitespace', JSON.stringify(`${' '.repeat(1_000_000)}test@example.com`)],
  ['unpaired surrogates', `"${'\\ud800'.repeat(200_000)}"`],
  ['multi-byte characters', JSON.stringify('€'.repeat(400_000))],
  ['a number', '9'.repeat(1_000_000)],
  ['a small number', `0.${'0'.repeat(1_000_000)}1`],
  ['an array', `[${'0,'.repeat(500_000)}0]`],
  ['an object with one repeated name', `{${'"email":1,'.repeat(100_000)}"email":2}`],
  ['an object with many names', `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":0`).join()}}`],
]
