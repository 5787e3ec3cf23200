import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { serve } from '../src/index.ts'
import {
  action,
  connected,
  integrationOf,
  key,
  openShop,
  parsedAnswer,
  portal,
  postAction,
  seam,
  serving,
  subscription,
} from './support.ts'

const integration = openShop()
/** Whether IPv6 is unavailable, as in many containers. */
const hasNoIpv6 = !Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

describe('serve', () => {
  test('listens on the loopback address and a free port', async () => {
    const { url, port, server } = await serving(integration)
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(server.address()).toMatchObject({ address: '127.0.0.1', port })
    const response = await fetch(`${url}${portal}`, {
      headers: { 'x-integration-api-key': key },
    })
    expect(await response.json()).toEqual({ success: true, data: subscription })
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

  test('rejects a port that is in use', async () => {
    const { port } = await serving(integration)
    await expect(serve(integration, { port })).rejects.toThrow(`port ${port} is in use. Choose another port`)
    await expect(serve(integration, { port })).rejects.toMatchObject({ cause: { code: 'EADDRINUSE' } })
  })

  test.each([
    ...[-1, 65_536, 1.5, Number.NaN].map((port) => [{ port }, 'port must be a whole number from 1 to 65535'] as const),
    [{ port: 0, host: '192.0.2.1' }, 'host 192.0.2.1 is not an address of this machine'],
    [{ port: 0, host: 'nowhere.invalid' }, 'host nowhere.invalid'],
  ] as const)('rejects the address %j', async (options, message) => {
    await expect(serve(integration, options)).rejects.toThrow(message)
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
  const { url } = await serving(integrationOf({}, { apiKeys: [undefined, ''] }).integration)
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
    const status = async () => {
      const response = await fetch(url)
      await response.text()
      return response.status
    }
    expect(await status().catch(() => 'disconnected')).toBe(how === 'rejects after the headers' ? 'disconnected' : 500)
    expect(warn).toHaveBeenCalledWith(broken)
  })

  test('return 500 if the integration rejects', async () => {
    const { url } = await serving({ owns: () => true, answer: () => Promise.reject(new Error('broken')) })
    const response = await fetch(url)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: { code: 'internal_error' } })
  })
})

describe('HTTP requirements', () => {
  test.each([
    ['for a body that is too large', `${postAction}Content-Length: 65537\r\n`, 413],
    ['for a request without a key', `POST ${action} HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n`, 401],
  ])('sends the error instead of 100 Continue %s', async (_name, start, status) => {
    const { client } = await connected(integration, `${start}Expect: 100-continue\r\n\r\n`)
    const answer = parsedAnswer(await client.until(/\}\}$/))
    expect([answer.status, answer.headers.get('connection')]).toEqual([status, 'close'])
    client.socket.end()
    await client.ended()
  })

  test('sends 100 Continue before it calls the fallback', async () => {
    const start = 'POST /else HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n'
    const { client } = await connected(integration, `${start}Content-Length: 2\r\n\r\n`, {
      fallback: (req, res) => void req.pipe(res),
    })
    await client.until(/100 Continue/)
    client.socket.write('hi')
    expect(await client.ended()).toContain('hi')
  })

  test('joins the values of a repeated header that Node would drop', async () => {
    const shop = seam(async (call) => ({ body: String(call.header('authorization')) }))
    const { client } = await connected(shop, 'GET / HTTP/1.0\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n')
    expect((await client.answer()).body).toBe('a, b')
  })
})
