import { endpointNames, endpoints } from '@storeport/core'
import fc from 'fast-check'

/** Texts that mean something to some part of the way, or to nobody. */
const telling = [
  ['', ' ', '__proto__', 'constructor', 'toString', '\ud800', '\udc00x', '\u0000', '\u202e', '\ufeff', '’; --'],
  ['2026-02-30', '2030-01-01', '9999-12-31', '0000-00-00', '2026-03-10T00:00:00Z', 'a@b', 'a@b@c', '"a b"@c.example'],
  ['subscription@example.com', 'cancelled@example.com', 'test@example.com', 'TEST10', 'FIVEOFF', 'EXPIRED5'],
  ['test_12345', 'test_54321', 'test_00000', 'item_1', 'item_7', 'sub_2003', 'sub_3002', 'claim_discount_10off'],
].flat()
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...telling))
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
const headerTexts = [
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
    fc.constantFrom(...headerTexts),
  ),
)
const methods = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
const pathOf = (name: (typeof endpointNames)[number]) => `/integration${endpoints[name].path}`
const json = fc.json().map((each) => Buffer.from(each))

/** Path of an endpoint that changes something. */
const changingPath = fc.constantFrom(...endpointNames.filter((name) => endpoints[name].method === 'POST').map(pathOf))

/** Path of an endpoint that changes nothing. */
const readingPath = fc.constantFrom(...endpointNames.filter((name) => endpoints[name].method === 'GET').map(pathOf))

/** Mostly the path of an endpoint, sometimes any other. */
const anyPath = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...endpointNames.map(pathOf)) },
  fc.webPath().map((end) => `/integration${end}`),
  fc.webPath().map((path) => (path.startsWith('/') ? path : `/${path}`)),
)

/** An HTTP method. */
const anyMethod = fc.constantFrom(...methods)

/** A body of JSON that holds anything in known fields and others. */
const anyFields = fc.dictionary(field, value, { maxKeys: 6, noNullPrototype: true }).map((body) => JSON.stringify(body))

/** A query that holds anything in known fields and others. */
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

/** Bytes that are JSON, or were, or never. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  json,
  fc.tuple(json, fc.nat(200)).map(([bytes, length]) => bytes.subarray(0, length)),
)

/** Headers that mean something, with values that mostly do not. */
const anyHeaders = fc.array(header, { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs))

/** A request to send; a POST unless it says otherwise. */
export interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}

/** A change with anything in its fields. */
export const anyChange: fc.Arbitrary<Sent> = fc.record({ path: changingPath, body: anyFields })

/** A read with anything in its query. */
export const anyRead: fc.Arbitrary<Sent> = fc
  .tuple(readingPath, anyQuery)
  .map(([path, query]) => ({ method: 'GET', path: `${path}?${query}` }))

/** A request with any bytes. */
export const anyBody: fc.Arbitrary<Sent> = fc.record({ path: anyPath, body: anyBytes })

/** A request with any method, path and headers. */
export const anyHead: fc.Arbitrary<Sent> = fc.record({ method: anyMethod, path: anyPath, headers: anyHeaders })

/** A request of good form, changed here and there. */
export function changed(requests: readonly string[]): fc.Arbitrary<Buffer> {
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

const deep = 50_000

/** JSON that is nested deeper than a stack is. */
export const nested: readonly [what: string, json: string][] = [
  ['lists', '['.repeat(deep) + ']'.repeat(deep)],
  ['objects', `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`],
  ['objects with the name of a field', `${'{"email":'.repeat(deep)}"test@example.com"${'}'.repeat(deep)}`],
  ['objects that would be prototypes', `${'{"__proto__":'.repeat(deep)}1${'}'.repeat(deep)}`],
  ['lists that do not end', '['.repeat(deep)],
]

/** JSON of about a megabyte. */
export const long: readonly [what: string, json: string][] = [
  ['text', JSON.stringify('x'.repeat(1_000_000))],
  ['text that is nearly an email', JSON.stringify(`${'a.'.repeat(500_000)}@`)],
  ['text of white space', JSON.stringify(`${' '.repeat(1_000_000)}test@example.com`)],
  ['text of half characters', `"${'\\ud800'.repeat(200_000)}"`],
  ['text of several bytes a character', JSON.stringify('€'.repeat(400_000))],
  ['a number', '9'.repeat(1_000_000)],
  ['a small number', `0.${'0'.repeat(1_000_000)}1`],
  ['a list', `[${'0,'.repeat(500_000)}0]`],
  ['an object with one name over and over', `{${'"email":1,'.repeat(100_000)}"email":2}`],
  ['an object with many names', `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":0`).join()}}`],
]
