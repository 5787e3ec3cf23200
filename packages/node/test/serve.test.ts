import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { serve, type ServeOptions } from '../src/index.ts'
import { action, get, portal, postAction } from './raw-requests.ts'
import {
  deferred,
  integrationOf,
  key,
  openShop,
  parsedAnswer,
  rawClient,
  seam,
  serving,
  subscription,
  waitingShop,
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

  test.skipIf(hasNoIpv6)('listens on an IPv6 address and writes the address in brackets in the URL', async () => {
    const { url, port } = await serving(integration, { host: '::1' })
    expect(url).toBe(`http://[::1]:${port}`)
    expect((await fetch(`${url}/integration`)).status).toBe(401)
  })

  test('sets a headers timeout that does not exceed the request timeout', async () => {
    const { server } = await serving(integration, { requestTimeoutMs: 5000 })
    expect([server.requestTimeout, server.headersTimeout]).toEqual([5000, 5000])
  })

  test('rejects a port that is in use', async () => {
    const { port } = await serving(integration)
    await expect(serve(integration, { port })).rejects.toThrow(`port ${port} is in use. Choose another port`)
    await expect(serve(integration, { port })).rejects.toMatchObject({ cause: { code: 'EADDRINUSE' } })
  })

  test.each([-1, 65_536, 1.5, Number.NaN])('rejects port %d', async (port) => {
    await expect(serve(integration, { port })).rejects.toThrow('port must be a whole number from 1 to 65535')
  })

  test('rejects the address of another machine', async () => {
    await expect(serve(integration, { port: 0, host: '192.0.2.1' })).rejects.toThrow(
      'host 192.0.2.1 is not an address of this machine',
    )
  })

  test('rejects an unknown host name', async () => {
    await expect(serve(integration, { port: 0, host: 'nowhere.invalid' })).rejects.toThrow('host nowhere.invalid')
  })
})

describe('the warning about a missing key', () => {
  test('is emitted once at start, and requests fail with 401', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const { url } = await serving(integrationOf({}, { apiKeys: [undefined, ''] }).integration)
    expect((await fetch(`${url}/integration`)).status).toBe(401)
    expect((await fetch(`${url}/integration`)).status).toBe(401)
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^apiKeys: no API key is set, so every request is rejected with 401/)],
    ])
  })

  test('is not emitted if a key is set', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    await serving(integration)
    await serving(seam(async () => ({})))
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('other paths', () => {
  test('are passed to the fallback', async () => {
    const { url } = await serving(integration, { fallback: (req, res) => res.end(`fallback ${req.url}`) })
    expect(await (await fetch(`${url}/else?a=b`)).text()).toBe('fallback /else?a=b')
    expect((await fetch(`${url}/integration/a`)).status).toBe(401)
  })

  test.each(['throws', 'rejects', 'rejects after the headers'])('return 500 if the fallback %s', async (how) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
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
    const { port } = await serving(integration)
    const client = rawClient(port, `${start}Expect: 100-continue\r\n\r\n`)
    const answer = parsedAnswer(await client.until(/\}\}$/))
    expect([answer.status, answer.headers.get('connection')]).toEqual([status, 'close'])
    client.socket.end()
    await client.ended()
  })

  test('sends 100 Continue before it calls the fallback', async () => {
    const { port } = await serving(integration, { fallback: (req, res) => void req.pipe(res) })
    const client = rawClient(
      port,
      'POST /else HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n',
    )
    await client.until(/100 Continue/)
    client.socket.write('hi')
    expect(await client.ended()).toContain('hi')
  })

  test('names the missing Host header in the error response', async () => {
    const { port } = await serving(integration)
    const answer = parsedAnswer(await rawClient(port, 'GET /integration HTTP/1.1\r\n\r\n').until(/\}\}$/))
    expect(JSON.parse(answer.body)).toMatchObject({ error: { message: 'Host: is required' } })
  })

  test('joins the values of a repeated header that Node would drop', async () => {
    const { port } = await serving(seam(async (call) => ({ body: String(call.header('authorization')) })))
    const client = rawClient(port, 'GET / HTTP/1.0\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n')
    expect(parsedAnswer(await client.ended()).body).toBe('a, b')
  })
})

describe('closing a server', () => {
  /** Starts a server whose requests wait until the test releases them. */
  async function waiting(options: ServeOptions = {}) {
    const { shop, begun, go } = waitingShop()
    return { ...(await serving(shop, options)), begun, go }
  }

  test('waits for in-flight requests and sends Connection: close', async () => {
    const { port, close, begun, go } = await waiting()
    const client = rawClient(port, get())
    await begun.promise
    const closed = close()
    const late = connect(port, '127.0.0.1')
    await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    go.resolve()
    const answer = parsedAnswer(await client.ended())
    expect([answer.status, answer.body, answer.headers.get('connection')]).toEqual([200, '""', 'close'])
    await closed
  })

  test('closes idle connections, and connections without a request', async () => {
    const { port, url, close, server } = await serving(integration)
    await (await fetch(`${url}/integration`)).text()
    const idle = rawClient(port, get())
    await idle.until(/\}\}$/)
    const accepted = once(server, 'connection')
    const silent = rawClient(port)
    await accepted
    await close()
    await idle.ended()
    expect(await silent.ended()).toBe('')
  })

  test('closes a connection after its current response', async () => {
    const begun = deferred<void>()
    const go = deferred<void>()
    const { port, close } = await serving(integration, {
      fallback: (_req, res) => {
        res.write('one')
        begun.resolve()
        void go.promise.then(() => res.end('two'))
      },
    })
    const client = rawClient(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await begun.promise
    await client.until(/one/)
    const closed = close()
    go.resolve()
    expect(await client.ended()).toContain('two')
    await closed
  })

  test('responds to a request that arrives on an open connection, then ends the connection', async () => {
    const { port, close, begun, go } = await waiting()
    const first = rawClient(port, get())
    await begun.promise
    const partial = rawClient(port, 'GET /integration HTTP/1.1\r\nHos')
    const other = rawClient(port, get())
    go.resolve()
    await other.until(/""$/)
    await first.until(/""$/)
    const closed = close()
    partial.socket.write('t: a\r\n\r\n')
    expect(parsedAnswer(await partial.ended()).headers.get('connection')).toBe('close')
    await closed
  })

  test('disconnects callers whose requests exceed closeTimeoutMs', async () => {
    const { port, close, begun } = await waiting({ closeTimeoutMs: 20 })
    const client = rawClient(port, get())
    await begun.promise
    await close()
    await expect(client.ended()).resolves.toBe('')
  })

  test('can be requested repeatedly', async () => {
    const { close, server } = await serving(integration)
    const closed = vi.fn()
    server.on('close', closed)
    await Promise.all([close(), close()])
    await close()
    expect(closed).toHaveBeenCalledTimes(1)
  })
})
