import type { EndpointName } from '@storeport/core'
import { expect, it } from 'vitest'
import { CheckFailure } from '../../src/engine/check-end.ts'
import type { RequirementId } from '../../src/engine/requirement.ts'
import { readReply } from '../../src/http/reply.ts'
import { sendTo } from '../../src/index.ts'
import { diagnose } from '../../src/report/likely-cause.ts'
import { createShop, reportOf } from '../shop.ts'

const rejection = (code: string) => JSON.stringify({ success: false, error: { code, message: 'A message.' } })

it.each<[RequirementId, EndpointName, expected: string, status: number, body: string, cause: string]>([
  [
    'ERROR-3',
    'addProduct',
    'a message that names email',
    404,
    rejection('customer_not_found'),
    'The request is rejected with 404, because the field is validated too late or converted to another type. It must return 400.',
  ],
  [
    'PRODUCTS-1',
    'listProducts',
    'status 200',
    404,
    rejection('customer_not_found'),
    'listProducts rejects an unknown customer. It must return the general list (PRODUCTS-8).',
  ],
  [
    'SUBSCRIPTION-1',
    'getSubscription',
    'status 200',
    404,
    rejection('customer_not_found'),
    'The shop did not find this customer. Check the email address in the profile.',
  ],
  [
    'ADD-1',
    'addProduct',
    'status 200',
    400,
    rejection('invalid_request'),
    'The shop rejects a valid field, or the line has the maximum quantity. The error message names the field.',
  ],
  [
    'EMAIL-7',
    'listProducts',
    'status 200',
    400,
    rejection('invalid_request'),
    'The query is decoded as a form, where a plus means a space.',
  ],
  [
    'HTTP-10',
    'listProducts',
    'a rejection of a request with the method CONNECT',
    501,
    '',
    'The server does not support the method or a header of the request.',
  ],
])('derives the cause of a failed %s from the response: %s, %s', (requirement, name, expected, status, body, cause) => {
  const reply = readReply({ method: 'GET', target: '/', headers: [] }, { status, headers: [], body }, name)
  expect(diagnose(new CheckFailure({ requirement, expected, reply })).cause).toBe(cause)
})

/** Returns a successful addProduct request. */
function add(body: string, key?: string) {
  const headers = key === undefined ? [] : [['Idempotency-Key', key] as const]
  const request = { method: 'POST', target: '/add', headers, body: new TextEncoder().encode(body) }
  return readReply(request, { status: 200, headers: [], body: '{"success":true}' }, 'addProduct')
}

it.each<[RequirementId, calls: ReturnType<typeof add>[], cause: string]>([
  ['RETRY-1', [add('{}'), add('{}'), add('{ }')], 'A repeat in another notation runs again.'],
  ['RETRY-1', [add('{}'), add('{}')], 'Each repeat of a request runs again.'],
  ['RETRY-1', [add('{}'), add('{ }')], 'Each repeat of a request runs again.'],
  ['RETRY-5', [add('{}', 'a'), add('{}', '"a"')], 'An `Idempotency-Key` in quotes'],
  ['RETRY-5', [add('{}', 'a'), add('{}', 'a')], 'Each repeat of a request runs again.'],
  ['CUSTOMER-3', [add(String.raw`{"email":"one@example.com\u0000"}`)], 'A NUL is removed'],
  ['CUSTOMER-3', [add('{"email":"%@example.com"}')], 'The address is used in a `LIKE` condition'],
])('derives the cause of a failed %s from the requests of the check', (requirement, calls, cause) => {
  const failure = new CheckFailure({ requirement, expected: 'total units: 5', reply: calls.at(-1), calls })
  expect(diagnose(failure).cause).toContain(cause)
})

it('reports the cause that the check names', () => {
  const failure = new CheckFailure({ requirement: 'SEND-1', expected: 'a success', cause: 'The daily limit.' })
  expect([failure.cause, diagnose(failure).cause]).toEqual(['The daily limit.', 'The daily limit.'])
})

it('derives the cause of a list that PHP encodes as an object', () => {
  const expected = 'data.products: must be an array'
  const failure = new CheckFailure({ requirement: 'PRODUCTS-1', expected, received: '{"0":{},"2":{}}' })
  expect(diagnose(failure).cause).toContain('`array_values`')
})

it('prints RETRY-2 first, and does not blame other code, if a shop replays clicks after another change', async () => {
  const shop = createShop()
  const stored = new Map<string, string>()
  const send = sendTo(async (request) => {
    const click = `${request.url} ${await request.clone().text()}`
    const isPlain = request.method === 'POST' && !request.headers.has('Idempotency-Key')
    const body = stored.get(click)
    if (isPlain && body !== undefined) return new Response(body, { headers: { 'Content-Type': 'application/json' } })
    const response = await shop(request)
    if (isPlain && response.status === 200) stored.set(click, await response.clone().text())
    return response
  })
  const { causes, groups } = await reportOf({ send, only: ['retries', 'sendNow', 'addProduct'] })
  const findings = groups.flatMap(({ results }) => results).flatMap(({ finding }) => finding ?? [])
  expect(causes[0]?.cause).toContain('(RETRY-2)')
  expect(findings.find(({ requirement }) => requirement === 'SEND-3')?.causeKey).toBe('RETRY-2')
  const others = findings.filter(({ before, request }) =>
    [...before, request].some((call) => call?.startsWith('POST ')),
  )
  expect(others.filter(({ cause }) => !cause.includes('RETRY-2')).map(({ cause }) => cause)).toEqual([])
})
