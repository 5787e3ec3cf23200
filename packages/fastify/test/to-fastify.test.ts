import { createIntegration, type IntegrationOptions } from '@storeport/core'
import { keys } from '@storeport/testing/keys'
import fastify, { type FastifyInstance } from 'fastify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { toFastify, toFrameworkErrors } from '../src/index.ts'

const headers = { 'X-Integration-API-Key': keys.first, 'Content-Type': 'application/json' }
const add = JSON.stringify({ email: 'test@example.com', product_id: 'tea' })
const path = '/integration/upsells/add-product'
const success = '{"success":true}'

function shopOf(options: Partial<IntegrationOptions> = {}) {
  const onError = vi.fn()
  return {
    onError,
    ...createIntegration({ store: { addProduct: async () => {} }, apiKeys: [keys.first], onError, ...options }),
  }
}

async function listening(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

async function post(url: string, body: string, more: Record<string, string> = {}): Promise<[number, string]> {
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })
  return [response.status, await response.text()]
}

/* The wire checks run on Fastify, also below a prefix next to other parsers (test/mounts). */

it("does not change the surrounding app's routes, parsers or error handling", async () => {
  const app = fastify()
  app.addContentTypeParser('text/upper', { parseAs: 'string' }, (_request, body, done) => {
    done(null, String(body).toUpperCase())
  })
  app.register(toFastify(shopOf()))
  app.post('/echo', async ({ body }) => ({ body }))
  const url = await listening(app)
  expect(await post(`${url}/echo`, '{"a":1}')).toEqual([200, '{"body":{"a":1}}'])
  expect(await post(`${url}/echo`, 'a', { 'Content-Type': 'text/upper' })).toEqual([200, '{"body":"A"}'])
  expect((await post(`${url}/echo`, '{"a":'))[1]).toContain('FST_ERR_CTP_INVALID_JSON_BODY')
  expect((await post(`${url}/echo`, 'a', { 'Content-Type': 'text/else' }))[0]).toBe(415)
  expect((await post(`${url}/integrations`, '{}'))[1]).toContain('Route POST:/integrations not found')
  expect(await post(url + path, add)).toEqual([200, success])
})

it.each(['/api', '/api/', '/shop/:id'])('handles requests below the prefix %s', async (prefix) => {
  const url = await listening(fastify().register(toFastify(shopOf()), { prefix }))
  const below = url + prefix.replace(':id', '7').replace(/\/$/, '')
  expect(await post(below + path, add)).toEqual([200, success])
  expect((await post(`${below}/integration`, add))[1]).toContain('endpoint_not_found')
  expect((await post(url + path, add))[1]).toContain('not found')
})

it('returns an API error for invalid percent-encoding below the base path if toFrameworkErrors is used', async () => {
  const shop = shopOf()
  const url = await listening(fastify({ frameworkErrors: toFrameworkErrors(shop) }).register(toFastify(shop)))
  const [status, body] = await post(`${url}/integration/%zz?email=a`, add)
  expect([status, body]).toEqual([404, expect.stringContaining('endpoint_not_found')])
  const other = await post(`${url}/other/%zz`, add)
  expect(other).toEqual([400, expect.stringContaining('FST_ERR_BAD_URL')])
})

it('handles every path below its prefix if the base path is empty', async () => {
  const shop = shopOf({ basePath: '' })
  const url = await listening(fastify().register(toFastify(shop), { prefix: '/hooks' }))
  expect(await post(`${url}/hooks/upsells/add-product`, add)).toEqual([200, success])
  expect((await fetch(`${url}/hooks/elsewhere`)).status).toBe(401)
})

it('checks the key before the content type, and ignores the body limit of the app', async () => {
  const shop = shopOf()
  const url = (await listening(fastify({ bodyLimit: 10 }).register(toFastify(shop)))) + path
  expect(await post(url, add)).toEqual([200, success])
  for (const type of ['', 'nonsense']) {
    expect((await post(url, add, { 'Content-Type': type }))[1]).toContain('unsupported_media_type')
    expect((await post(url, add, { 'Content-Type': type, 'X-Integration-API-Key': '' }))[0]).toBe(401)
  }
  expect(shop.onError).not.toHaveBeenCalled()
})

it('handles HTTP/2 requests without a socket and with the Fastify logger enabled', async () => {
  const lines: string[] = []
  const app = fastify({ http2: true, logger: { stream: { write: (line) => void lines.push(line) } } })
  onTestFinished(() => app.close())
  app.register(toFastify(shopOf()))
  const { statusCode, body } = await app.inject({ method: 'POST', url: path, headers, payload: add })
  expect([statusCode, body]).toEqual([200, success])
  expect(lines.join('')).toContain('request completed')
})

it("runs after the app's hooks, which can reject requests", async () => {
  const app = fastify()
  const seen: string[] = []
  app.addHook('onResponse', async (request, reply) => void seen.push(`${request.method} ${reply.statusCode}`))
  app.addHook('preHandler', async (request) => {
    if (request.headers['x-blocked'] !== undefined) throw Object.assign(new Error('blocked'), { statusCode: 403 })
  })
  const url = await listening(app.register(toFastify(shopOf())))
  expect((await post(url + path, add, { 'X-Blocked': 'yes' }))[1]).toContain('blocked')
  expect((await post(url + path, add))[0]).toBe(200)
  expect(seen).toEqual(['POST 403', 'POST 200'])
})
