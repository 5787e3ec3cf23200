import { expect, it } from 'vitest'
import { CheckFailure } from '../../src/engine/check-end.ts'
import type { RequirementId } from '../../src/engine/requirement.ts'
import type { Wanted } from '../../src/engine/check.ts'
import { readReply } from '../../src/http/reply.ts'
import { type PlainRequest, sendTo } from '../../src/index.ts'
import { diagnose } from '../../src/report/likely-cause.ts'
import { createReplayingShop, createShop, reportOf } from '../shop.ts'

const rejection = (code: string) => JSON.stringify({ success: false, error: { code, message: 'A message.' } })

const noCustomer = [404, rejection('customer_not_found')] as const
const invalid = [400, rejection('invalid_request')] as const
const ok = { status: 200 }
const reused = { status: 422, code: 'idempotency_key_reused' } as const
const noProduct = { status: 404, code: 'product_not_found' } as const

it.each<[RequirementId, wanted: Wanted, answer: readonly [status: number, body: string], cause: string]>([
  ['FIELD-5', { status: 400, code: 'invalid_request' }, noCustomer, 'not validated, or only after the search'],
  ['DATE-3', { status: 400, code: 'invalid_date' }, [400, rejection('TOO_EARLY')], 'its own error codes, such as'],
  ['QUERY-2', ok, invalid, 'The query schema is strict'],
  ['SUBSCRIPTION-1', ok, noCustomer, 'The shop did not find this customer.'],
  ['EMAIL-7', ok, invalid, 'The query is decoded as a form'],
  ['HTTP-10', {}, [501, ''], 'does not support the method'],
  ['HTTP-1', { body: 'error' }, [431, ''], 'The HTTP parser rejects the request'],
  ['EMAIL-2', ok, invalid, 'A custom regular expression is too strict'],
  ['ERROR-2', reused, noCustomer, 'The `Idempotency-Key` is ignored'],
  ['ERROR-2', { status: 415, code: 'unsupported_media_type' }, invalid, 'Check the content type first.'],
  ['ERROR-2', { status: 413, code: 'payload_too_large' }, invalid, 'Check the size first.'],
  ['JSON-1', { body: 'object' }, [200, '[]'], 'The body is not a JSON object.'],
  ['JSON-1', { body: 'success' }, [200, '{"ok":true}'], 'The body has no `success` field.'],
  ['JSON-1', { body: 'data' }, [200, '{"success":true,"products":[]}'], 'Its fields: success, products.'],
  ['ERROR-2', noProduct, [404, rejection('not_found')], 'such as `not_found` instead of'],
  ['ERROR-2', reused, [422, rejection('invalid_request')], 'such as `invalid_request` instead of'],
  ['ERROR-2', noProduct, [409, rejection('not_found')], 'such as 409 instead of 404'],
  ['ROUTE-1', ok, [308, ''], 'redirects the request.'],
  ['ROUTE-1', ok, [404, '<html>'], 'an HTML page with status 404.'],
  ['AUTH-1', { status: 401 }, [403, rejection('x')], 'The key check returns 403. It must return 401.'],
  ['ERROR-1', { body: 'error' }, [404, '{"success":false,"error":"No."}'], '`error` is a string.'],
  ['JSON-3', ok, [500, '<br />\n<b>Fatal error</b>:  Uncaught'], 'PHP wrote an error message to the response.'],
])(
  'derives the cause of a failed %s from the expectation %o and the response',
  (requirement, wanted, answer, cause) => {
    const [status, body] = answer
    const reply = readReply({ method: 'GET', target: '/', headers: [] }, { status, headers: [], body })
    const failure = new CheckFailure({ requirement, expected: 'a conforming response', reply, wanted })
    expect(diagnose(failure).cause).toContain(cause)
  },
)

/** Returns an addProduct request, which succeeds by default. */
function add(body: string, key?: string, code?: string) {
  return post(body, key === undefined ? [] : [['Idempotency-Key', key]], code)
}

function post(text: string, headers: PlainRequest['headers'], code?: string) {
  const request = { method: 'POST', target: '/add', headers, body: new TextEncoder().encode(text) }
  const body = code === undefined ? '{"success":true}' : rejection(code)
  return readReply(request, { status: code === undefined ? 200 : 404, headers: [], body })
}

const chunks = (text: string) => post(text, [['Transfer-Encoding', 'chunked']])
const sized = (...lengths: string[]) =>
  post(
    '{}',
    lengths.map((length) => ['Content-Length', length] as const),
  )
const lenient = 'is parsed leniently'
const usedUp = 'The repeat runs again and does not find what the first request used up.'

