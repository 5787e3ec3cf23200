import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '@storeport/testing/find-free-port'
import { listening } from '@storeport/testing/listen'
import { makeFolder } from '@storeport/testing/make-folder'
import { missingProgram } from '@storeport/testing/missing-program'
import { readBlock } from '@storeport/testing/read-block'
import { runLine } from '@storeport/testing/run-as-user'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { key } from '@storeport/testing/send'
import { hostForTest } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { caddy, guide, nginx, secondServer, startProxy } from './start-proxy.ts'

vi.setConfig({ testTimeout: 90_000 })

describe.each([
  ['nginx', nginx],
  ['Caddy', caddy],
])('%s with the configuration from the guide', (_name, proxy) => {
  it.skipIf(missingProgram(proxy.program))("serves only the host's API, over TLS", async () => {
    const host = await hostForTest({ STOREPORT_STORE: 'memory', STOREPORT_TRUST_PROXY: '1' })
    const { call } = await startProxy(proxy, host.url, key)

    const listed = await call('/integration/upsells/products')
    expect([listed.status, JSON.parse(listed.text).success]).toEqual([200, true])
    // The proxy must not change the path.
    for (const path of ['/integration//upsells/products', '/integration/%75psells/products'])
      expect([path, (await call(path)).status]).toEqual([path, 404])
    for (const path of ['/', '/healthz', '/docs', '/metrics', '/playground/config', '/openapi.json'])
      expect([path, (await call(path)).status]).toEqual([path, 404])

    // StorePort logs the IP address that the proxy reports, not the address in the client's header.
    const rejected = await call('/integration/upsells/products', {
      'X-Integration-API-Key': 'a-wrong-key-of-the-tests',
      'X-Forwarded-For': '203.0.113.7',
    })
    expect(rejected.status).toBe(401)
    await vi.waitUntil(() => host.output.stdout.includes('"unauthorized"'), { timeout: 10_000 })
    expect(host.output.stdout).toContain('"address":"127.0.0.1"')
    expect(host.output.stdout).not.toContain('203.0.113.7')

    await host.crash()
    const unavailable = await call('/integration/upsells/products')
    expect([unavailable.status, unavailable.headers['retry-after'], JSON.parse(unavailable.text)]).toEqual([
      503,
      '5',
      { success: false, error: { code: 'store_unavailable', message: 'The shop is temporarily unavailable.' } },
    ])
    expect(unavailable.headers['content-type']).toContain('application/json')
  })

  // Node accepts one new connection per turn of the event loop, so new connections would be slow under load.
  it.skipIf(missingProgram(proxy.program))('reuses its connection to the server', async () => {
    const connections = new Set<number | undefined>()
    const { url, stop } = await listening((req, res) => {
      connections.add(req.socket.remotePort)
      res.end('{}')
    })
    onTestFinished(() => stop?.())
    const { call } = await startProxy(proxy, url, key)
    for (let turn = 0; turn < 20; turn++) expect((await call('/integration/upsells/products')).status).toBe(200)
    expect(connections.size).toBe(1)
  })
})

// By default, nginx stops sending requests to a server for 10 seconds after one failed connection.
it.skipIf(missingProgram(nginx.program))(
  'serves every click while two processes crash one after the other',
  async () => {
    const postgres = await sharedPostgres()
    const database = await postgres.createDatabase()
    onTestFinished(() => postgres.dropDatabase(database))
    const start = (port: number) =>
      hostForTest({ STOREPORT_STORE: database, STOREPORT_LOG: 'silent', PORT: String(port) })
    const [firstPort, secondPort] = [await findFreePort(), await findFreePort()]
    const [first, second] = [await start(firstPort), await start(secondPort)]
    const two: typeof nginx = {
      ...nginx,
      configure: (settings) => {
        const line = /server 127\.0\.0\.1:\d+.*;/
        const added = secondServer().replace(':3001', `:${secondPort}`)
        return nginx.configure(settings).replace(line, (found) => `${found}\n${added}`)
      },
    }
    const { call } = await startProxy(two, first.url, key)
    const click = async () => {
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const body = { email: 'test@example.com', product_id: 'test_12345' }
      return (await call('/integration/upsells/add-product', headers, body)).status
    }
    const clicks = async () => new Set(await Promise.all(Array.from({ length: 40 }, click)))

    expect(await clicks()).toEqual(new Set([200]))
    await first.crash()
    expect(await clicks()).toEqual(new Set([200]))
    await start(firstPort)
    await second.crash()
    expect(await clicks()).toEqual(new Set([200]))
  },
)

it.skipIf(missingProgram(nginx.program))('returns the error envelope for requests that nginx rejects', async () => {
  const host = await hostForTest({ STOREPORT_STORE: 'memory' })
  const { call } = await startProxy(nginx, host.url, key)
  const responses = [
    await call('/integration/upsells/products%'),
    await call('/integration/upsells/products', { 'X-Large': 'x'.repeat(40_000) }),
  ]
  expect(responses.map(({ status, text }) => [status, JSON.parse(text).error.code])).toEqual([
    [400, 'invalid_request'],
    [431, 'headers_too_large'],
  ])
})

it.skipIf(missingProgram('/usr/bin/systemd-analyze'))('accepts the systemd unit from the guide', async () => {
  const file = join(await makeFolder('systemd'), 'storeport.service')
  await writeFile(file, readBlock(guide, 'ini'))
  // systemd-analyze reports invalid settings and missing programs, but not a missing user.
  const { text } = await runLine('.', `systemd-analyze verify --man=no ${file}`, process.env)
  expect(text.split('\n').filter((line) => line.includes('storeport.service'))).toEqual([])
})
