import { once } from 'node:events'
import { expect, test } from 'vitest'
import { deferred } from '@storeport/testing/deferred'
import { connected, get, keyLine, last, openShop, postAction, rawClient, readPortal, seam, serving } from './support.ts'

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
  /** Releases the requests one after the other until the connection ends. Returns the bodies of the responses. */
  const bodiesOf = async (client: ReturnType<typeof rawClient>) => {
    const release = setInterval(() => waiting.shift()?.(), 0)
    const received = await client.ended()
    clearInterval(release)
    return [...received.matchAll(/\r\n\r\n"(\w+)"/g)].map(([, body]) => body)
  }
  return { shop, waiting, counts, bodiesOf }
}

/** Waits until the server has responded to several requests on other connections, and is therefore idle. */
async function waitUntilIdle(port: number): Promise<void> {
  const request = 'GET /else HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  for (let round = 0; round < 5; round += 1) await rawClient(port, request).ended()
}

const options = { fallback: (_req: unknown, res: { end(): unknown }) => res.end() }

test('runs at most eight requests per connection concurrently, and responds in order', async () => {
  const { shop, counts, bodiesOf } = countingShop()
  const { port, client } = await connected(shop, gets(200) + last, options)
  await expect.poll(() => counts.running).toBeGreaterThanOrEqual(7)
  await waitUntilIdle(port)
  expect(counts.begun).toBeLessThanOrEqual(8)
  expect(await bodiesOf(client)).toEqual([...Array.from({ length: 200 }, (_, index) => String(index)), 'last'])
  expect(counts.most).toBeLessThanOrEqual(8)
})

test('reads at most one additional chunk while requests are waiting', async () => {
  const { shop, counts } = countingShop()
  const { port, connection } = await connected(shop, gets(200_000), options)
  await expect.poll(() => counts.running).toBeGreaterThanOrEqual(7)
  await waitUntilIdle(port)
  expect(connection.bytesRead).toBeLessThanOrEqual(2 * 65_536)
})

test('reads a body that starts to arrive while its request is waiting', async () => {
  const { integration } = openShop({ getSubscription: () => new Promise((resolve) => setImmediate(resolve, null)) })
  const body = `{"email":"a@example.com","action_id":"a"${' '.repeat(40_000)}}`
  const post = `${postAction}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 100)}`
  const { client } = await connected(integration, `${readPortal}${keyLine}\r\n`.repeat(30) + post)
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
    }),
  )
  const calm = rawClient(port, get('first'))
  await calm.until(/\{\}$/)
  other.resolve(calm)
  rawClient(port, gets(1000) + last)
  await calm.until(/\{\}[^]*\{\}$/)
  expect(handledBeforeOther).toBeLessThanOrEqual(32)
})

test('limits waiting requests to 4,000 across all connections, and closes a connection that exceeds the limit', async () => {
  const { shop, waiting, counts, bodiesOf } = countingShop()
  const { port, server } = await serving(shop, options)
  const many = Array.from({ length: 8 }, () => rawClient(port, gets(1100)).socket.on('error', () => {}))
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  await Promise.all(many.map((socket) => once(socket, 'connect')))
  await waitUntilIdle(port)
  expect(await connections()).toBeLessThanOrEqual(4)
  expect(counts.most).toBeLessThanOrEqual(8 * 8)
  for (const socket of many) socket.destroy()
  for (const release of waiting.splice(0)) release()
  await expect.poll(connections).toBe(0)
  // The waiting requests of closed connections are no longer counted.
  expect(await bodiesOf(rawClient(port, gets(20) + last))).toHaveLength(21)
})
