import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { refusedRequests } from './rejected-requests.ts'
import { action, actionBody, get, keyLine, last, portal, postAction, statusesIn } from './raw-requests.ts'
import {
  expectRejection,
  noStrayErrors,
  openShop,
  parsedAnswer,
  rawClient,
  seam,
  serving,
  waitingShop,
} from './support.ts'

const integration = openShop()

describe('invalid HTTP', () => {
  test.each(refusedRequests)(
    'causes one error response in the envelope and ends the connection: %s',
    async (_what, bytes, status, code) => {
      const { port } = await serving(integration)
      const client = rawClient(port)
      client.socket.write(bytes, 'latin1')
      const received = await client.until(/\}\}$/)
      const answer = parsedAnswer(received)
      expectRejection(answer, status, code)
      client.socket.end()
      expect(await client.ended()).toBe(received)
    },
  )

  test.each([
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: click-1\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\nX-Request-Id: click-1\r\n\r\n'],
    ['an unsupported expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nX-Request-Id: click-1\r\n\r\n'],
  ])('causes an error response with the request id from the request header: %s', async (_name, bytes) => {
    const { port } = await serving(integration)
    const answer = parsedAnswer(await rawClient(port, bytes).until(/\}\}$/))
    expect(answer.headers.get('x-request-id')).toBe('click-1')
  })
})

describe('CONNECT', () => {
  test('is rejected after the responses to earlier requests', async () => {
    const { shop, begun, go } = waitingShop()
    const { port } = await serving(shop)
    const client = rawClient(port, `${get()}${get()}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`)
    await begun.promise
    go.resolve()
    const received = await client.ended()
    expect(statusesIn(received)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 405'])
  })

  test('does not affect the server if the caller resets the connection', async () => {
    const stray = noStrayErrors()
    const { port, server } = await serving(integration)
    const connected = once(server, 'connect')
    const client = rawClient(port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    const [, connection] = await connected
    const closed = new Promise((resolve) => connection.once('close', resolve))
    client.socket.resetAndDestroy()
    await closed
    expect(stray).toEqual([])
  })

  test('does not delay closing the server', async () => {
    // Prevents timers from ending the connection.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { port, close } = await serving(integration)
    const client = rawClient(port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    await client.until(/\}\}$/)
    client.socket.end('bytes for the other side')
    await close()
  })
})

describe('valid HTTP', () => {
  test('accepts HTTP/1.0 requests with and without Host, and ignores their Expect header', async () => {
    const { port } = await serving(integration)
    const read = `GET ${portal} HTTP/1.0\r\n${keyLine}`
    expect(parsedAnswer(await rawClient(port, `${read}\r\n`).ended()).status).toBe(200)
    expect(parsedAnswer(await rawClient(port, `${read}Host: a\r\n\r\n`).ended()).status).toBe(200)
    const expects = `${postAction.replace('1.1', '1.0')}Expect: 100-continue\r\nContent-Length: ${actionBody.length}\r\n\r\n${actionBody}`
    expect(await rawClient(port, expects).ended()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  test('accepts Transfer-Encoding: chunked in any letter case', async () => {
    const { port } = await serving(integration)
    const chunked = `${actionBody.length.toString(16)}\r\n${actionBody}\r\n0\r\n\r\n`
    const client = rawClient(port, `${postAction}Transfer-Encoding: Chunked\r\nConnection: close\r\n\r\n${chunked}`)
    expect(parsedAnswer(await client.ended()).status).toBe(200)
  })

  test("reads the API key even if it follows more headers than Node's default maximum", async () => {
    const { port } = await serving(integration)
    const bytes = `GET ${portal} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'a:\r\n'.repeat(2500)}${keyLine}\r\n`
    expect(parsedAnswer(await rawClient(port, bytes).ended()).status).toBe(200)
  })
})

describe('timeouts', () => {
  test('have default values', async () => {
    const { server } = await serving(integration)
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server
    expect([headersTimeout, requestTimeout, keepAliveTimeout, timeout]).toEqual([10_000, 30_000, 65_000, 30_000])
  })

  test('disconnect a caller that does not read its response', async () => {
    // Larger than all buffers between the server and the caller.
    const answer = seam(async () => ({ body: 'x'.repeat(20_000_000) }))
    const { port, server } = await serving(answer, { responseTimeoutMs: 50 })
    const accepted = once(server, 'connection')
    const client = rawClient(port)
    client.socket.pause()
    client.socket.on('error', () => {})
    client.socket.write(get())
    const [connection] = await accepted
    await once(connection, 'close')
  })

  test('do not disconnect a caller that waits for the store', async () => {
    const { shop, go } = waitingShop()
    const { port, server } = await serving(shop, { responseTimeoutMs: 500 })
    const passed = once(server, 'timeout')
    const client = rawClient(port, last)
    await passed
    go.resolve()
    expect(parsedAnswer(await client.ended()).status).toBe(200)
  })

  test('end an idle connection', async () => {
    const { port } = await serving(integration, { keepAliveTimeoutMs: 20 })
    const client = rawClient(port, `GET ${portal} HTTP/1.1\r\nHost: a\r\n${keyLine}\r\n`)
    expect(parsedAnswer(await client.ended()).status).toBe(200)
  })

  test.each([
    ['with an incomplete body', ''],
    ['with an invalid body', 'nonsense\r\n'],
  ])('cause no second response to a rejected request %s', async (_what, rest) => {
    const { port } = await serving(integration, { headersTimeoutMs: 500, requestTimeoutMs: 600 })
    const start = `POST ${action} HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{"email":`
    const chunks = `POST ${action} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"ema\r\n`
    const client = rawClient(port, rest === '' ? start : chunks)
    await client.until(/\}\}$/)
    if (rest !== '') client.socket.end(rest)
    const received = await client.ended()
    expect(statusesIn(received)).toEqual(['HTTP/1.1 401'])
  })
})

test.each([
  '',
  'GET',
  postAction,
  `${postAction}Content-Length: 9\r\n\r\n{"e`,
  `${postAction}Transfer-Encoding: chunked\r\n\r\n5\r\n{`,
])('releases a connection that is reset after the bytes %j', async (bytes) => {
  const stray = noStrayErrors()
  const { port, server } = await serving(integration)
  const accepted = once(server, 'connection')
  const client = rawClient(port)
  client.socket.on('error', () => {})
  const [connection]: Socket[] = await accepted
  const closed = new Promise((resolve) => connection?.once('close', resolve))
  await new Promise((resolve) => client.socket.write(bytes, resolve))
  client.socket.resetAndDestroy()
  await closed
  expect((await fetch(`http://127.0.0.1:${port}/integration`)).status).toBe(401)
  expect(stray).toEqual([])
})
