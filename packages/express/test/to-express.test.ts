import { request } from 'node:http'
import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'
import { deferred } from '@storeport/testing/deferred'
import { keys } from '@storeport/testing/keys'
import { listening } from '@storeport/testing/listen'
import express4 from 'express-4'
import express5, { type ErrorRequestHandler, type Express } from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { toExpress } from '../src/index.ts'

/* The wire checks run on Express 4 and 5, below a prefix and after body parsers (test/mounts). */

const headers = { 'X-Integration-API-Key': keys.first, 'Content-Type': 'application/json' }
const add = JSON.stringify({ email: 'test@example.com', product_id: 'tea' })
const success = '{"success":true}'

function shopOf(options: Partial<IntegrationOptions> = {}) {
  const onError = vi.fn()
  const store: StorePort = { addProduct: async () => {}, listProducts: async () => ({ products: [] }) }
  return { onError, ...createIntegration({ store, apiKeys: [keys.first], onError, ...options }) }
}

async function serve(app: Express): Promise<string> {
  const { url, stop } = await listening(app)
  onTestFinished(stop)
  return url
}

/** Error handler that sends the received error to the client. */
const sendError: ErrorRequestHandler = (error: Error, _req, res, _next) => {
  res.status(500).send(`${error.name}: ${error.message}`)
}

async function post(url: string, init: RequestInit = {}): Promise<[number, string]> {
  const response = await fetch(url, { method: 'POST', headers, body: add, ...init })
  return [response.status, await response.text()]
}

describe.each([
  ['Express 5', express5],
  ['Express 4', express4],
])('toExpress on %s', (_version, express) => {
  it('passes requests for other paths to the next handler without reading the body', async () => {
    const app = express().use(toExpress(shopOf()), express.json())
    app.post('/integrations', (req, res) => void res.json(req.body))
    expect(await post(`${await serve(app)}/integrations`, { body: '{"page":1}' })).toEqual([200, '{"page":1}'])
  })

  it('passes a path that is not an endpoint to the next handler if the mount path repeats the base path', async () => {
    const app = express().use('/api/integration', toExpress(shopOf()))
    app.get('/api/integration/about', (_req, res) => void res.send('about'))
    expect(await (await fetch(`${await serve(app)}/api/integration/about`)).text()).toBe('about')
  })

  it('handles every path below its mount path if the base path is empty', async () => {
    const url = await serve(express().use('/shop/:id', toExpress(shopOf({ basePath: '' }))))
    expect(await post(`${url}/shop/7/upsells/add-product`)).toEqual([200, success])
    expect((await fetch(`${url}/shop/7/elsewhere`)).status).toBe(401)
  })

  // test/mounts/requests.test.ts sends character sets that a parser rejects.
  it('returns an API error if a body parser rejects a chunked body above its limit', async () => {
    const shop = shopOf()
    const url = `${await serve(express().use(express.json(), toExpress(shop)))}/integration/upsells/add-product`
    const large = () => ({ body: new Blob([`{"pad":"${'x'.repeat(200_000)}"}`]).stream(), duplex: 'half' }) as const
    expect((await post(url, large()))[0]).toBe(413)
    expect((await post(url, { ...large(), headers: { 'Content-Type': 'application/json' } }))[0]).toBe(401)
    expect(shop.onError).not.toHaveBeenCalled()
  })

  it('passes errors from other middleware to the next error handler', async () => {
    const rejection = Object.assign(new Error('not from here'), { status: 400, type: 'address' })
    const refuse = () => {
      throw new Error('no signature')
    }
    const app = express()
      .use('/integration/upsells/products', (_req, _res, next) => next(rejection))
      .use(express.json({ verify: refuse }), toExpress(shopOf()), sendError)
    const url = await serve(app)
    const response = await fetch(`${url}/integration/upsells/products`, { headers })
    expect(await response.text()).toBe('Error: not from here')
    expect((await post(`${url}/integration/upsells/add-product`))[1]).toContain('no signature')
    expect((await post(`${url}/elsewhere`, { body: '{"a":' }))[0]).toBe(500)
  })

  it('serves other requests after a caller disconnects while a parser reads the body', async () => {
    const shop = shopOf()
    const failed = deferred<void>()
    const note: ErrorRequestHandler = (error, _req, _res, next) => {
      failed.resolve()
      next(error)
    }
    const url = await serve(express().use(express.json(), note, toExpress(shop), sendError))
    const path = `${url}/integration/upsells/add-product`
    const leaving = request(path, { method: 'POST', headers: { ...headers, 'Content-Length': '100' } })
    leaving.on('error', () => {}).write('{"email":')
    // A later response shows that the server has received the first request.
    await post(path)
    leaving.destroy()
    await failed.promise
    expect(await post(path, { body: add.replace('tea', 'mug') })).toEqual([200, success])
    expect(shop.onError).not.toHaveBeenCalled()
  })
})
