import { createIntegration } from '@storeport/core'
import { seed } from '@storeport/rules'
import { describe, expect, it, vi } from 'vitest'
import { createHostFiles } from '../src/host-files.ts'
import { readSettings } from '../src/settings/settings.ts'
import { openHost } from './open-host.ts'

describe('/readyz', () => {
  it.each<[string, () => Promise<boolean>, number]>([
    ['returns 200 for an available store', async () => true, 200],
    ['returns 503 for an unavailable store', async () => false, 503],
    ['returns 503 for a failing store', () => Promise.reject(new Error('no database')), 503],
    ['returns 503 for a hanging store', () => new Promise(() => {}), 503],
  ])('%s', async (_what, isReady, status) => {
    const { url } = await openHost({}, { isReady })
    expect((await fetch(`${url}/readyz`)).status).toBe(status)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
})

describe('the files of a host', () => {
  it.each(['/docs', '/docs/start.js', '/openapi.json', '/images/test_12345.svg'])(
    'are created once, with 304 for a matching ETag: %s',
    async (path) => {
      const files = createHostFiles(createIntegration({ store: {}, apiKeys: [] }), true)
      expect(files(path)).toBe(files(path))
      const { url } = await openHost()
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
})

it('returns an image for every seed product and for no other id', () => {
  const files = createHostFiles(createIntegration({ store: {}, apiKeys: [] }), true)
  for (const { id } of seed('2026-01-01').products) expect(files(`/images/${id}.svg`), id).toBeDefined()
  expect(files('/images/toString.svg')).toBeUndefined()
})

describe('/metrics', () => {
  it('is not served without STOREPORT_METRICS', async () => {
    const { url, metricsUrl } = await openHost()
    expect([(await fetch(`${url}/metrics`)).status, metricsUrl]).toEqual([404, undefined])
  })

  it('is served by a separate listener that serves no other path', async () => {
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

  it('prevents the host from starting if its port is in use', async () => {
    const { metricsUrl = '' } = await openHost({ STOREPORT_METRICS: '127.0.0.1:0' })
    const { port } = new URL(metricsUrl)
    const close = vi.fn(async () => {})
    const second = openHost({ STOREPORT_METRICS: `127.0.0.1:${port}` }, { close })
    await expect(second).rejects.toThrow(`STOREPORT_METRICS: port ${port} is in use`)
    expect(close).toHaveBeenCalled()
  })

  it.each(['9464', 'localhost', ':9464', 'localhost:70000', 'http://localhost:9464', '::1:9464', 'a b:1'])(
    'rejects the address %s',
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
  ])('accepts the address %j', (text, metrics) => {
    expect(readSettings([], { STOREPORT_METRICS: text }).metrics).toEqual(metrics)
  })
})

it('allows only GET and HEAD', async () => {
  const { url } = await openHost()
  const response = await fetch(`${url}/healthz`, { method: 'POST' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200)
})
