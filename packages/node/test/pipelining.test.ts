import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { deferred } from '@storeport/testing/deferred'
import {
  bodiesIn,
  connected,
  get,
  integrationOf,
  keyLine,
  last,
  parsedAnswer,
  portal,
  postAction,
  rawClient,
  seam,
  serving,
  statusesIn,
} from './support.ts'

const gets = (count: number) => Array.from({ length: count }, (_, index) => get(index)).join('')

/** Creates a shop that counts requests; each request waits until the test releases it. */
function countingShop() {
  const waiting: (() => void)[] = []
  const counts = { begun: 0, running: 0, most: 0 }
  const shop = seam(async ({ query }) => {
    counts.begun += 1
    counts.running += 1
    counts.most = Math.max(counts.most, counts.running)
    await new Promise<void>((resolve) => waiting.push(resolve))
    counts.running -= 1
    return { body: `"${query}"` }
  })
  return { shop, waiting, counts }
}

/** Waits until the server has responded to several requests on other connections, and is therefore idle. */
async function waitUntilIdle(port: number): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await rawClient(port, 'GET /else HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n').ended()
  }
}

describe('the pipelining limit', () => {
  test('runs at most eight requests per connection concurrently, and responds in order', async () => {
    const { shop, waiting, counts } = countingShop()
    const { port, client } = await connected(shop, gets(200) + last, { fallback: (_req, res) => res.end() })
    await expect.poll(() => counts.running).toBeGreaterThanOrEqual(7)
    await waitUntilIdle(port)
    expect(counts.begun).toBeLessThanOrEqual(8)
    const ended = client.ended()
    const release = setInterval(() => waiting.shift()?.(), 0)
    const received = await ended
    clearInterval(release)
    expect(bodiesIn(received)).toEqual([...Array.from({ length: 200 }, (_, index) => String(index)), 'last'])
    expect(counts.most).toBeLessThanOrEqual(8)
  })

  test('reads at most one additional chunk while requests are waiting', async () => {
    const { shop, counts } = countingShop()
    const { port, client, connection } = await connected(shop, gets(200_000), { fallback: (_req, res) => res.end() })
    await expect.poll(() => counts.running).toBeGreaterThanOrEqual(7)
    await waitUntilIdle(port)
    expect(connection.bytesRead).toBeLessThanOrEqual(2 * 65_536)
    client.socket.destroy()
  })

  test('reads a body that starts to arrive while its request is waiting', async () => {
    const { integration } = integrationOf({
      getSubscription: () => new Promise((resolve) => setImmediate(resolve, null)),
      runCustomAction: async () => {},
    })
    const read = `GET ${portal} HTTP/1.1\r\nHost: a\r\n${keyLine}\r\n`
    const body = `{"email":"a@example.com","action_id":"a"${' '.repeat(40_000)}}`
    const post = `${postAction}Content-Length: ${body.length}\r\n\r\n`
    const { client } = await connected(integration, read.repeat(30) + post + body.slice(0, 100))
    await client.until(/404/)
    client.socket.write(body.slice(100))
    expect((await client.until(/\{"success":true\}/)).match(/HTTP\/1\.1 404/g)).toHaveLength(30)
  })

  test('handles a request on another connection after at most 32 pipelined requests', async () => {
    let handled = 0
    let handledBeforeOther = Infinity
    const other = deferred<ReturnType<typeof rawClient>>()
    const { port } = await serving(
      seam(async ({ query }) => {
        if (query === 'other') handledBeforeOther = handled
        else if (query !== 'first' && (handled += 1) === 1) (await other.promise).socket.write(get('other'))
        return {}
      }),
    )
    const calm = rawClient(port, get('first'))
    await calm.until(/\{\}$/)
    other.resolve(calm)
    rawClient(port, gets(1000) + last)
    await calm.until(/\{\}[^]*\{\}$/)
    expect(handledBeforeOther).toBeLessThanOrEqual(32)
  })

  test('runs no request that follows a rejected request on the same connection', async () => {
    let run = 0
    const { port } = await serving(
      seam(async () => {
        run += 1
        return {}
      }),
    )
    const client = rawClient(port, `GET /integration HTTP/1.1\r\n\r\n${get('smuggled')}`)
    client.socket.end()
    expect(statusesIn(await client.ended())).toEqual(['HTTP/1.1 400'])
    const behindMany = rawClient(port, `${gets(20)}GET /integration HTTP/1.1\r\n\r\n${get('smuggled')}`)
    await behindMany.until(/HTTP\/1\.1 400/)
    behindMany.socket.end()
    expect(statusesIn(await behindMany.ended())).toHaveLength(21)
    expect(run).toBe(20)
  })
})

test('limits waiting requests to 4,000 across all connections, and closes a connection that exceeds the limit', async () => {
  const { shop, waiting, counts } = countingShop()
  const { port, server } = await serving(shop, { fallback: (_req, res) => res.end() })
  const many = Array.from({ length: 8 }, () => {
    const client = rawClient(port, gets(1100))
    client.socket.on('error', () => {})
    return client
  })
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  await Promise.all(many.map(({ socket }) => once(socket, 'connect')))
  await waitUntilIdle(port)
  expect(await connections()).toBeLessThanOrEqual(4)
  expect(counts.most).toBeLessThanOrEqual(8 * 8)
  for (const { socket } of many) socket.destroy()
  for (const release of waiting.splice(0)) release()
  await expect.poll(connections).toBe(0)
  // The waiting requests of closed connections are no longer counted.
  const client = rawClient(port, gets(20) + last)
  const release = setInterval(() => waiting.shift()?.(), 0)
  expect(bodiesIn(await client.ended())).toHaveLength(21)
  clearInterval(release)
  expect(parsedAnswer(client.received()).status).toBe(200)
})
