import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, post } from './ask.ts'
import { type RunningShop, startShop } from './start-shop.ts'

const call = { endpoint: 'listProducts', input: {} }

describe('requests that a foreign page makes', () => {
  let shop: RunningShop
  beforeAll(async () => {
    shop = await startShop()
  })
  afterAll(() => shop.stop())

  const refused = { status: 403 }
  const passed = { status: 200 }

  it.each([
    [{ 'Sec-Fetch-Site': 'same-origin' }, passed],
    // A proxy may change the name that a request is for, and then the two differ.
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://shop.example', Host: '127.0.0.1:3000' }, passed],
    [{}, passed],
    [{ 'Sec-Fetch-Site': 'cross-site' }, refused],
    [{ 'Sec-Fetch-Site': 'same-site' }, refused],
    [{ 'Sec-Fetch-Site': 'none' }, refused],
    [{ 'Sec-Fetch-Site': 'anything' }, refused],
  ])('are refused also with the cookie: %j', async (headers, expected) => {
    const reply = await ask(`${shop.url}/playground/call`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(call),
    })
    expect(reply).toMatchObject(expected)
  })

  it('cannot read the configuration from elsewhere, but a person can open it', async () => {
    const read = (headers: Record<string, string>) => ask(`${shop.url}/playground/config`, { headers })
    expect(await read({ 'Sec-Fetch-Site': 'cross-site' })).toMatchObject(refused)
    expect(await read({ 'Sec-Fetch-Site': 'none' })).toMatchObject(passed)
    expect((await read({})).headers['access-control-allow-origin']).toBeUndefined()
  })

  it('cannot send what a form sends: JSON must say that it is JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      expect((await post(shop.url, '/playground/call', call, { 'Content-Type': type })).status, type).toBe(415)
    }
  })

  it('must use the method that the answer names', async () => {
    const wrong = await ask(`${shop.url}/playground/call`)
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST'])
    expect((await ask(`${shop.url}/playground/config`, { method: 'POST' })).headers.allow).toBe('GET')
  })
})
