import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { rejectConnect, rejectInvalidRequest, toNodeListener } from '../src/index.ts'
import { deferred } from '@storeport/testing/deferred'
import { collectStrayErrors } from '@storeport/testing/stray-errors'
import {
  connected,
  echo,
  expectRejection,
  get,
  listening,
  openShop,
  parsedAnswer,
  postAction,
  postHead,
  rawClient,
  seam,
  serving,
  startFor,
  statusesIn,
  useFakeTimers,
  waitingShop,
} from './support.ts'

const integration = openShop()
const connect = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'
const chunked = `${postHead}Transfer-Encoding: chunked\r\n\r\n`

/** Invalid requests that Node's parser accepts and only `serve` rejects with 400. */
const checkedByServe: Readonly<Record<string, string>> = {
  'chunks in another coding': `${postAction}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'chunks in HTTP/1.0': `${postAction.replace('1.1', '1.0')}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'no Host': 'GET / HTTP/1.1\r\nConnection: keep-alive\r\n\r\n',
  'two Hosts': 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'HTTP/0.9': 'GET / HTTP/0.9\r\nHost: a\r\n\r\n',
  'HTTP/2.0 as text': 'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
}

/** Requests that Node's parser rejects, by the status of the response. The wire checks send further lengths and headers. */
const rejectedByParser: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '400 invalid_request': {
    'a length with chunks': `${postAction}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
    'two lengths': `${postAction}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    'a length of 40 digits': `${postAction}Content-Length: ${'9'.repeat(40)}\r\n\r\n{}`,
    'a chunk size that is not a number': `${postAction}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    'a coding after chunks': `${postAction}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
    'a bare LF after the request line': 'GET / HTTP/1.1\nHost: a\r\n\r\n',
    'a bare LF after a header': 'GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n',
    'a bare CR in a header': 'GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n',
    'a NUL in a header': 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n',
    'a space before the colon': 'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
    'a folded header': 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n',
    'a target without a slash': 'GET integration HTTP/1.1\r\nHost: a\r\n\r\n',
    'the HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'the start of a TLS handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'an unknown method': 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n',
    'bytes that are not HTTP': 'hello\r\n\r\n',
  },
  '431 headers_too_large': {
    'headers that are too large': `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    'a target that is too long': `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    'trailers that are too large': `${postAction}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  },
  '405 method_not_allowed': {
    'CONNECT to a host': 'CONNECT shop.example:443 HTTP/1.1\r\nHost: a\r\n\r\n',
    'CONNECT to a path': 'CONNECT /integration HTTP/1.1\r\nHost: a\r\n\r\n',
  },
}

/** Starts the merchant's server from the README. */
function startOwnServer(): Promise<number> {
  const server = createServer(toNodeListener(integration))
  server.on('clientError', rejectInvalidRequest)
  server.on('connect', rejectConnect)
  return startFor(server)
}

const servers = { serve: async () => (await serving(integration)).port, "a merchant's own server": startOwnServer }

describe.each(Object.entries(servers))('%s', (name, start) => {
  const badRequests = { ...rejectedByParser['400 invalid_request'], ...(name === 'serve' && checkedByServe) }
  const requests = { ...rejectedByParser, '400 invalid_request': badRequests }

  test.each(
    Object.entries(requests).flatMap(([answer, kinds]) => Object.entries(kinds).map((kind) => [...kind, answer])),
  )('rejects %s once and ends the connection', async (_what, bytes = '', answer = '') => {
    const [status, code = ''] = answer.split(' ')
    const client = rawClient(await start())
    client.socket.write(bytes, 'latin1')
    const received = await client.until(/\}\}$/)
    expectRejection(parsedAnswer(received), Number(status), code)
    client.socket.end()
    expect(await client.ended()).toBe(received)
  })
})

test("a merchant's own server without error listeners responds without the envelope", async () => {
  const { port } = await listening(toNodeListener(integration))
  const nodesResponse = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'
  expect(await rawClient(port, 'nonsense\r\n\r\n').ended()).toBe(nodesResponse)
  expect(await rawClient(port, connect).ended()).toBe('')
  expect(await rawClient(port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n').ended()).not.toContain('success')
})

test.each([
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n', /./],
  ['no Host', 'GET / HTTP/1.1\r\n', /Host: is required/],
  ['an unsupported expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n', /Expect: must be 100-continue/],
])('the response to %s contains the request id from the request header', async (_name, start, message) => {
  const { client } = await connected(integration, `${start}X-Request-Id: click-1\r\n\r\n`)
  const answer = parsedAnswer(await client.until(/\}\}$/))
  expect(answer.headers.get('x-request-id')).toBe('click-1')
  expect(answer.body).toMatch(message)
})

test.each([
  ['CONNECT', connect, 405],
  ['an invalid request', 'nonsense\r\n\r\n', 400],
])('earlier requests get their responses before %s is rejected', async (_name, bytes, status) => {
  const { shop, begun, go } = waitingShop()
  const { client } = await connected(shop, get() + get() + bytes)
  await begun.promise
  client.socket.write('more nonsense')
  go.resolve()
  expect(statusesIn(await client.ended())).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', `HTTP/1.1 ${status}`])
})

describe('CONNECT', () => {
  test('does not affect the server if the caller resets the connection', async () => {
    const stray = collectStrayErrors()
    const { port, server } = await serving(integration)
    const received = once(server, 'connect')
    const client = rawClient(port, connect)
    const [, connection] = await received
    const closed = new Promise((resolve) => connection.once('close', resolve))
    client.socket.resetAndDestroy()
    await closed
    expect(stray).toEqual([])
  })

  test('does not delay closing the server', async () => {
    useFakeTimers()
    const { client, close } = await connected(integration, connect)
    await client.until(/\}\}$/)
    client.socket.end('bytes for the other side')
    await close()
  })
})

describe('an invalid body', () => {
  test('causes a 413 response if its chunk extensions are too long', async () => {
    const answer = await (await connected(echo(), `${chunked}1;${'x'.repeat(20_000)}`)).client.answer()
    expectRejection(answer, 413, 'payload_too_large')
  })

  test('causes one rejection if the integration is reading it', async () => {
    const stray = collectStrayErrors()
    const seen = deferred<unknown>()
    const waitsForBody = seam(async (call) => {
      await call.text(100).catch(seen.resolve)
      return {}
    })
    const { client } = await connected(waitsForBody, `${chunked}1\r\nx\r\nnonsense\r\n`)
    expect(statusesIn(await client.ended())).toEqual(['HTTP/1.1 400'])
    client.socket.destroy()
    expect(await seen.promise).toMatchObject({ code: 'invalid_request' })
    expect(stray).toEqual([])
  })

  test('causes no second response to a rejected request', async () => {
    const rejectsBody = seam((call) =>
      call.text(100).then(
        () => ({}),
        () => ({ status: 413 }),
      ),
    )
    const { client } = await connected(rejectsBody, `${chunked}ff\r\n${'x'.repeat(255)}\r\n`)
    useFakeTimers()
    await client.until(/413/)
    client.socket.write('nonsense\r\n')
    await vi.waitUntil(() => vi.getTimerCount() >= 2, 30_000)
    vi.advanceTimersByTime(2000)
    expect(statusesIn(await client.ended())).toHaveLength(1)
  })
})

describe('the rejection of invalid bytes', () => {
  const quick = seam(async () => ({ body: '"answered"' }))

  test('is delivered even if the caller sends all its bytes before it reads', async () => {
    const { client } = await connected(quick)
    client.socket.pause()
    await new Promise((resolve) => client.socket.write(`nonsense\r\n\r\n${'x'.repeat(20_000_000)}`, resolve))
    client.socket.resume()
    expect((await client.answer()).status).toBe(400)
  })

  test('leaves no timer running after the caller has disconnected', async () => {
    const { client, connection, server } = await connected(seam(() => new Promise(() => {})))
    const rejected = once(server, 'clientError')
    client.socket.write(`${get()}nonsense\r\n\r\n`)
    await rejected
    useFakeTimers()
    const closed = new Promise((resolve) => connection.once('close', resolve))
    client.socket.resetAndDestroy()
    await closed
    await new Promise(setImmediate)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('uses a single timer to disconnect a caller that continues to send', async () => {
    const { client, server } = await connected(quick)
    useFakeTimers()
    // Prevents the client from ending its side when the server ends the connection.
    client.socket.allowHalfOpen = true
    client.socket.write('nonsense\r\n\r\n')
    await client.until(/\}\}$/)
    const again = once(server, 'clientError')
    client.socket.write('more')
    await again
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(2000)
    await once(client.socket.end(), 'close')
  })
})

test.each([
  ['nothing', ''],
  ['half the headers', 'GET / HTTP/1.1\r\nHos'],
  ['half the body', `${postHead}Content-Length: 5\r\n\r\nab`],
])('returns 408 if the caller sends %s and then waits', async (_name, bytes) => {
  const { client } = await connected(echo(), bytes, { headersTimeoutMs: 50, requestTimeoutMs: 60 })
  expectRejection(await client.answer(), 408, 'request_timeout')
})
