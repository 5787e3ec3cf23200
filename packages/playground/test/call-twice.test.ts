import { afterEach, describe, expect, it } from 'vitest'
import type { CallTwiceAnswer, DoubleClick } from '../src/protocol.ts'
import { post } from './ask.ts'
import { apiKey, type RunningShop, startShop } from './start-shop.ts'

let shop: RunningShop | undefined
afterEach(() => shop?.stop())

const sendNow = { endpoint: 'sendNow', input: { email: 'subscription@example.com' } }

async function callTwice(how: DoubleClick): Promise<CallTwiceAnswer> {
  shop = await startShop()
  const reply = await post(shop.url, '/playground/call-twice', { ...sendNow, how })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.text).not.toContain(apiKey)
  return JSON.parse(reply.text)
}

describe('a click that comes twice', () => {
  it('at once has two answers and one effect', async () => {
    const { exchanges } = await callTwice('at-once')
    expect(exchanges.map(({ response }) => response?.status)).toEqual([200, 200])
    expect(exchanges.map(({ lost }) => lost)).toEqual([undefined, undefined])
    expect(shop?.store.orders('subscription@example.com')).toHaveLength(1)
  })

  it('again after the first answer was lost has one effect, and says which answer nobody got', async () => {
    const { exchanges } = await callTwice('after-lost-answer')
    expect(exchanges.map(({ response }) => response?.status)).toEqual([200, 200])
    expect(exchanges.map(({ lost }) => lost)).toEqual([true, undefined])
    expect(shop?.store.orders('subscription@example.com')).toHaveLength(1)
  })

  it.each([
    [{ ...sendNow, how: 'thrice' }, 'how: must be one of at-once, after-lost-answer'],
    [{ ...sendNow }, 'how: must be one of at-once, after-lost-answer'],
    [{ how: 'at-once', endpoint: 'sendNow' }, 'input: must be an object'],
  ])('is refused: %j', async (body, message) => {
    shop = await startShop()
    const reply = await post(shop.url, '/playground/call-twice', body)
    expect(reply.status).toBe(400)
    expect(reply.json()).toMatchObject({ error: { message } })
  })
})
