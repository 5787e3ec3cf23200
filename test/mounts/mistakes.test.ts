import { getRequestListener } from '@hono/node-server'
import { createIntegration, type ErrorSummary, type IntegrationOptions, type StorePort } from '@storeport/core'
import { toExpress } from '@storeport/express'
import { toFastify } from '@storeport/fastify'
import { toRouteHandlers } from '@storeport/next'
import { toApiRoute } from '@storeport/next/pages'
import { toNodeListener } from '@storeport/node'
import express4 from 'express-4'
import express5, { type ErrorRequestHandler, type RequestHandler } from 'express'
import fastify, { type FastifyInstance } from 'fastify'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keys } from '@storeport/testing/keys'
import { listening } from '@storeport/testing/listen'

/** An integration, and the messages that its `onError` receives. */
function shopOf(options: Partial<IntegrationOptions> = {}) {
  const told: string[] = []
  const onError = (_error: unknown, { message }: ErrorSummary) => void told.push(message)
  const store: StorePort = { listProducts: async () => ({ products: [] }), addProduct: async () => {} }
  return { told, integration: createIntegration({ store, apiKeys: [keys.first], onError, ...options }) }
}

type Shop = ReturnType<typeof shopOf>
type Listener = Parameters<typeof listening>[0]

async function serving(listener: Listener): Promise<string> {
  const { url = '', stop } = await listening(listener)
  onTestFinished(async () => stop?.())
  return url
}

async function servingFastify(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

const add = JSON.stringify({ email: 'test@example.com', product_id: 'tea' })

async function post(url: string, body = add) {
  const headers = { 'X-Integration-API-Key': keys.first, 'Content-Type': 'application/json' }
  const response = await fetch(`${url}/upsells/add-product`, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

describe('a mount below the wrong prefix says what to change', () => {
  const tellError: ErrorRequestHandler = (error, _req, res, _next) => void res.status(500).send(String(error))

  it.each([
    ['Express 5', express5],
    ['Express 4', express4],
  ])('%s, at the first call', async (_name, express) => {
    const app = express().use('/integration', toExpress(shopOf().integration)).use(tellError)
    expect(await post(`${await serving(app)}/integration`)).toEqual({
      status: 500,
      text: 'TypeError: /integration is already the base path. Remove it from the mount path of toExpress.',
    })
  })

  it('Fastify, when it starts', async () => {
    const app = fastify().register(toFastify(shopOf().integration), { prefix: '/integration' })
    onTestFinished(() => app.close())
    await expect(app.ready()).rejects.toThrow('is already the base path. Remove it from the prefix of toFastify.')
  })

  it('Next, App Router and Pages Router, at the first call', async () => {
    const { integration } = shopOf()
    const message =
      'The route is not in a folder /integration. Rename the folder, or set the option basePath to the path of the folder.'
    const url = 'https://shop.example/api/shop/upsells/products'
    const request = Object.assign(new Request(url), { nextUrl: new URL(url) })
    await expect(toRouteHandlers(integration).GET(request)).rejects.toThrow(message)
    const route: unknown = toApiRoute(integration)
    const call =
      typeof route === 'function'
        ? Reflect.apply(route, undefined, [{ url: '/api/shop/upsells/products' }, {}])
        : undefined
    await expect(call).rejects.toThrow(message)
  })

  it.each([
    ['node:http', (shop: Shop) => serving(toNodeListener(shop.integration))],
    ['fetch', (shop: Shop) => serving(getRequestListener((request) => shop.integration.fetch(request)))],
  ])('%s, by an answer in the words of the API', async (_name, serve) => {
    const { status, text } = await post(`${await serve(shopOf())}/api/integration`)
    expect(status).toBe(404)
    expect(JSON.parse(text).error).toEqual({
      code: 'endpoint_not_found',
      message: 'No endpoint at this path. Every path starts with /integration/',
    })
    const right = await serve(shopOf({ basePath: '/api/integration' }))
    expect((await post(`${right}/api/integration`)).status).toBe(200)
  })
})

describe('a malformed body that a parser has swallowed', () => {
  const invalid = { status: 400, text: expect.stringContaining('body: must be valid JSON') }

  it.each([
    ['Express 5, express.json()', (shop: Shop) => express5().use(express5.json(), toExpress(shop.integration))],
    ['Express 4, express.json()', (shop: Shop) => express4().use(express4.json(), toExpress(shop.integration))],
    [
      'Express 5, express.text()',
      (shop: Shop) => express5().use(express5.text({ type: '*/*' }), toExpress(shop.integration)),
    ],
    [
      'Express 5, express.raw()',
      (shop: Shop) => express5().use(express5.raw({ type: '*/*' }), toExpress(shop.integration)),
    ],
  ])('%s: is refused in the words of the API, and no fault of the shop', async (_name, appOf) => {
    const shop = shopOf()
    const url = `${await serving(appOf(shop))}/integration`
    for (const body of ['{"email":', 'email=a']) expect(await post(url, body)).toEqual(invalid)
    expect((await post(url)).status).toBe(200)
    expect(shop.told).toEqual([])
  })

  it('Fastify, with a parser of the app: the same', async () => {
    const shop = shopOf()
    const app = fastify()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, JSON.parse(String(body))),
    )
    const url = `${await servingFastify(app.register(toFastify(shop.integration)))}/integration`
    expect(await post(url, '{"email":')).toEqual(invalid)
    expect((await post(url)).status).toBe(200)
    expect(shop.told).toEqual([])
  })
})

describe('a body that was read and not kept', () => {
  const drain: RequestHandler = (req, _res, next) => void req.resume().once('end', next)
  const earlier =
    'TypeError: The body was already read and is not in req.body. Mount StorePort before the middleware that reads it.'

  it.each([
    ['Express 5', (shop: Shop) => serving(express5().use(drain, toExpress(shop.integration))), earlier],
    ['Express 4', (shop: Shop) => serving(express4().use(drain, toExpress(shop.integration))), earlier],
    [
      'Fastify',
      (shop: Shop) => {
        const app = fastify()
        app.addHook('preParsing', (_request, _reply, payload, done) => void payload.resume().once('end', done))
        return servingFastify(app.register(toFastify(shop.integration)))
      },
      earlier,
    ],
    [
      'node:http',
      (shop: Shop) => {
        const listener = toNodeListener(shop.integration)
        return serving((req, res) => void req.resume().once('end', () => listener(req, res)))
      },
      earlier,
    ],
    [
      'Hono',
      (shop: Shop) => {
        const app = new Hono().all('/integration/*', async (c) => {
          await c.req.raw.text()
          return shop.integration.fetch(c.req.raw)
        })
        return serving(getRequestListener(app.fetch))
      },
      'TypeError: The body was read before: pass the request on unread',
    ],
  ])('%s: is 500, and the message to the merchant says what to mount earlier', async (_name, serve, message) => {
    const shop = shopOf()
    const { status, text } = await post(`${await serve(shop)}/integration`)
    expect([status, text]).toEqual([500, expect.stringContaining('"code":"internal_error"')])
    expect(shop.told).toEqual([expect.stringContaining(message)])
  })
})
