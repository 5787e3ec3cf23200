import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, post } from './ask.ts'
import { type RunningShop, startShop } from './start-shop.ts'

const call = { endpoint: 'listProducts', input: {} }

describe('requests that a foreign page makes', () => {
  let shop: RunningShop
  beforeAll(async () => {
    shop = await startShop({ playground: { publicUrl: 'https://Play.example:8443' } })
  })
  afterAll(() => shop.stop())

  const refused = { status: 403 }
  const passed = { status: 200 }

  it.each([
    ['localhost', passed],
    ['LOCALHOST:3000', passed],
    ['127.0.0.1:1', passed],
    ['[::1]:3000', passed],
    ['play.example:8443', passed],
    ['play.example', refused],
    ['localhost.evil.example', refused],
    ['evil.example', refused],
    ['localhost@evil.example', refused],
    ['127.0.0.1.evil.example:80', refused],
  ])('are refused when they name another host: %s', async (host, expected) => {
    expect(await ask(`${shop.url}/playground/config`, { headers: { Host: host } })).toMatchObject(expected)
    expect(await post(shop.url, '/playground/call', call, { Host: host })).toMatchObject(expected)
  })

  it('do not even get the page under another name', async () => {
    expect(await ask(`${shop.url}/`, { headers: { Host: 'evil.example' } })).toMatchObject(refused)
  })

  it.each([
    [{ 'Sec-Fetch-Site': 'same-origin' }, passed],
    [{ Origin: 'http://127.0.0.1:1', Host: '127.0.0.1:1' }, passed],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'http://localhost:5', Host: 'localhost:5' }, passed],
    [{ 'Sec-Fetch-Site': 'cross-site' }, refused],
    [{ 'Sec-Fetch-Site': 'same-site' }, refused],
    [{ 'Sec-Fetch-Site': 'none' }, refused],
    [{ Origin: 'http://127.0.0.1:2', Host: '127.0.0.1:1' }, refused],
    [{ Origin: 'https://evil.example' }, refused],
    [{ Origin: 'null' }, refused],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' }, refused],
    [{}, refused],
  ])('are refused when they come from another origin: %j', async (headers, expected) => {
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
    expect(await read({ Origin: 'https://evil.example' })).toMatchObject(refused)
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
