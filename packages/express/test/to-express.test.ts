import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'
import express4 from 'express-4'
import express5, { type Express, type ErrorRequestHandler, type RequestHandler } from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toExpress } from '../src/index.ts'

const key = 'a-key-of-the-tests-0001'
const headers = { 'X-Integration-API-Key': key, 'Content-Type': 'application/json' }
const add = { email: 'test@example.com', product_id: 'tea' }

function shopOf(store: StorePort, options: Partial<IntegrationOptions> = {}) {
  const failures: string[] = []
  const onError: IntegrationOptions['onError'] = (_error, { code, message }) => failures.push(`${code}: ${message}`)
  return { failures, ...createIntegration({ store, apiKeys: [key], onError, ...options }) }
}

async function listening(app: Express): Promise<string> {
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

/** Sends the error that reached Express's error handling. */
const sendError: ErrorRequestHandler = (error: Error, _req, res, _next) => {
  res.status(500).send(`${error.name}: ${error.message}`)
}

async function post(url: string, body: string, more: Record<string, string> = {}): Promise<[number, string]> {
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })
  return [response.status, await response.text()]
}

const success = '{"success":true}'
const refused = (code: string, message: string) => `{"success":false,"error":{"code":"${code}","message":"${message}"}}`

describe.each([
  ['Express 5', express5],
  ['Express 4', express4],
])('toExpress on %s', (_version, express) => {
  const addProduct: StorePort['addProduct'] = async () => {}

  it('passes requests for other paths to the next handler without reading the body', async () => {
    const app = express().use(toExpress(shopOf({ addProduct })), express.json())
    app.post('/integrations', (req, res) => void res.json(req.body))
    const url = await listening(app)
    expect(await post(`${url}/integrations`, '{"page":1}')).toEqual([200, '{"page":1}'])
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404)
  })

  it.each(['/api', '/shop/:id/api'])('works below the mount path %s', async (prefix) => {
    const url = await listening(express().use(prefix, express.Router().use(toExpress(shopOf({ addProduct })))))
    const path = prefix.replace(':id', '7')
    expect(await post(`${url}${path}/integration/upsells/add-product`, JSON.stringify(add))).toEqual([200, success])
  })

  it('reports a mount path that repeats the base path', async () => {
    const app = express().use('/api/integration', toExpress(shopOf({ addProduct })))
    app.get('/api/integration/about', (_req, res) => void res.send('about'))
    const url = await listening(app.use(sendError))
    const [status, text] = await post(`${url}/api/integration/upsells/add-product`, JSON.stringify(add))
    expect(status).toBe(500)
    expect(text).toBe('TypeError: /integration is already the base path. Remove it from the mount path of toExpress.')
    expect(await (await fetch(`${url}/api/integration/about`)).text()).toBe('about')
  })

  it('handles every path below its mount path if the base path is empty', async () => {
    const url = await listening(express().use('/hooks', toExpress(shopOf({ addProduct }, { basePath: '' }))))
    expect(await post(`${url}/hooks/upsells/add-product`, JSON.stringify(add))).toEqual([200, success])
    expect((await fetch(`${url}/hooks/elsewhere`)).status).toBe(401)
  })

  describe.each([
    ['json', express.json()],
    ['text', express.text({ type: '*/*' })],
    ['raw', express.raw({ type: '*/*' })],
    ['json, urlencoded and text', [express.json(), express.urlencoded({ extended: true }), express.text()]],
  ])('after the %s parser', (_name, parser) => {
    it('handles valid and invalid bodies', async () => {
      const received: unknown[] = []
      const shop = shopOf({ addProduct: async (input) => void received.push(input) })
      const url = `${await listening(express().use(parser, toExpress(shop)))}/integration/upsells/add-product`
      expect(await post(url, JSON.stringify({ ...add, email: 'zoë@example.com' }))).toEqual([
        400,
        refused('invalid_request', 'email: must be an email address'),
      ])
      expect(await post(url, JSON.stringify(add))).toEqual([200, success])
      expect(received).toEqual([{ ...add, quantity: 1, one_time: false }])
      const invalid = [400, refused('invalid_request', 'body: must be valid JSON (unexpected end)')]
      expect(await post(url, '{"email":')).toEqual(invalid)
      expect(await post(url, '')).toEqual([400, expect.stringContaining('invalid_request')])
      expect(await post(url, '{"email":', { 'X-Integration-API-Key': 'another-key-0000001' })).toEqual([
        401,
        expect.stringContaining('unauthorized'),
      ])
      expect((await post(url, 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }))[0]).toBe(415)
      for (const size of [70_000, 200_000]) expect((await post(url, `{"pad":"${'x'.repeat(size)}"}`))[0]).toBe(413)
      expect(shop.failures).toEqual([])
    })
  })

  it("rejects a chunked body that exceeds the parser's limit", async () => {
    const shop = shopOf({ addProduct })
    const url = `${await listening(express().use(express.json(), toExpress(shop)))}/integration/upsells/add-product`
    const body = new Blob([`{"pad":"${'x'.repeat(200_000)}"}`]).stream()
    const init: RequestInit = { method: 'POST', headers, body, duplex: 'half' }
    expect((await fetch(url, init)).status).toBe(413)
    expect(shop.failures).toEqual([])
  })

  it('rejects a character set that the parser does not support', async () => {
    const shop = shopOf({ addProduct })
    const url = `${await listening(express().use(express.json(), toExpress(shop)))}/integration/upsells/add-product`
    const type = { 'Content-Type': 'application/json; charset=klingon' }
    expect((await post(url, JSON.stringify(add), type))[0]).toBe(415)
  })

  it('passes errors from other middleware to the next error handler', async () => {
    const rejection = Object.assign(new Error('not from here'), { status: 400, type: 'address' })
    const app = express()
      .use('/integration/upsells/products', (_req, _res, next) => next(rejection))
      .use(
        express.json({
          verify: () => {
            throw new Error('no signature')
          },
        }),
      )
      .use(toExpress(shopOf({ addProduct, listProducts: async () => ({ products: [] }) })))
    const url = await listening(app.use(sendError))
    const response = await fetch(`${url}/integration/upsells/products`, { headers })
    expect(await response.text()).toBe('Error: not from here')
    expect((await post(`${url}/integration/upsells/add-product`, '{}'))[1]).toContain('no signature')
    expect((await post(`${url}/elsewhere`, '{"a":'))[0]).toBe(500)
  })

  it('reports middleware that has already read the body', async () => {
    const shop = shopOf({ addProduct })
    const drain: RequestHandler = (req, _res, next) => void req.resume().once('end', next)
    const app = express().use(drain, toExpress(shop))
    const url = await listening(app)
    expect((await post(`${url}/integration/upsells/add-product`, JSON.stringify(add)))[0]).toBe(500)
    expect(shop.failures).toEqual([
      'internal_error: TypeError: The body was already read and is not in req.body. Mount StorePort before the middleware that reads it.',
    ])
  })

  it('rejects every request if no key is set, and reports the missing key once', async () => {
    const shop = shopOf({ addProduct }, { apiKeys: [undefined] })
    const url = await listening(express().use(toExpress(shop)))
    const call = () => post(`${url}/integration/upsells/add-product`, '{}')
    for (const [status] of [await call(), await call()]) expect(status).toBe(401)
    expect(shop.failures).toEqual([
      'unauthorized: TypeError: apiKeys: no API key is set, so every request is rejected. Set a key.',
    ])
  })

  it("aborts the signal if the caller disconnects, and handles the store's error", async () => {
    let entered = () => {}
    const inStore = new Promise<void>((resolve) => (entered = resolve))
    let settle: (reason: unknown) => void = () => {}
    const outcome = new Promise<unknown>((resolve) => (settle = resolve))
    const shop = shopOf({
      getSubscription: async (_input, { signal }) => {
        signal.addEventListener('abort', () => settle(signal.reason))
        entered()
        await outcome
        throw new Error('the database is unreachable')
      },
      addProduct,
    })
    const url = await listening(express().use(toExpress(shop)))
    const leaving = request(`${url}/integration/customer-portal/subscription?email=test%40example.com`, { headers })
    leaving.on('error', () => {}).end()
    await inStore
    leaving.destroy()
    expect(await outcome).toMatchObject({ name: 'AbortError' })
    expect(await post(`${url}/integration/upsells/add-product`, JSON.stringify(add))).toEqual([200, success])
    expect(shop.failures).toEqual(['internal_error: Error: the database is unreachable'])
  })

  it('serves other requests after a caller disconnects while a parser reads the body', async () => {
    const shop = shopOf({ addProduct })
    let parserFailed = () => {}
    const failed = new Promise<void>((resolve) => (parserFailed = resolve))
    const note: ErrorRequestHandler = (error, _req, _res, next) => {
      parserFailed()
      next(error)
    }
    const url = await listening(express().use(express.json(), note, toExpress(shop), sendError))
    const length = { 'Content-Length': '100' }
    const leaving = request(`${url}/integration/upsells/add-product`, {
      method: 'POST',
      headers: { ...headers, ...length },
    })
    leaving.on('error', () => {}).write('{"email":')
    const sent = request(`${url}/integration/upsells/add-product`, { method: 'POST', headers })
    sent.on('error', () => {}).end()
    await once(sent, 'response')
    leaving.destroy()
    await failed
    expect(await post(`${url}/integration/upsells/add-product`, JSON.stringify(add))).toEqual([200, success])
    expect(shop.failures).toEqual([])
  })
})

it('rejects a store whose methods are not functions', () => {
  const store = JSON.parse('{"addProduct":"add"}')
  expect(() => shopOf(store)).toThrow('store.addProduct: must be a function. Omit it to hide the endpoint.')
})
