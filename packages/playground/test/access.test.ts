import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, send } from './ask.ts'
import { cookie, cookieName, type RunningShop, shopForTest, startShop, token } from './start-shop.ts'

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
    const call = { endpoint: 'sendNow', input: { email: 'another@example.com' } }
    for (const path of ['/playground/call', `/playground/call?token=${token}`]) {
      expect((await post(shop.url, path, call, { Cookie, Authorization: `Bearer ${token}` })).status).toBe(403)
    }
    expect(shop.store.orders()).toEqual([])
  })

  it('shows sign-in instructions on a page that loads no other files', async () => {
    const open = (path: string) => send(shop.url + path, { headers: { Cookie: '' } })
    const { headers, text } = await open('/?token=an-old-token-of-yesterday')
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri/)
    for (const part of ['<h1>This token is invalid</h1>', 'Open the URL that the program printed'])
      expect(text).toContain(part)
    expect(text).not.toMatch(/src=|href=|an-old-token/)
    expect((await open('/')).text).toContain('<h1>This playground requires a token</h1>')
    expect((await open('/playground/config')).json()).toMatchObject({ success: false, error: { code: 'forbidden' } })
  })

  it.each([`/?token=${token}`, `/?mail=1&token=${token}`, `/?token=x&token=${token}`])(
    'signs in at %s with an HttpOnly, SameSite=Strict cookie',
    async (path) => {
      const { status, headers, cookies } = await send(shop.url + path, { headers: { Cookie: '' } })
      // Without a built page, a signed-in browser receives 503.
      expect([200, 503]).toContain(status)
      expect(cookies).toEqual([`${cookie}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict`])
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    },
  )

  it.each([cookie, `a=1; ${cookie}`, `${cookieName}=forged; ${cookie};b`])(
    'accepts the Cookie header %s',
    async (Cookie) => {
      expect((await send(`${shop.url}/playground/config`, { headers: { Cookie } })).status).toBe(200)
      expect((await send(`${shop.url}/`, { headers: { Cookie } })).cookies).toEqual([])
    },
  )

  it.each(['short', 'a string with spaces', 'x'.repeat(257)])('cannot have the token %j', async (value) => {
    await expect(startShop({ playground: { token: value } })).rejects.toThrow(TypeError)
  })

  it('has a different cookie name for each token', async () => {
    const other = 'another-token-of-the-tests'
    const { url } = await shopForTest({ playground: { token: other } })
    const [name = ''] = (await send(`${url}/?token=${other}`)).cookies[0]?.split('=') ?? []
    expect(name).toMatch(/^storeport-[\da-f]{16}$/)
    expect(name).not.toBe(cookieName)
  })
})

it.each([
  [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
  // Accepts an Origin that differs from Host, as behind a proxy.
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://shop.example' }, 200],
  [{}, 200],
  [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
  [{ 'Sec-Fetch-Site': 'same-site' }, 403],
  [{ 'Sec-Fetch-Site': 'none' }, 403, 200],
  [{ 'Sec-Fetch-Site': 'anything' }, 403],
  // Tests the content types that an HTML form can send, and an empty content type.
  [{ 'Content-Type': 'text/plain' }, 415, 200],
  [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 415, 200],
  [{ 'Content-Type': '' }, 415, 200],
])('a request with the cookie and the headers %j returns %i', async (headers, status, ofGet = status) => {
  const all = { 'Content-Type': 'application/json', ...headers }
  const body = JSON.stringify({ endpoint: 'listProducts', input: {} })
  expect(await send(`${shop.url}/playground/call`, { method: 'POST', headers: all, body })).toMatchObject({ status })
  const read = await send(`${shop.url}/playground/config`, { headers })
  expect([read.status, read.headers['access-control-allow-origin']]).toEqual([ofGet, undefined])
})

it.each([
  ['GET', '/playground/call', 405, 'POST'],
  ['POST', '/playground/config', 405, 'GET'],
])('%s %s returns %i with the allowed method', async (method, path, status, allow) => {
  expect(await send(shop.url + path, { method })).toMatchObject({ status, headers: { allow } })
})
