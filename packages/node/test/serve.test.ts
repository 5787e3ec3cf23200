import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { deferred } from '@storeport/testing/deferred'
import {
  connected,
  get,
  key,
  last,
  openShop,
  portal,
  rawClient,
  seam,
  serving,
  subscription,
  waitingShop,
} from './support.ts'
import { serve } from '../src/index.ts'

const { integration } = openShop()
/** Whether IPv6 is unavailable, as in many containers. */
const hasNoIpv6 = !Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

describe('serve', () => {
  test('listens on the loopback address and a free port, with default time limits', async () => {
    const { url, port, server } = await serving(integration)
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(server.address()).toMatchObject({ address: '127.0.0.1', port })
    const response = await fetch(`${url}${portal}`, { headers: { 'x-integration-api-key': key } })
    expect(await response.json()).toEqual({ success: true, data: subscription })
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server
    expect([headersTimeout, requestTimeout, keepAliveTimeout, timeout]).toEqual([10_000, 30_000, 65_000, 30_000])
    const { server: other } = await serving(integration, { requestTimeoutMs: 5000 })
    expect([other.requestTimeout, other.headersTimeout]).toEqual([5000, 5000])
  })

  test.skipIf(hasNoIpv6).each([
    ['::1', '[::1]'],
    ['::', '[::1]'],
    ['0.0.0.0', '127.0.0.1'],
  ])('returns a URL that a client can use if it listens on %s', async (host, name) => {
    const { url, port } = await serving(integration, { host })
    expect(url).toBe(`http://${name}:${port}`)
    expect((await fetch(`${url}/integration`)).status).toBe(401)
  })

  test('rejects an invalid address, and a port that is in use', async () => {
    const { port } = await serving(integration)
    await expect(serve(integration, { port })).rejects.toMatchObject({
      message: expect.stringContaining(`port ${port} is in use. Choose another port`),
      cause: { code: 'EADDRINUSE' },
    })
    for (const [address, message] of [
      ...[-1, 65_536, 1.5].map((at) => [{ port: at }, 'port must be a whole number from 1 to 65535'] as const),
      [{ port: 0, host: '192.0.2.1' }, 'host 192.0.2.1 is not an address of this machine'],
      [{ port: 0, host: 'nowhere.invalid' }, 'host nowhere.invalid'],
    ] as const)
      await expect(serve(integration, address)).rejects.toThrow(message)
  })

  test('does not disconnect a caller that waits for the store', async () => {
    const { shop, go } = waitingShop()
    const { port, server } = await serving(shop, { responseTimeoutMs: 500 })
    const passed = deferred<unknown>()
    server.once('timeout', passed.resolve)
    const client = rawClient(port, last)
    await passed.promise
    go.resolve()
    expect((await client.answer()).status).toBe(200)
  })

  test('joins the values of a repeated header that Node would drop', async () => {
    const shop = seam(async (call) => ({ body: String(call.header('authorization')) }))
    const { client } = await connected(shop, get('', 'Authorization: a\r\nAuthorization: b\r\nConnection: close\r\n'))
    expect((await client.answer()).body).toBe('a, b')
  })
})

/** Collects the warnings of the process during the test. */
function spyOnWarnings() {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  return warn
}

test('warns once at start of a missing key, with which requests fail with 401', async () => {
  const warn = spyOnWarnings()
  await serving(integration)
  await serving(seam(async () => ({})))
  expect(warn).not.toHaveBeenCalled()
  const { url } = await serving(openShop({}, { apiKeys: [undefined, ''] }).integration)
  for (let sent = 0; sent < 2; sent += 1) expect((await fetch(`${url}/integration`)).status).toBe(401)
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^apiKeys: no API key is set, so every request is rejected with 401/)],
  ])
})

describe('other paths', () => {
  test('are passed to the fallback', async () => {
    const { url } = await serving(integration, { fallback: (req, res) => res.end(`fallback ${req.url}`) })
    expect(await (await fetch(`${url}/else?a=b`)).text()).toBe('fallback /else?a=b')
    expect((await fetch(`${url}/integration/a`)).status).toBe(401)
  })

  test.each(['throws', 'rejects', 'rejects after the headers'])('return 500 if the fallback %s', async (how) => {
    const warn = spyOnWarnings()
    const broken = new Error('broken')
    const { url } = await serving(integration, {
      fallback: (_req, res) => {
        if (how === 'throws') throw broken
        if (how === 'rejects after the headers') res.writeHead(200).write('a part')
        return Promise.reject(broken)
      },
    })
    const received = fetch(url).then(async (response) => (await response.text(), response.status))
    expect(await received.catch(() => 'disconnected')).toBe(how === 'rejects after the headers' ? 'disconnected' : 500)
    expect(warn).toHaveBeenCalledWith(broken)
  })

  test('return 500 if the integration rejects', async () => {
    const { url } = await serving({ owns: () => true, answer: () => Promise.reject(new Error('broken')) })
    const response = await fetch(url)
    expect([response.status, await response.json()]).toMatchObject([500, { error: { code: 'internal_error' } }])
  })
})
