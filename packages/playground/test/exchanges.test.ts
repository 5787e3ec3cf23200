import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { customerText, readOutcome } from '../page/shop/outcome.ts'
import { compareResponses, formatCurl, tokenizeJson } from '../page/wire/read-exchange.ts'
import type { Exchange } from '../src/protocol.ts'

function exchange(body: unknown, status = 200, headers: readonly (readonly [string, string])[] = []): Exchange {
  return {
    request: { method: 'GET', url: 'https://shop.example/', headers: [], body: null },
    response: { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
    problem: null,
    durationMs: 1,
  }
}

const failedExchange: Exchange = { ...exchange(''), response: null, problem: 'connection failed (ECONNREFUSED)' }

describe('readOutcome', () => {
  it('returns the data of a valid response', () => {
    const data = { discount_type: 'percentage', discount_percentage: 10 }
    expect(readOutcome('getDiscount', exchange({ success: true, data }))).toEqual({ ok: true, data })
    expect(readOutcome('sendNow', exchange({ success: true }))).toEqual({ ok: true, data: null })
  })

  it('returns the error of an error response', () => {
    const error = { code: 'payment_failed', message: 'The payment failed.' }
    expect(readOutcome('sendNow', exchange({ success: false, error }, 400))).toEqual({ ok: false, failure: error })
  })

  it.each([
    ['a body that is not JSON', '<html>'],
    ['a body without the envelope', []],
    ['an error without a code', { success: false, error: {} }],
    ['missing data', { success: true }],
    ['invalid data', { success: true, data: { products: [{ id: 'a' }] } }],
    [
      'an image URL with an unsupported scheme',
      { success: true, data: { products: [{ id: 'a', title: 'A', price: 1, images: ['javascript:alert(1)'] }] } },
    ],
  ])('rejects %s', (_name, body) => {
    const failure = { code: 'invalid_answer', message: expect.stringMatching(/not match the contract: (?:it is|data)/) }
    expect(readOutcome('listProducts', exchange(body))).toEqual({ ok: false, failure })
  })

  it('returns shop_unreachable if there is no response', () => {
    expect(readOutcome('sendNow', failedExchange)).toMatchObject({ failure: { code: 'shop_unreachable' } })
  })
})

describe('customerText', () => {
  it("omits the shop's message", () => {
    for (const code of ['constructor', '__proto__', 'something_new']) {
      expect(customerText({ code, message: 'stack trace' })).toMatch(/^An error occurred/)
    }
    expect(customerText({ code: 'payment_failed', message: '' })).toMatch(/payment/)
  })
})

it.each([
  [exchange(''), exchange(''), null, 'alike'],
  [exchange(''), exchange(''), 1, 'countedOnce'],
  [exchange(''), exchange(''), 2, 'countedTwice'],
  [exchange(''), exchange('', 200, [['idempotency-replayed', 'true']]), null, 'replayed'],
  [exchange(''), exchange('', 409), null, 'oneRejected'],
  [failedExchange, exchange(''), null, 'oneRejected'],
  [exchange('', 404), exchange('', 404), null, 'noneWorked'],
  [failedExchange, failedExchange, null, 'noneWorked'],
])('compares the responses to a click that was sent twice (case %#)', (first, second, times, comparison) => {
  expect(compareResponses([first, second], times)).toBe(comparison)
})

it('splits JSON into tokens, and returns any other string as one token', () => {
  const shown = tokenizeJson('{"a":"b\\"","n":1}').filter(({ kind }) => kind !== 'plain')
  expect(shown.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'name "a":',
    'string "b\\""',
    'name "n":',
    'literal 1',
  ])
  expect(tokenizeJson('<b>no</b>')).toEqual([{ kind: 'plain', text: '<b>no</b>' }])
})

describe('the curl command', () => {
  const url = 'https://shop.example/integration/customer-portal/delay'

  /** Runs a `curl` command in a shell that has a function instead of curl; returns the arguments of the function. */
  function argumentsOf(command: string): string[] {
    const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
    const env = { ...process.env, STOREPORT_API_KEY: 'the key of the shell' }
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env })
    expect(stderr).toBe('')
    return stdout.split('\0').slice(0, -1)
  }

  it('reads the API key from a shell variable, and quotes special characters', () => {
    const body = JSON.stringify({ email: "o'neil@example.com", action_id: '$(id) `id` "x" \\ \n end' })
    const headers = [['X-Acme-Mail-API-Key', '<key>']] as const
    const command = formatCurl({ method: 'POST', url: `${url}?a=it's`, headers, body }, 'x-acme-mail-api-key')
    expect(command).toContain('$STOREPORT_API_KEY')
    const sent = ['-H', 'X-Acme-Mail-API-Key: the key of the shell', '--data-raw', body]
    expect(argumentsOf(command)).toEqual(['-X', 'POST', `${url}?a=it's`, ...sent])
  })
})
