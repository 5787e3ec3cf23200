import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { deferred } from '@storeport/testing/deferred'
import { collectStrayErrors } from '@storeport/testing/stray-errors'
import { rejectConnect, rejectInvalidRequest, type ServeOptions, toNodeListener } from '../src/index.ts'
import {
  action,
  chunked,
  connected,
  expectRejection,
  get,
  keyLine,
  lastAnswerIn,
  listening,
  openShop,
  postAction,
  postHead,
  rawClient,
  readPortal,
  seam,
  serving,
  statusesIn,
  useFakeTimers,
  waitingShop,
} from './support.ts'

const { integration, run } = openShop()
const read = `${readPortal}${keyLine}\r\n`
const lastRead = `${readPortal}${keyLine}Connection: close\r\n\r\n`
const connect = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: click-1\r\n\r\n'
const invalid = 'nonsense\r\n\r\n'
const noHost = 'GET / HTTP/1.1\r\nX-Request-Id: click-1\r\n\r\n'
const acted = '{"email":"a@example.com","action_id":"ä"}'
const sized = `Content-Length: ${Buffer.byteLength(acted)}\r\n\r\n${acted}`
const late = postAction + sized.replace('ä', '__')
const ofHttp10 = (request: string) => request.replace('1.1', '1.0')
const expects = 'Expect: 100-continue\r\n'
const briefly = { headersTimeoutMs: 50, requestTimeoutMs: 60 }
const long = 'x'.repeat(20_000)

/** The statuses of all responses, and a part of the last body. */
type Row = readonly [what: string, bytes: string, statuses: string, options?: ServeOptions, text?: string]

/** Requests that Node's parser rejects. The wire checks send further invalid lengths, chunks and headers. */
const rejectedByParser: readonly Row[] = [
  ['a length with chunks', `${postAction}Content-Length: 2\r\n${chunked('{}')}`, '400'],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400'],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${long}\r\n\r\n`, '431'],
  ['a target that is too long', `GET /${long} HTTP/1.1\r\nHost: a\r\n\r\n`, '431'],
  ['trailers that are too large', postAction + chunked('{}', `0\r\nX: ${long}\r\n\r\n`), '431'],
  ['chunk extensions that are too long', `${postAction}Transfer-Encoding: chunked\r\n\r\n1;${long}`, '413'],
  ['CONNECT', connect, '405'],
]

const rows: readonly Row[] = [
  ...rejectedByParser,
  ['HTTP/1.0 without Host', ofHttp10(read).replace('Host: a\r\n', ''), '200'],
  ['an Expect header in HTTP/1.0, which is ignored', ofHttp10(postAction) + expects + sized, '200'],
  [
    'chunks in any letter case',
    `${postAction}Connection: close\r\n${chunked(acted).replace('chunked', 'Chunked')}`,
    '200',
  ],
  ["a key after more headers than Node's maximum", lastRead.replace('X-Int', `${'a:\r\n'.repeat(2500)}X-Int`), '200'],
  ['an idle connection', read, '200', { keepAliveTimeoutMs: 20 }],
  ['chunks in another coding', postAction + chunked('').replace('chunked', 'gzip, chunked'), '400'],
  ['chunks in HTTP/1.0', `${ofHttp10(postAction)}Connection: keep-alive\r\n${chunked('{}')}`, '400'],
  ['HTTP/0.9', 'GET / HTTP/0.9\r\nHost: a\r\n\r\n', '400'],
  ['HTTP/2.0 as text', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', '400'],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', '400', {}, 'Host: must be sent only once'],
  ['no Host, and runs no later request', noHost + late, '400', {}, 'Host: is required'],
  ['20 requests before no Host, and runs no later request', read.repeat(20) + noHost + late, `${'200 '.repeat(20)}400`],
  [
    'an unsupported expectation',
    `${postHead}Connection: close\r\nX-Request-Id: click-1\r\nExpect: x\r\n\r\n`,
    '417',
    {},
    '100-continue',
  ],
  ['a large body, without 100 Continue', `${postAction}Content-Length: 65537\r\n${expects}\r\n`, '413'],
  ['no key, without 100 Continue', `POST ${action} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n${expects}\r\n`, '401'],
  ['nothing until the time limit', '', '408', briefly],
  ['half the headers until the time limit', 'GET / HTTP/1.1\r\nHos', '408', briefly],
  ['half the body until the time limit', `${postAction}Content-Length: 5\r\n\r\nab`, '408', briefly],
]