it.each<[RequirementId, calls: ReturnType<typeof add>[], cause: string]>([
  ['RETRY-1', [add('{}'), add('{}'), add('{ }')], 'A repeat in another notation runs again.'],
  ['RETRY-1', [add('{}'), add('{}')], 'Each repeat of a request runs again.'],
  ['RETRY-4', [add('{}'), add('{}', undefined, 'x')], 'A repeat of a successful request is rejected.'],
  ['RETRY-1', [add('{}'), add('{ }')], 'Each repeat of a request runs again.'],
  ['RETRY-5', [add('{}', 'a'), add('{}', 'a')], 'Each repeat of a request runs again.'],
  ['RETRY-1', [add('{}'), add('{}', undefined, 'product_not_in_order')], usedUp],
  ['RETRY-9', [add('{}', 'a'), add('{"x":1}'), add('{}', 'a', 'product_not_in_order')], usedUp],
  ['UNDO-1', [add('{}'), add('{}', undefined, 'product_not_in_order')], usedUp],
  [
    'UNDO-1',
    [add('{}'), add('{"x":1}'), add('{}', undefined, 'product_not_in_order')],
    'The response is sent before the change',
  ],
  ['HTTP-3', [chunks('0x2\r\n{}\r\n0\r\n\r\n')], `chunk size \`0x2\` ${lenient}`],
  ['HTTP-3', [chunks('+2\r\n{}\r\n0\r\n\r\n')], `chunk size \`+2\` ${lenient}`],
  ['HTTP-2', [sized('0x2')], `chunk size \`0x2\` ${lenient}`],
  ['HTTP-2', [sized('2', '7')], 'The server uses one of the two lengths'],
  ['CUSTOMER-3', [add(String.raw`{"email":"one@example.com\u0000"}`)], 'A NUL is removed'],
  ['CUSTOMER-3', [add('{"email":"%@example.com"}')], 'The address is used in a `LIKE` condition'],
])('derives the cause of a failed %s from the requests of the check', (requirement, calls, cause) => {
  const reply = calls.at(-1)
  const wanted = requirement !== 'RETRY-4' && reply?.status === 404 ? ok : {}
  const failure = new CheckFailure({ requirement, expected: 'total units: 5', reply, calls, wanted })
  expect(diagnose(failure).cause).toContain(cause)
})

it.each([
  ['X_Integration_API_Key', 'as `getallheaders()` returns them'],
  ['Api-Key', 'A generic authentication library'],
])('derives the cause of a key that is accepted in %s', async (name, cause) => {
  const shop = createShop()
  const send = sendTo((request) => {
    const headers = new Headers(request.headers)
    const key = headers.get(name)
    if (key !== null) headers.set('X-Integration-API-Key', key)
    return shop(new Request(request, { headers }))
  })
  const { groups } = await reportOf({ send, only: ['authentication.ignores-a-key-in-another-header'] })
  const [finding] = groups.flatMap(({ results }) => results).flatMap((result) => result.finding ?? [])
  expect(finding).toMatchObject({ requirement: 'AUTH-7', cause: expect.stringContaining(cause) })
})

it('prints the allowed characters of a request id that is not replaced', async () => {
  const shop = createShop()
  const send = sendTo(async (request) => {
    const response = await shop(request)
    const id = request.headers.get('X-Request-Id')
    if (id !== null) response.headers.set('X-Request-Id', id)
    return response
  })
  const { groups } = await reportOf({ send, only: ['HEADER-6'] })
  const [finding] = groups.flatMap(({ results }) => results).flatMap((result) => result.finding ?? [])
  expect(finding?.expected).toContain('letters, digits, `.`, `_`, `-`, at most 128')
})

it('reports the cause that the check names', () => {
  const failure = new CheckFailure({ requirement: 'SEND-1', expected: 'a success', cause: 'The daily limit.' })
  expect([failure.cause, diagnose(failure).cause]).toEqual(['The daily limit.', 'The daily limit.'])
})

it.each([
  ['must be an array', '{"0":{},"2":{}}', '`array_values`'],
  ['must be a number', '"19.95"', 'Numbers are sent as strings.'],
])('derives the cause of a value that %s: %s', (rule, received, cause) => {
  const wanted = { field: 'data.products', rule }
  const failure = new CheckFailure({ requirement: 'PRODUCTS-1', expected: rule, received, wanted })
  expect(diagnose(failure).cause).toContain(cause)
})

it('prints RETRY-2 first, and does not blame other code, if a shop replays clicks after another change', async () => {
  const send = sendTo(createReplayingShop())
  const { causes, groups } = await reportOf({ send, only: ['retries', 'sendNow', 'addProduct'] })
  const findings = groups.flatMap(({ results }) => results).flatMap(({ finding }) => finding ?? [])
  expect(causes[0]?.cause).toContain('(RETRY-2)')
  expect(findings.find(({ requirement }) => requirement === 'SEND-3')?.causeKey).toBe('RETRY-2')
  const others = findings.filter(({ before, request }) =>
    [...before, request].some((call) => call?.startsWith('POST ')),
  )
  expect(others.filter(({ cause }) => !cause.includes('RETRY-2')).map(({ cause }) => cause)).toEqual([])
})

it.each([
  ['<key>\u00a0', 'trims Unicode white space'],
  ['<key>x', 'The comparison uses a prefix'],
])('derives the cause of an accepted key from the key: %j', (key, cause) => {
  const request = { method: 'GET', target: '/', headers: [['X-Key', key] as const] }
  const reply = readReply(request, { status: 200, headers: [], body: '{"success":true}' }, 'listProducts')
  expect(diagnose(new CheckFailure({ requirement: 'AUTH-3', expected: 'status 401', reply })).cause).toContain(cause)
})
