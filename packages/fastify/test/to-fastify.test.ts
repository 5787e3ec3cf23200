import { get } from 'node:http'
import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'
import fastify, { type FastifyInstance } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { toFastify } from '../src/index.ts'

const key = 'a-key-of-the-tests-0001'
const headers = { 'X-Integration-API-Key': key, 'Content-Type': 'application/json' }
const add = JSON.stringify({ email: 'test@example.com', product_id: 'tea' })
const path = '/integration/upsells/add-product'
const addProduct: StorePort['addProduct'] = async () => {}

function shopOf(store: StorePort, options: Partial<IntegrationOptions> = {}) {
  const failures: string[] = []
  const onError: IntegrationOptions['onError'] = (_error, { code, message }) => failures.push(`${code}: ${message}`)
  return { failures, ...createIntegration({ store, apiKeys: [key], onError, ...options }) }
}

async function listening(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

async function post(url: string, body: string, more: Record<string, string> = {}): Promise<[number, string]> {
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })
  return [response.status, await response.text()]
}

const success = '{"success":true}'

it("does not change the surrounding app's routes, parsers or error handling", async () => {
  const app = fastify()
  app.addContentTypeParser('text/upper', { parseAs: 'string' }, (_request, body, done) => {
    done(null, String(body).toUpperCase())
  })
  app.register(toFastify(shopOf({ addProduct })))
  app.post('/echo', async ({ body }) => ({ body }))
  const url = await listening(app)
  expect(await post(`${url}/echo`, '{"a":1}')).toEqual([200, '{"body":{"a":1}}'])
  expect(await post(`${url}/echo`, 'a', { 'Content-Type': 'text/upper' })).toEqual([200, '{"body":"A"}'])
  expect((await post(`${url}/echo`, '{"a":'))[1]).toContain('FST_ERR_CTP_INVALID_JSON_BODY')
  expect((await post(`${url}/echo`, 'a', { 'Content-Type': 'text/else' }))[0]).toBe(415)
  expect((await post(`${url}/integrations`, '{}'))[1]).toContain('Route POST:/integrations not found')
  expect(await post(url + path, add)).toEqual([200, success])
})

it.each(['/api', '/api/', '/shop/:id'])('works below the prefix %s', async (prefix) => {
  const url = await listening(fastify().register(toFastify(shopOf({ addProduct })), { prefix }))
  const below = url + prefix.replace(':id', '7').replace(/\/$/, '')
  expect(await post(below + path, add)).toEqual([200, success])
  expect((await post(`${below}/integration`, add))[1]).toContain('endpoint_not_found')
  expect((await post(url + path, add))[1]).toContain('not found')
})

it('reports a prefix that repeats the base path', async () => {
  const app = fastify().register(toFastify(shopOf({ addProduct })), { prefix: '/api/integration' })
  onTestFinished(() => app.close())
  await expect(app.ready()).rejects.toThrow(
    new TypeError('/integration is already the base path. Remove it from the prefix of toFastify.'),
  )
})

it('handles every path below its prefix if the base path is empty', async () => {
  const shop = shopOf({ addProduct }, { basePath: '' })
  const url = await listening(fastify().register(toFastify(shop), { prefix: '/hooks' }))
  expect(await post(`${url}/hooks/upsells/add-product`, add)).toEqual([200, success])
  expect((await fetch(`${url}/hooks/elsewhere`)).status).toBe(401)
})

it('checks the key before it reads content types and bodies', async () => {
  const shop = shopOf({ addProduct })
  const url = (await listening(fastify({ bodyLimit: 10 }).register(toFastify(shop)))) + path
  expect(await post(url, add)).toEqual([200, success])
  expect((await post(url, '{"email":'))[1]).toContain('body: must be valid JSON')
  expect((await post(url, '{"email":', { 'X-Integration-API-Key': 'another-key-0000001' }))[0]).toBe(401)
  for (const type of ['', 'nonsense', 'text/plain', 'multipart/form-data; boundary=x']) {
    expect((await post(url, add, { 'Content-Type': type }))[1]).toContain('unsupported_media_type')
    expect((await post(url, add, { 'Content-Type': type, 'X-Integration-API-Key': '' }))[0]).toBe(401)
  }
  expect((await post(url, `{"pad":"${'x'.repeat(70_000)}"}`))[1]).toContain('payload_too_large')
  expect(shop.failures).toEqual([])
})

it('works with requests from inject, which have no socket', async () => {
  const app = fastify().register(toFastify(shopOf({ addProduct })))
  const { statusCode, body } = await app.inject({ method: 'POST', url: path, headers, payload: add })
  expect([statusCode, body]).toEqual([200, success])
})

it("works with HTTP/2 and Fastify's logger", async () => {
  const lines: string[] = []
  const app = fastify({ http2: true, logger: { stream: { write: (line) => void lines.push(line) } } })
  onTestFinished(() => app.close())
  app.register(toFastify(shopOf({ addProduct })))
  const { statusCode } = await app.inject({ method: 'POST', url: path, headers, payload: add })
  expect(statusCode).toBe(200)
  expect(lines.join('')).toContain('request completed')
})

it("runs after the app's hooks, which can reject requests", async () => {
  const app = fastify()
  const seen: string[] = []
  app.addHook('onResponse', async (request, reply) => void seen.push(`${request.method} ${reply.statusCode}`))
  app.addHook('preHandler', async (request) => {
    if (request.headers['x-blocked'] !== undefined) throw Object.assign(new Error('blocked'), { statusCode: 403 })
  })
  const url = await listening(app.register(toFastify(shopOf({ addProduct }))))
  expect((await post(url + path, add, { 'X-Blocked': 'yes' }))[1]).toContain('blocked')
  expect((await post(url + path, add))[0]).toBe(200)
  expect(seen).toEqual(['POST 403', 'POST 200'])
})

it('reports a hook that has already read the body', async () => {
  const shop = shopOf({ addProduct })
  const app = fastify()
  app.addHook('preParsing', (_request, _reply, payload, done) => void payload.resume().once('end', done))
  const url = await listening(app.register(toFastify(shop)))
  expect((await post(url + path, add))[0]).toBe(500)
  expect(shop.failures).toEqual([
    'internal_error: TypeError: The body was already read and is not in req.body. Mount StorePort before the middleware that reads it.',
  ])
})

it('rejects every request if no key is set, and reports the missing key once', async () => {
  const shop = shopOf({ addProduct }, { apiKeys: [undefined] })
  const url = await listening(fastify().register(toFastify(shop)))
  const statuses = [await post(url + path, add), await post(url + path, add)].map(([status]) => status)
  expect(statuses).toEqual([401, 401])
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
  const url = await listening(fastify().register(toFastify(shop)))
  const leaving = get(`${url}/integration/customer-portal/subscription?email=test%40example.com`, { headers })
  leaving.on('error', () => {})
  await inStore
  leaving.destroy()
  expect(await outcome).toMatchObject({ name: 'AbortError' })
  expect(await post(url + path, add)).toEqual([200, success])
  expect(shop.failures).toEqual(['internal_error: Error: the database is unreachable'])
})
