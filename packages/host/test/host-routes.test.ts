import { createServer } from 'node:http'
import { once } from 'node:events'
import { createIntegration } from '@storeport/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { answerHostRoute, type HostRoutes } from '../src/routes/host-routes.ts'
import { openHost } from './open-host.ts'

/** The routes alone, with whatever a test puts behind them. */
async function serving(changes: Partial<HostRoutes>) {
  const routes: HostRoutes = {
    integration: createIntegration({ store: {}, apiKeys: [] }),
    counts: { observe: (_, run) => run(), text: async () => 'counts', contentType: 'text/plain' },
    isReady: async () => true,
    onError: () => {},
    ...changes,
  }
  const server = createServer((req, res) => void answerHostRoute(req, res, routes)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

describe('/readyz', () => {
  it.each<[string, () => Promise<boolean>, number]>([
    ['a store that answers', async () => true, 200],
    ['a store that does not', async () => false, 503],
    ['a store that fails', () => Promise.reject(new Error('no database')), 503],
    ['a store that hangs', () => new Promise(() => {}), 503],
  ])('%s', async (_what, isReady, status) => {
    const { url } = await openHost({}, { isReady, readyTimeoutMs: 20 })
    expect((await fetch(`${url}/readyz`)).status).toBe(status)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  it('says no while the event loop is late', async () => {
    const hour = 3_600_000
    let lateMs = 0
    const now = () => performance.now() + lateMs
    const { url } = await openHost({}, { eventLoop: { mostMs: hour, rememberedMs: hour, now } })
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    lateMs = 2 * hour
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 30_000 }).toBe(503)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
})

describe('a page that cannot be made', () => {
  it('is a 500 in the envelope, and is reported to the merchant', async () => {
    const onError = vi.fn()
    const error = new Error('no counts')
    const counts = { observe: vi.fn(), text: () => Promise.reject(error), contentType: 'text/plain' }
    const url = await serving({ counts, onError })
    const response = await fetch(`${url}/metrics`)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ success: false, error: { code: 'internal_error' } })
    expect(onError).toHaveBeenCalledWith(error)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
})

describe('/metrics', () => {
  it.each<[string, Record<string, string>, number]>([
    ['this machine', {}, 200],
    ['a client behind a proxy', { 'x-forwarded-for': '203.0.113.9' }, 404],
    ['a client behind another kind of proxy', { forwarded: 'for=203.0.113.9' }, 404],
  ])('is for %s: %i', async (_who, headers, status) => {
    const url = await serving({})
    expect((await fetch(`${url}/metrics`, { headers })).status).toBe(status)
  })
})

it('takes GET and HEAD alone', async () => {
  const url = await serving({})
  const response = await fetch(`${url}/healthz`, { method: 'POST' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200)
})
