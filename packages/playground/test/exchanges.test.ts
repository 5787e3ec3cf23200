import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { readLines } from '../page/checks/use-checks.ts'
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

const unanswered: Exchange = { ...exchange(''), response: null, problem: 'connection failed (ECONNREFUSED)' }

describe('an answer', () => {
  it('is taken when it keeps the contract', () => {
    const data = { discount_type: 'percentage', discount_percentage: 10 }
    expect(readOutcome('getDiscount', exchange({ success: true, data }))).toEqual({ ok: true, data })
    expect(readOutcome('sendNow', exchange({ success: true }))).toEqual({ ok: true, data: null })
  })

  it('is a failure when it says so', () => {
    const error = { code: 'payment_failed', message: 'The payment failed.' }
    expect(readOutcome('sendNow', exchange({ success: false, error }, 400))).toEqual({ ok: false, failure: error })
  })

  it.each([
    ['no JSON', '<html>'],
    ['no envelope', []],
    ['an error without a code', { success: false, error: {} }],
    ['no data', { success: true }],
    ['wrong data', { success: true, data: { products: [{ id: 'a' }] } }],
    [
      'a picture with another scheme',
      { success: true, data: { products: [{ id: 'a', title: 'A', price: 1, images: ['javascript:alert(1)'] }] } },
    ],
  ])('is not shown when it breaks the contract: %s', (_what, body) => {
    expect(readOutcome('listProducts', exchange(body))).toMatchObject({
      ok: false,
      failure: { code: 'invalid_answer' },
    })
  })

  it('tells where it breaks the contract', () => {
    const outcome = readOutcome(
      'listProducts',
      exchange({ success: true, data: { products: [{ id: 'a', title: 'A' }] } }),
    )
    expect(outcome).toMatchObject({ failure: { message: expect.stringContaining('data.products.0.price') } })
  })

  it('that never came is a failure of its own', () => {
    expect(readOutcome('sendNow', unanswered)).toMatchObject({ failure: { code: 'shop_unreachable' } })
  })
})

describe('what the customer reads', () => {
  it('is ours, whatever the shop says', () => {
    for (const code of ['constructor', '__proto__', 'something_new']) {
      expect(customerText({ code, message: 'stack trace' })).toMatch(/^Something went wrong/)
    }
    expect(customerText({ code: 'payment_failed', message: '' })).toMatch(/payment/)
  })
})

describe('lines of JSON', () => {
  it('are read whole, wherever the stream is cut', async () => {
    const lines = [{ a: 'é' }, { b: [1, 2] }, { c: 'x\ny' }]
    const bytes = new TextEncoder().encode(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    for (let size = 1; size <= bytes.length; size++) {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
          controller.close()
        },
      })
      const read: unknown[] = []
      for await (const line of readLines(stream)) read.push(line)
      expect(read).toEqual(lines)
    }
  })
})

it.each([
  [exchange(''), exchange(''), 'alike'],
  [exchange(''), exchange('', 200, [['idempotency-replayed', 'true']]), 'replayed'],
  [exchange(''), exchange('', 409), 'oneRefused'],
  [unanswered, exchange(''), 'oneRefused'],
  [exchange('', 404), exchange('', 404), 'noneWorked'],
  [unanswered, unanswered, 'noneWorked'],
])('compares two answers as the wire shows them, %#', (first, second, said) => {
  expect(compareResponses(first, second)).toBe(said)
})

it('cuts JSON into its parts, and nothing else', () => {
  const shown = tokenizeJson('{"a":"b\\"","n":1}').filter(({ kind }) => kind !== 'plain')
  expect(shown.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'name "a":',
    'string "b\\""',
    'name "n":',
    'literal 1',
  ])
  expect(tokenizeJson('<b>no</b>')).toEqual([{ kind: 'plain', text: '<b>no</b>' }])
})

describe('a command', () => {
  const url = 'https://shop.example/integration/customer-portal/delay'

  /** What the shell makes of the words of a command, a stand-in taking the place of curl. */
  function wordsOf(command: string): string[] {
    const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
    const env = { ...process.env, STOREPORT_API_KEY: 'the key of the shell' }
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env })
    expect(stderr).toBe('')
    return stdout.split('\0').slice(0, -1)
  }

  it('names the key by a variable of the shell', () => {
    const headers = [['X-Acme-Mail-API-Key', '<key>']] as const
    const command = formatCurl({ method: 'GET', url, headers, body: null }, 'x-acme-mail-api-key')
    expect(command).toContain('$STOREPORT_API_KEY')
    expect(wordsOf(command)).toEqual([url, '-H', 'X-Acme-Mail-API-Key: the key of the shell'])
  })

  it('sends what was sent, whatever it holds', () => {
    const body = JSON.stringify({ email: "o'neil@example.com", action_id: '$(id) `id` "x" \\ \n end' })
    const headers = [['Content-Type', 'application/json']] as const
    const command = formatCurl({ method: 'POST', url: `${url}?a=it's`, headers, body }, 'X-Integration-API-Key')
    const sent = ['-H', 'Content-Type: application/json', '--data-raw', body]
    expect(wordsOf(command)).toEqual(['-X', 'POST', `${url}?a=it's`, ...sent])
  })
})
