import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { customerText, readOutcome } from '../page/shop/outcome.ts'
import { compareResponses, formatCurl, tokenizeJson } from '../page/inspector/read-exchange.ts'
import type { Exchange } from '../src/protocol.ts'

function exchange(body: unknown, status = 200, headers: readonly (readonly [string, string])[] = []): Exchange {
  return {
    request: { method: 'GET', url: 'https://shop.example/', headers: [], body: null },
    response: { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
    problem: null,
    durationMs: 1,
  }
}

const noResponse: Exchange = { ...exchange(''), response: null, problem: 'connection failed (ECONNREFUSED)' }
const discount = { discount_type: 'percentage', discount_percentage: 10 }
const error = { code: 'payment_failed', message: 'The payment failed.' }

it.each([
  ['the data of a response', 'getDiscount', exchange({ success: true, data: discount }), { data: discount }],
  ['null for a change', 'sendNow', exchange({ success: true }), { data: null }],
  ['an error', 'sendNow', exchange({ success: false, error }, 400), { failure: error }],
  ['shop_unreachable without a response', 'sendNow', noResponse, { failure: { code: 'shop_unreachable' } }],
] as const)('readOutcome returns %s', (_name, endpoint, received, outcome) => {
  expect(readOutcome(endpoint, received)).toMatchObject({ ok: 'data' in outcome, ...outcome })
})

const products = (product: object) => ({ success: true, data: { products: [{ id: 'a', ...product }] } })

it.each([
  ['a body that is not JSON', '<html>'],
  ['a body without the envelope', []],
  ['an error without a code', { success: false, error: {} }],
  ['missing data', { success: true }],
  ['invalid data', products({})],
  ['an unsafe image URL', products({ title: 'A', price: 1, images: ['javascript:alert(1)'] })],
])('readOutcome rejects %s', (_name, body) => {
  const failure = { code: 'invalid_answer', message: expect.stringMatching(/not match the contract: (?:it is|data)/) }
  expect(readOutcome('listProducts', exchange(body))).toEqual({ ok: false, failure })
})

it.each([
  ['constructor', /^An error occurred/],
  ['__proto__', /^An error occurred/],
  ['something_new', /^An error occurred/],
  ['payment_failed', /^The payment failed\./],
])("customerText omits the shop's message: %s", (code, text) => {
  expect(customerText({ code, message: 'stack trace' })).toMatch(text)
})

it.each([
  [exchange(''), exchange(''), null, 'alike'],
  [exchange(''), exchange(''), 1, 'countedOnce'],
  [exchange(''), exchange(''), 2, 'countedTwice'],
  [exchange(''), exchange('', 200, [['idempotency-replayed', 'true']]), null, 'replayed'],
  [exchange(''), exchange('', 409), null, 'oneRejected'],
  [noResponse, exchange(''), null, 'oneRejected'],
  [exchange('', 404), exchange('', 404), null, 'noneWorked'],
  [noResponse, noResponse, null, 'noneWorked'],
])('compares the responses to a click that was sent twice (case %#)', (first, second, times, comparison) => {
  expect(compareResponses([first, second], times)).toBe(comparison)
})

it('splits JSON into tokens, and returns any other string as one token', () => {
  const shown = tokenizeJson('{"a":"b\\"","n":1}').filter(({ kind }) => kind !== 'plain')
  const tokens = shown.map(({ kind, text }) => `${kind} ${text}`)
  expect(tokens).toEqual(['name "a":', 'string "b\\""', 'name "n":', 'literal 1'])
  expect(tokenizeJson('<b>no</b>')).toEqual([{ kind: 'plain', text: '<b>no</b>' }])
})

it('formats a curl command with the API key from a shell variable and quoted special characters', () => {
  const url = "https://shop.example/integration/customer-portal/delay?a=it's"
  const body = JSON.stringify({ email: "o'neil@example.com", action_id: '$(id) `id` "x" \\ \n end' })
  const headers = [['X-Acme-Mail-API-Key', '<key>']] as const
  const command = formatCurl({ method: 'POST', url, headers, body }, 'x-acme-mail-api-key')
  // Runs the command in a shell that has a function instead of curl, which prints its arguments.
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
  const env = { ...process.env, STOREPORT_API_KEY: 'the key of the shell' }
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env })
  const sent = ['-X', 'POST', url, '-H', 'X-Acme-Mail-API-Key: the key of the shell', '--data-raw', body]
  expect([stderr, stdout.split('\0').slice(0, -1)]).toEqual(['', sent])
})