async function expectResponses(port: number, [, bytes, statuses, , text = '']: Row): Promise<void> {
  const received = await rawClient(port, bytes).ended()
  expect(statusesIn(received).join(' ')).toBe(statuses)
  const answer = lastAnswerIn(received)
  if (answer.status > 200) expectRejection(answer)
  expect(answer.body).toContain(text)
  expect(run).not.toContain('__')
  if (bytes.includes('click-1')) expect(answer.headers.get('x-request-id')).toBe('click-1')
}

const named = (all: readonly Row[]) => all.map((row) => [row[0], row] as const)

test.each(named(rows))('`serve` responds to %s', async (_what, row) => {
  await expectResponses((await serving(integration, row[3])).port, row)
})

test.each(named(rejectedByParser))("a merchant's own server responds to %s", async (_what, row) => {
  const server = createServer(toNodeListener(integration))
  server.on('clientError', rejectInvalidRequest).on('connect', rejectConnect)
  await expectResponses((await listening(server)).port, row)
})

test.each([
  ['CONNECT', connect, 405],
  ['an invalid request', invalid, 400],
])('earlier requests get their responses before %s is rejected', async (_name, bytes, status) => {
  const { shop, begun, go } = waitingShop()
  const { client } = await connected(shop, get() + get() + bytes)
  await begun.promise
  client.socket.write('more nonsense')
  go.resolve()
  expect(statusesIn(await client.ended())).toEqual([200, 200, status])
})

test('CONNECT does not delay closing the server', async () => {
  useFakeTimers()
  const { client, close } = await connected(integration, connect)
  await client.until(/\}\}$/)
  client.socket.end('bytes for the other side')
  await close()
})

test('sends 100 Continue before it calls the fallback', async () => {
  const start = `POST /else HTTP/1.1\r\nHost: a\r\n${expects}Connection: close\r\nContent-Length: 2\r\n\r\n`
  const { client } = await connected(integration, start, { fallback: (req, res) => void req.pipe(res) })
  await client.until(/100 Continue/)
  client.socket.write('hi')
  expect(await client.ended()).toContain('hi')
})

test.each([
  '',
  'GET',
  postAction,
  `${postAction}Content-Length: 9\r\n\r\n{"e`,
  `${postAction}${chunked('{', '')}`,
  connect,
])('releases a connection that is reset after the bytes %j', async (bytes) => {
  const stray = collectStrayErrors()
  const { client, connection, url } = await connected(integration)
  client.socket.on('error', () => {})
  const closed = new Promise((resolve) => connection.once('close', resolve))
  await new Promise((resolve) => client.socket.write(bytes, resolve))
  client.socket.resetAndDestroy()
  await closed
  expect((await fetch(`${url}/integration`)).status).toBe(401)
  expect(stray).toEqual([])
})

describe('an invalid body', () => {
  test('causes one rejection if the integration is reading it', async () => {
    const stray = collectStrayErrors()
    const seen = deferred<unknown>()
    const waitsForBody = seam((call) => call.text(100).then(() => {}, seen.resolve))
    const { client } = await connected(waitsForBody, postHead + chunked('x', invalid))
    expect(statusesIn(await client.ended())).toEqual([400])
    client.socket.destroy()
    expect(await seen.promise).toMatchObject({ code: 'invalid_request' })
    expect(stray).toEqual([])
  })

  test.each([
    ['incomplete', 'Content-Length: 50\r\n\r\n{"email":', ''],
    ['in chunks', chunked('{"ema', ''), invalid],
  ])('causes no second response to a request without a key (%s)', async (_how, start, rest) => {
    const { client } = await connected(integration, postHead + start, { headersTimeoutMs: 500, requestTimeoutMs: 600 })
    await client.until(/\}\}$/)
    if (rest !== '') client.socket.end(rest)
    expect(statusesIn(await client.ended())).toEqual([401])
  })

  test('causes no second response to a body that is too large', async () => {
    const rejectsBody = seam((call) =>
      call.text(100).then(
        () => ({}),
        () => ({ status: 413 }),
      ),
    )
    const { client } = await connected(rejectsBody, postHead + chunked('x'.repeat(255), ''))
    useFakeTimers()
    await client.until(/413/)
    client.socket.write(invalid)
    await vi.waitUntil(() => vi.getTimerCount() >= 2, 30_000)
    vi.advanceTimersByTime(2000)
    expect(statusesIn(await client.ended())).toEqual([413])
  })
})

