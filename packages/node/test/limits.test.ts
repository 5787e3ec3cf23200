import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { collectStrayErrors } from '@storeport/testing/stray-errors'
import {
  action,
  actionBody,
  connected,
  get,
  integrationOf,
  keyLine,
  last,
  openShop,
  portal,
  postAction,
  rawClient,
  seam,
  serving,
  statusesIn,
  waitingShop,
} from './support.ts'

const integration = openShop()
const upgrade = 'Connection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n'
const read10 = `GET ${portal} HTTP/1.0\r\n${keyLine}`
const read11 = `GET ${portal} HTTP/1.1\r\nHost: a\r\n`

test.each([
  ['HTTP/1.0 without Host', `${read10}\r\n`],
  ['HTTP/1.0 with Host', `${read10}Host: a\r\n\r\n`],
  [
    'HTTP/1.0 with an Expect header, which is ignored',
    `${postAction.replace('1.1', '1.0')}Expect: 100-continue\r\nContent-Length: ${actionBody.length}\r\n\r\n${actionBody}`,
  ],
  [
    'Transfer-Encoding: chunked in any letter case',
    `${postAction}Transfer-Encoding: Chunked\r\nConnection: close\r\n\r\n${actionBody.length.toString(16)}\r\n${actionBody}\r\n0\r\n\r\n`,
  ],
  [
    "an API key that follows more headers than Node's default maximum",
    `${read11}Connection: close\r\n${'a:\r\n'.repeat(2500)}${keyLine}\r\n`,
  ],
])('accepts %s', async (_what, bytes) => {
  const { client } = await connected(integration, bytes)
  expect(await client.ended()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

describe('timeouts', () => {
  test('have default values, and the headers timeout does not exceed the request timeout', async () => {
    const { server } = await serving(integration)
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server
    expect([headersTimeout, requestTimeout, keepAliveTimeout, timeout]).toEqual([10_000, 30_000, 65_000, 30_000])
    const { server: other } = await serving(integration, { requestTimeoutMs: 5000 })
    expect([other.requestTimeout, other.headersTimeout]).toEqual([5000, 5000])
  })

  test.each([
    ['alone', ''],
    ['before a request with Upgrade', get('', upgrade)],
    ['before CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('disconnect a caller that does not read its response: a request %s', async (_name, further) => {
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

  test('do not disconnect a caller that waits for the store', async () => {
    const { shop, go } = waitingShop()
    const { port, server } = await serving(shop, { responseTimeoutMs: 500 })
    const passed = once(server, 'timeout')
    const client = rawClient(port, last)
    await passed
    go.resolve()
    expect((await client.answer()).status).toBe(200)
  })

  test('end an idle connection', async () => {
    const { client } = await connected(integration, `${read11}${keyLine}\r\n`, { keepAliveTimeoutMs: 20 })
    expect((await client.answer()).status).toBe(200)
  })

  test.each([
    ['with an incomplete body', 'Content-Length: 50\r\n\r\n{"email":', ''],
    ['with an invalid body', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"ema\r\n', 'nonsense\r\n'],
  ])('cause no second response to a rejected request %s', async (_what, start, rest) => {
    const bytes = `POST ${action} HTTP/1.1\r\nHost: a\r\n${start}`
    const { client } = await connected(integration, bytes, { headersTimeoutMs: 500, requestTimeoutMs: 600 })
    await client.until(/\}\}$/)
    if (rest !== '') client.socket.end(rest)
    expect(statusesIn(await client.ended())).toEqual(['HTTP/1.1 401'])
  })
})

test.each([
  '',
  'GET',
  postAction,
  `${postAction}Content-Length: 9\r\n\r\n{"e`,
  `${postAction}Transfer-Encoding: chunked\r\n\r\n5\r\n{`,
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

const acted = '{"email":"a@example.com","action_id":"ä"}'
const length = Buffer.byteLength(acted)
const lastRead = `GET ${portal} HTTP/1.1\r\nHost: a\r\n${keyLine}Connection: close\r\n\r\n`

/** Creates an integration; `run` contains the ids of the actions that ran. */
function actingShop() {
  const run: string[] = []
  const { integration: shop } = integrationOf(
    { getSubscription: async () => null, runCustomAction: async ({ action_id }) => void run.push(action_id) },
    { retries: false },
  )
  return { shop, run }
}

describe('a request with an Upgrade header', () => {
  test.each([
    ['GET', `GET ${portal} HTTP/1.1\r\nHost: a\r\n${keyLine}${upgrade}\r\n`, 0],
    ['POST', `${postAction}${upgrade}Content-Length: ${length}\r\n\r\n${acted}`, 1],
    [
      'POST in chunks',
      `${postAction}${upgrade}Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${acted}\r\n0\r\n\r\n`,
      1,
    ],
  ])(
    'is handled as an ordinary request, and later requests are handled after it (%s)',
    async (_method, request, actions) => {
      const { shop, run } = actingShop()
      const { client } = await connected(shop, request.repeat(7) + lastRead)
      expect(statusesIn(await client.ended())).toHaveLength(8)
      // The response to the eighth request closes the connection, because a flood would delay other callers.
      const flood = await connected(shop, request.repeat(1000))
      expect(statusesIn(await flood.client.ended())).toHaveLength(8)
      expect(run).toEqual(Array.from({ length: 15 * actions }, () => 'ä'))
    },
  )

  test('can arrive in two pieces, split at any position', async () => {
    const { shop, run } = actingShop()
    const { port } = await serving(shop)
    const bytes = Buffer.from(`${postAction}${upgrade}Content-Length: ${length}\r\n\r\n${acted}${lastRead}`)
    for (let at = 1; at < bytes.length; at += 7) {
      const client = rawClient(port)
      client.socket.setNoDelay(true)
      await new Promise((resolve) => client.socket.write(bytes.subarray(0, at), resolve))
      client.socket.write(bytes.subarray(at))
      expect(statusesIn(await client.ended())).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
    }
    expect(new Set(run)).toEqual(new Set(['ä']))
  })
})
