import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send, post } from './ask.ts'
import { cookie, cookieName, type RunningShop, shopForTest, startShop, token } from './start-shop.ts'

const call = { endpoint: 'sendNow', input: { email: 'another@example.com' } }

let shop: RunningShop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.stop())

describe('access to a playground', () => {
  it.each([
    ['without a cookie', ''],
    ['with an empty cookie', `${cookieName}=`],
    ['with another token', `${cookieName}=a-token-of-the-tests-0002`],
    ['with a prefix of the token', `${cookieName}=${token.slice(0, -1)}`],
    ['with a suffix after the token', `${cookieName}=${token}1`],
    ['with another cookie name', `${cookieName}s=${token}; x${cookieName}=${token}; token=${token}`],
    ['with the cookie name in capitals', `${cookieName.toUpperCase()}=${token}`],
  ])('rejects requests %s', async (_name, Cookie) => {
    for (const path of ['/', '/playground/config', '/playground/page.js', `/playground/config?token=${token}`]) {
      const response = await send(shop.url + path, { headers: { Cookie } })
      expect([path, response.status, response.cookies]).toEqual([path, 403, []])
    }
    for (const path of ['/playground/call', `/playground/call?token=${token}`]) {
      expect((await post(shop.url, path, call, { Cookie, Authorization: `Bearer ${token}` })).status).toBe(403)
    }
    expect(shop.store.orders()).toEqual([])
  })

  it('shows sign-in instructions on a page that loads no other files', async () => {
    const { headers, text } = await send(`${shop.url}/?token=an-old-token-of-yesterday`, { headers: { Cookie: '' } })
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri/)
    expect(text).toContain('<h1>This token is invalid</h1>')
    expect(text).toContain('Open the URL that the program printed')
    expect(text).toContain('<code>npm start</code>')
    expect(text).not.toMatch(/src=|href=|an-old-token/)
    const without = await send(`${shop.url}/`, { headers: { Cookie: '' } })
    expect(without.text).toContain('<h1>This playground requires a token</h1>')
    const config = await send(`${shop.url}/playground/config`, { headers: { Cookie: '' } })
    expect(config.json()).toMatchObject({ success: false, error: { code: 'forbidden' } })
  })

  it.each([`/?token=${token}`, `/?mail=1&token=${token}`, `/?token=x&token=${token}`])(
    'signs in at %s with an HttpOnly, SameSite=Strict cookie',
    async (path) => {
      const { status, headers, cookies } = await send(shop.url + path, { headers: { Cookie: '' } })
      // Without a built page, a signed-in browser receives 503.
      expect([200, 503]).toContain(status)
      expect(cookies).toEqual([`${cookie}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict`])
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['referrer-policy']).toBe('no-referrer')
    },
  )

  it.each([cookie, `a=1; ${cookie}`, `${cookieName}=forged; ${cookie};b`])(
    'accepts the Cookie header %s',
    async (Cookie) => {
      expect((await send(`${shop.url}/playground/config`, { headers: { Cookie } })).status).toBe(200)
      expect((await send(`${shop.url}/`, { headers: { Cookie } })).cookies).toEqual([])
    },
  )
})

describe('access options', () => {
  it.each(['short', 'a string with spaces', 'x'.repeat(257)])('rejects the token %j', async (value) => {
    await expect(startShop({ playground: { token: value } })).rejects.toThrow(TypeError)
  })

  it('derives a different cookie name from each token', async () => {
    const names = []
    for (const value of [token, 'another-token-of-the-tests']) {
      const { url } = await shopForTest({ playground: { token: value } })
      const { cookies } = await send(`${url}/?token=${value}`)
      names.push(/^storeport-[\da-f]{16}(?==)/.exec(cookies[0] ?? '')?.[0])
    }
    expect(new Set(names).size).toBe(2)
    expect(names).not.toContain(undefined)
  })
})

describe('requests from other pages', () => {
  it.each([
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    // Accepts an Origin that differs from Host, as behind a proxy.
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://shop.example' }, 200],
    [{}, 200],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ 'Sec-Fetch-Site': 'none' }, 403],
    [{ 'Sec-Fetch-Site': 'anything' }, 403],
    // Tests the content types that an HTML form can send, and an empty content type.
    [{ 'Content-Type': 'text/plain' }, 415],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    [{ 'Content-Type': '' }, 415],
  ])('with the cookie and the headers %j return %i', async (headers, status) => {
    const body = JSON.stringify({ endpoint: 'listProducts', input: {} })
    const all = { 'Content-Type': 'application/json', ...headers }
    expect(await send(`${shop.url}/playground/call`, { method: 'POST', headers: all, body })).toMatchObject({ status })
  })

  it('cannot read the configuration, unlike a direct visit to its URL', async () => {
    const read = (headers: Record<string, string>) => send(`${shop.url}/playground/config`, { headers })
    expect((await read({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await read({ 'Sec-Fetch-Site': 'none' })).status).toBe(200)
    expect((await read({})).headers['access-control-allow-origin']).toBeUndefined()
  })

  it('return 405 with the allowed method for other HTTP methods', async () => {
    const other = await send(`${shop.url}/playground/call`)
    expect([other.status, other.headers.allow]).toEqual([405, 'POST'])
    expect((await send(`${shop.url}/playground/config`, { method: 'POST' })).headers.allow).toBe('GET')
  })
})