describe('the rejection of invalid bytes', () => {
  test('is delivered even if the caller sends all its bytes before it reads', async () => {
    const { client } = await connected(integration)
    client.socket.pause()
    await new Promise((resolve) => client.socket.write(`${invalid}${'x'.repeat(20_000_000)}`, resolve))
    client.socket.resume()
    expect((await client.answer()).status).toBe(400)
  })

  test('leaves no timer running after the caller has disconnected', async () => {
    const { client, connection, server } = await connected(seam(() => new Promise(() => {})))
    const rejected = once(server, 'clientError')
    client.socket.write(get() + invalid)
    await rejected
    useFakeTimers()
    const closed = new Promise((resolve) => connection.once('close', resolve))
    client.socket.resetAndDestroy()
    await closed
    await new Promise(setImmediate)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('uses a single timer to disconnect a caller that continues to send', async () => {
    const { client, server } = await connected(integration)
    useFakeTimers()
    // Prevents the client from ending its side when the server ends the connection.
    client.socket.allowHalfOpen = true
    client.socket.write(invalid)
    await client.until(/\}\}$/)
    const again = once(server, 'clientError')
    client.socket.write('more')
    await again
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(2000)
    await once(client.socket.end(), 'close')
  })
})

const upgrade = 'Connection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n'

describe('a request with an Upgrade header', () => {
  test.each([
    ['GET', `${readPortal}${keyLine}${upgrade}\r\n`, 0],
    ['POST', `${postAction}${upgrade}${sized}`, 1],
    ['POST in chunks', `${postAction}${upgrade}${chunked(acted)}`, 1],
  ])('is handled as an ordinary request, like the requests after it (%s)', async (_method, request, actions) => {
    const { integration: shop, run: ids } = openShop()
    const { client } = await connected(shop, request.repeat(7) + lastRead)
    expect(statusesIn(await client.ended())).toHaveLength(8)
    // The response to the eighth request closes the connection, because a flood would delay other callers.
    const flood = await connected(shop, request.repeat(1000))
    expect(statusesIn(await flood.client.ended())).toHaveLength(8)
    expect(ids).toEqual(Array.from({ length: 15 * actions }, () => 'ä'))
  })

  test('can arrive in two pieces, split at any position', async () => {
    const { integration: shop, run: ids } = openShop()
    const { port } = await serving(shop)
    const bytes = Buffer.from(`${postAction}${upgrade}${sized}${lastRead}`)
    for (let at = 1; at < bytes.length; at += 7) {
      const client = rawClient(port)
      client.socket.setNoDelay(true)
      await new Promise((resolve) => client.socket.write(bytes.subarray(0, at), resolve))
      client.socket.write(bytes.subarray(at))
      expect(statusesIn(await client.ended())).toEqual([200, 200])
    }
    expect(new Set(ids)).toEqual(new Set(['ä']))
  })
})

test.each([
  ['alone', ''],
  ['before a request with Upgrade', get('', upgrade)],
  ['before CONNECT', connect],
])('disconnects a caller that does not read its response: a request %s', async (_name, further) => {
  const stray = collectStrayErrors()
  // Larger than all buffers between the server and the caller.
  const answer = seam(async () => ({ body: 'x'.repeat(20_000_000) }))
  const { client, connection } = await connected(answer, '', { responseTimeoutMs: 50 })
  client.socket.pause()
  client.socket.on('error', () => {})
  client.socket.write(get() + further)
  await once(connection, 'close')
  expect(stray).toEqual([])
})
