import { describe, expect, it } from 'vitest'
import { readLines } from '../page/checks/use-checks.ts'
import { readOutcome } from '../page/shop/read-outcome.ts'
import { customerText } from '../page/shop/failure.ts'
import type { Exchange } from '../src/protocol.ts'

function exchange(body: unknown, status = 200): Exchange {
  return {
    request: { method: 'GET', url: 'https://shop.example/', headers: [], body: null },
    response: { status, headers: [], body: typeof body === 'string' ? body : JSON.stringify(body) },
    problem: null,
    durationMs: 1,
  }
}

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
    const none = { ...exchange(''), response: null, problem: 'no connection (ECONNREFUSED)' }
    expect(readOutcome('sendNow', none)).toMatchObject({ failure: { code: 'shop_unreachable' } })
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
