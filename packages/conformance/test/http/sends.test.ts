import { text as textOf } from 'node:stream/consumers'
import { findFreePort } from '@storeport/testing/find-free-port'
import { listening } from '@storeport/testing/listen'
import { afterAll, describe, expect, it } from 'vitest'
import { type PlainRequest, type Send, sendByHttp, sendTo } from '../../src/index.ts'

/** A server that responds to each request with a JSON description of the request. */
const { url: baseUrl, stop } = await listening(async (req, res) => {
  const body = await textOf(req)
  res.writeHead(req.url?.endsWith('/moved') ? 302 : 200, { Location: '/elsewhere', 'Set-Cookie': ['a=1', 'b=2'] })
  const { method, url, headers, rawHeaders } = req
  res.end(JSON.stringify({ method, url, headers, rawHeaders, body }))
})
afterAll(stop)

const ways: readonly (readonly [string, () => Send])[] = [
  ['sendByHttp', () => sendByHttp(`${baseUrl}/shop/`)],
  [
    'sendTo',
    () =>
      sendTo(async (request) => {
        const url = new URL(request.url)
        const headers = Object.fromEntries(request.headers)
        const body = await request.text()
        const echoed = { method: request.method, url: `/shop${url.pathname}${url.search}`, headers, body }
        const status = url.pathname === '/moved' ? 302 : 200
        return new Response(request.method === 'HEAD' ? null : JSON.stringify(echoed), { status })
      }),
  ],
]

describe.each(ways)('%s', (_name, way) => {
  const call = (request: Partial<PlainRequest>) => way()({ method: 'GET', target: '/x', headers: [], ...request })

  it('sends the method, target, all values of the headers, and body', async () => {
    const headers = [['X-One', '1'] as const, ...['a', 'b'].map((value) => ['X-Key', value] as const)]
    const body = new TextEncoder().encode('{"ü":1}')
    const reply = await call({ method: 'POST', target: '/x?a=1+2&b=%2b', headers, body })
    const echoed = JSON.parse(reply.body)
    expect(reply.status).toBe(200)
    expect(echoed).toMatchObject({ method: 'POST', url: '/shop/x?a=1+2&b=%2b', body: '{"ü":1}' })
    expect(echoed.headers).toMatchObject({ 'x-one': '1', 'x-key': 'a, b' })
    expect(echoed.headers['content-type']).toBeUndefined()
  })

  it('sends a body in chunks', async () => {
    async function* pieces() {
      yield new TextEncoder().encode('one ')
      yield new TextEncoder().encode('two')
    }
    const { body } = await call({ method: 'POST', body: pieces() })
    expect(JSON.parse(body)).toMatchObject({ body: 'one two' })
    expect(JSON.parse(body).headers['content-length']).toBeUndefined()
  })

  it('returns an empty body for HEAD and does not follow redirects', async () => {
    expect(await call({ method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    expect(await call({ target: '/moved' })).toMatchObject({ status: 302 })
  })
})

describe('sendByHttp', () => {
  it('sends the path unchanged', async () => {
    for (const target of ['/a/../b', '//a', '/%41', '/a\\b', '/a/./b', '/a?x=+&x=%zz']) {
      const { body } = await sendByHttp(baseUrl)({ method: 'GET', target, headers: [] })
      expect(JSON.parse(body).url).toBe(target)
    }
    expect(sendByHttp(baseUrl).unsupported).toEqual([])
  })

  it('sends and returns repeated headers on separate lines, and preserves the letter case of their names', async () => {
    const repeated = ['a', 'b'].map((value) => ['X-Key', value] as const)
    const { headers, body } = await sendByHttp(baseUrl)({ method: 'GET', target: '/', headers: repeated })
    expect(JSON.parse(body).rawHeaders.join('|')).toContain('X-Key|a|X-Key|b')
    expect(headers.filter(([name]) => name === 'Set-Cookie').map(([, value]) => value)).toEqual(['a=1', 'b=2'])
  })

  it('rejects if the server is unreachable or the request is aborted', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`
    await expect(sendByHttp(url)({ method: 'GET', target: '/', headers: [] })).rejects.toThrow('ECONNREFUSED')
    const signal = AbortSignal.abort()
    await expect(sendByHttp(baseUrl)({ method: 'GET', target: '/', headers: [], signal })).rejects.toThrow('aborted')
  })

  it('rejects a URL that does not use http or https', () => {
    expect(() => sendByHttp('ftp://shop.example')).toThrow(TypeError)
  })

  it('retries a read if the server has closed the idle connection', async () => {
    const impatient = await listening((_req, res) => res.end('ok'))
    const send = sendByHttp(impatient.url)
    for (let calls = 0; calls < 5; calls++) {
      expect(await send({ method: 'GET', target: '/', headers: [] })).toMatchObject({ body: 'ok' })
      impatient.server.closeAllConnections()
    }
    await impatient.stop()
  })
})
