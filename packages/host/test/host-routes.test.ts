import { createServer } from 'node:http'
import { once } from 'node:events'
import { createIntegration } from '@storeport/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHostFiles } from '../src/host-files.ts'
import { answerHostRoute, type HostRoutes, serveMetrics } from '../src/host-routes.ts'
import { readSettings } from '../src/settings/settings.ts'
import { openHost } from './open-host.ts'

/** The routes alone, with whatever a test puts behind them. */
async function serving(changes: Partial<HostRoutes>) {
  const routes: HostRoutes = {
    files: createHostFiles(createIntegration({ store: {}, apiKeys: [] }), true),
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

describe('a file', () => {
  it.each(['/docs', '/docs/swagger-ui-bundle.js', '/openapi.json', '/images/test_12345.svg'])(
    'is made once and sent once to who keeps it: %s',
    async (path) => {
      const files = createHostFiles(createIntegration({ store: {}, apiKeys: [] }), true)
      expect(files(path)).toBe(files(path))
      const url = await serving({ files })
      const first = await fetch(url + path)
      const etag = first.headers.get('etag') ?? ''
      expect(first.status).toBe(200)
      expect(etag).toMatch(/^"[\w-]{27}"$/)
      const length = String((await first.arrayBuffer()).byteLength)
      for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await fetch(url + path, { headers: { 'If-None-Match': tags } })
        expect([tags, again.status, await again.text(), again.headers.get('etag')]).toEqual([tags, 304, '', etag])
      }
      const changed = await fetch(url + path, { headers: { 'If-None-Match': '"other"' } })
      expect([changed.status, changed.headers.get('content-length')]).toEqual([200, length])
      const head = await fetch(url + path, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, length, ''])
    },
  )

  it('that cannot be made is a 500 in the envelope, and is reported', async () => {
    const onError = vi.fn()
    const error = new Error('no such file')
    const files = () => {
      throw error
    }
    const url = await serving({ files, onError })
    const response = await fetch(`${url}/docs`)
    expect([response.status, await response.json()]).toMatchObject([500, { error: { code: 'internal_error' } }])
    expect(onError).toHaveBeenCalledWith(error)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
})

describe('/metrics', () => {
  it('is nowhere unless STOREPORT_METRICS says where', async () => {
    const { url, metricsUrl } = await openHost()
    expect([(await fetch(`${url}/metrics`)).status, metricsUrl]).toEqual([404, undefined])
  })

  it('has a listener of its own, which serves nothing else', async () => {
    const { url, metricsUrl = '' } = await openHost({ STOREPORT_METRICS: '127.0.0.1:0' })
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    const served = await fetch(metricsUrl)
    expect([served.status, await served.text()]).toEqual([200, expect.stringContaining('storeport_calls_in_flight')])
    for (const path of ['/', '/healthz', '/docs', '/integration/upsells/products', '/metrics/x']) {
      expect([path, (await fetch(new URL(path, metricsUrl))).status]).toEqual([path, 404])
    }
    const posted = await fetch(metricsUrl, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('is a 500 in the envelope when the counts cannot be written, and that is reported', async () => {
    const onError = vi.fn()
    const error = new Error('no counts')
    const counts = { text: () => Promise.reject(error), contentType: 'text/plain' }
    const { url, close } = await serveMetrics({ host: '127.0.0.1', port: 0 }, counts, onError)
    onTestFinished(close)
    const response = await fetch(`${url}/metrics`)
    expect([response.status, await response.json()]).toMatchObject([500, { error: { code: 'internal_error' } }])
    expect(onError).toHaveBeenCalledWith(error)
  })

  it('ends the start when its port is taken', async () => {
    const { metricsUrl = '' } = await openHost({ STOREPORT_METRICS: '127.0.0.1:0' })
    const { port } = new URL(metricsUrl)
    const closeStore = vi.fn(async () => {})
    const second = openHost({ STOREPORT_METRICS: `127.0.0.1:${port}` }, { closeStore })
    await expect(second).rejects.toThrow(`STOREPORT_METRICS: port ${port} is in use`)
    expect(closeStore).toHaveBeenCalled()
  })

  it.each(['9464', 'localhost', ':9464', 'localhost:70000', 'http://localhost:9464', '::1:9464', 'a b:1'])(
    'refuses %s as the place',
    (text) => {
      expect(() => readSettings([], { STOREPORT_METRICS: text })).toThrow(
        'STOREPORT_METRICS: must be a host and a port',
      )
    },
  )

  it.each([
    ['0.0.0.0:9464', { host: '0.0.0.0', port: 9464 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    ['', undefined],
  ])('takes %s', (text, metrics) => {
    expect(readSettings([], { STOREPORT_METRICS: text }).metrics).toEqual(metrics)
  })
})

it('takes GET and HEAD alone', async () => {
  const url = await serving({})
  const response = await fetch(`${url}/healthz`, { method: 'POST' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200)
})
