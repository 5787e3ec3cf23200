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

/** Creates an integration and records the messages that its `onError` receives. */
function shopOf(options: Partial<IntegrationOptions> = {}) {
  const messages: string[] = []
  const onError = (_error: unknown, { message }: ErrorSummary) => void messages.push(message)
  const store: StorePort = { listProducts: async () => ({ products: [] }), addProduct: async () => {} }
  return { messages, integration: createIntegration({ store, apiKeys: [keys.first], onError, ...options }) }
}

type Shop = ReturnType<typeof shopOf>
type Listener = Parameters<typeof listening>[0]

async function serveListener(listener: Listener): Promise<string> {
  const { url = '', stop } = await listening(listener)
  onTestFinished(async () => stop?.())
  return url
}

async function serveFastify(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

const add = JSON.stringify({ email: 'test@example.com', product_id: 'tea' })

async function post(url: string, body = add) {
  const headers = { 'X-Integration-API-Key': keys.first, 'Content-Type': 'application/json' }
  const response = await fetch(`${url}/upsells/add-product`, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

describe('mount below an incorrect prefix', () => {
  const sendError: ErrorRequestHandler = (error, _req, res, _next) => void res.status(500).send(String(error))

  it.each([
    ['Express 5', express5],
    ['Express 4', express4],
  ])('throws on the first request in %s', async (_name, express) => {
    const app = express().use('/integration', toExpress(shopOf().integration)).use(sendError)
    expect(await post(`${await serveListener(app)}/integration`)).toEqual({
      status: 500,
      text: 'TypeError: /integration is already the base path. Remove it from the mount path of toExpress.',
    })
  })

  it('prevents Fastify from starting', async () => {
    const app = fastify().register(toFastify(shopOf().integration), { prefix: '/integration' })
    onTestFinished(() => app.close())
    await expect(app.ready()).rejects.toThrow('is already the base path. Remove it from the prefix of toFastify.')
  })

  it("throws on the first request in Next's App Router and Pages Router", async () => {
    const { integration } = shopOf()
    const message =
      "The route is not in a folder /integration. Rename the folder, or set the option basePath to the folder's path."
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
    ['node:http', (shop: Shop) => serveListener(toNodeListener(shop.integration))],
    ['fetch', (shop: Shop) => serveListener(getRequestListener((request) => shop.integration.fetch(request)))],
  ])('returns an API error with %s', async (_name, serve) => {
    const { status, text } = await post(`${await serve(shopOf())}/api/integration`)
    expect(status).toBe(404)
    expect(JSON.parse(text).error).toEqual({
      code: 'endpoint_not_found',
      message: 'No endpoint at this path. Every path starts with /integration/',
    })
    const correct = await serve(shopOf({ basePath: '/api/integration' }))
    expect((await post(`${correct}/api/integration`)).status).toBe(200)
  })
})

describe('malformed body consumed by a parser', () => {
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
  ])('returns an API error without calling onError: %s', async (_name, appOf) => {
    const shop = shopOf()
    const url = `${await serveListener(appOf(shop))}/integration`
    for (const body of ['{"email":', 'email=a']) expect(await post(url, body)).toEqual(invalid)
    expect((await post(url)).status).toBe(200)
    expect(shop.messages).toEqual([])
  })

  it('returns an API error without calling onError: Fastify, with a parser of the app', async () => {
    const shop = shopOf()
    const app = fastify()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, JSON.parse(String(body))),
    )
    const url = `${await serveFastify(app.register(toFastify(shop.integration)))}/integration`
    expect(await post(url, '{"email":')).toEqual(invalid)
    expect((await post(url)).status).toBe(200)
    expect(shop.messages).toEqual([])
  })
})

describe('body read and discarded before the mount', () => {
  const drain: RequestHandler = (req, _res, next) => void req.resume().once('end', next)
  const earlier =
    'TypeError: The body was already read and is not in req.body. Mount StorePort before the middleware that reads it.'

  it.each([
    ['Express 5', (shop: Shop) => serveListener(express5().use(drain, toExpress(shop.integration))), earlier],
    ['Express 4', (shop: Shop) => serveListener(express4().use(drain, toExpress(shop.integration))), earlier],
    [
      'Fastify',
      (shop: Shop) => {
        const app = fastify()
        app.addHook('preParsing', (_request, _reply, payload, done) => void payload.resume().once('end', done))
        return serveFastify(app.register(toFastify(shop.integration)))
      },
      earlier,
    ],
    [
      'node:http',
      (shop: Shop) => {
        const listener = toNodeListener(shop.integration)
        return serveListener((req, res) => void req.resume().once('end', () => listener(req, res)))
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
        return serveListener(getRequestListener(app.fetch))
      },
      'TypeError: The body was already read. Pass the request before its body is read',
    ],
  ])('returns 500 and explains the mount order to the merchant: %s', async (_name, serve, message) => {
    const shop = shopOf()
    const { status, text } = await post(`${await serve(shop)}/integration`)
    expect([status, text]).toEqual([500, expect.stringContaining('"code":"internal_error"')])
    expect(shop.messages).toEqual([expect.stringContaining(message)])
  })
})
