import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { bodiesIn, get, keyLine, last, portal, postAction, statusesIn } from './raw-requests.ts'
import { deferred, integrationOf, parsedAnswer, rawClient, seam, serving } from './support.ts'

const gets = (count: number) => Array.from({ length: count }, (_, index) => get(index)).join('')

/** A shop whose calls wait until they are let go, and that counts them. */
function countingShop() {
  const waiting: (() => void)[] = []
  const counts = { begun: 0, inWork: 0, most: 0 }
  const shop = seam(async ({ query }) => {
    counts.begun += 1
    counts.inWork += 1
    counts.most = Math.max(counts.most, counts.inWork)
    await new Promise<void>((resolve) => waiting.push(resolve))
    counts.inWork -= 1
    return { body: `"${query}"` }
  })
  return { shop, waiting, counts }
}

/** Lets the server do all that it can do now: a call on another connection is answered several times. */
async function letServerWork(port: number): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await rawClient(port, 'GET /else HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n').ended()
  }
}

describe('of one connection', () => {
  test('eight requests are in work at once, and every one is answered in its turn', async () => {
    const { shop, waiting, counts } = countingShop()
    const { port } = await serving(shop, { fallback: (_req, res) => res.end() })
    const client = rawClient(port, gets(200) + last)
    await expect.poll(() => counts.inWork).toBeGreaterThanOrEqual(7)
    await letServerWork(port)
    expect(counts.begun).toBeLessThanOrEqual(8)
    const ended = client.ended()
    const letGo = setInterval(() => waiting.shift()?.(), 0)
    const received = await ended
    clearInterval(letGo)
    expect(bodiesIn(received)).toEqual([...Array.from({ length: 200 }, (_, index) => String(index)), 'last'])
    expect(counts.most).toBeLessThanOrEqual(8)
  })

  test('no more is read than one piece while requests wait', async () => {
    const { shop, counts } = countingShop()
    const { port, server } = await serving(shop, { fallback: (_req, res) => res.end() })
    const accepted = once(server, 'connection')
    const client = rawClient(port, gets(200_000))
    const [connection] = await accepted
    await expect.poll(() => counts.inWork).toBeGreaterThanOrEqual(7)
    await letServerWork(port)
    expect(connection.bytesRead).toBeLessThanOrEqual(2 * 65_536)
    client.socket.destroy()
  })

  test('a caller that takes no answer gets no more work done for it', async () => {
    // More than the buffers between the two can hold.
    const large = Buffer.alloc(16_000_000)
    let begun = 0
    const { port } = await serving(
      seam(async () => ({})),
      {
        fallback: (req, res) => {
          if (req.url === '/large') begun += 1
          res.end(req.url === '/large' ? large : '')
        },
      },
    )
    const client = rawClient(port)
    client.socket.pause()
    client.socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500))
    await expect.poll(() => begun).toBeGreaterThanOrEqual(7)
    await letServerWork(port)
    expect(begun).toBeLessThanOrEqual(8)
  })

  test('a body that arrives while its request waits is read when it is its turn', async () => {
    const { integration } = integrationOf({
      getSubscription: () => new Promise((resolve) => setImmediate(resolve, null)),
      runCustomAction: async () => {},
    })
    const { port } = await serving(integration)
    const read = `GET ${portal} HTTP/1.1\r\nHost: a\r\n${keyLine}\r\n`
    const body = `{"email":"a@example.com","action_id":"a"${' '.repeat(40_000)}}`
    const post = `${postAction}Content-Length: ${body.length}\r\n\r\n`
    const client = rawClient(port, read.repeat(30) + post + body.slice(0, 100))
    await client.until(/404/)
    client.socket.write(body.slice(100))
    expect((await client.until(/\{"success":true\}/)).match(/HTTP\/1\.1 404/g)).toHaveLength(30)
  })

  test('a call on another connection waits for no more than eight of them', async () => {
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

  test('nothing is run behind the last answer', async () => {
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

test('four thousand requests wait at most, on all connections together; one that brings more is ended', async () => {
  const { shop, waiting, counts } = countingShop()
  const { port, server } = await serving(shop, { fallback: (_req, res) => res.end() })
  const many = Array.from({ length: 8 }, () => {
    const client = rawClient(port, gets(1100))
    client.socket.on('error', () => {})
    return client
  })
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  await Promise.all(many.map(({ socket }) => once(socket, 'connect')))
  await letServerWork(port)
  expect(await connections()).toBeLessThanOrEqual(4)
  expect(counts.most).toBeLessThanOrEqual(8 * 8)
  for (const { socket } of many) socket.destroy()
  for (const letGo of waiting.splice(0)) letGo()
  await expect.poll(connections).toBe(0)
  // What waited is forgotten with its connection.
  const client = rawClient(port, gets(20) + last)
  const letGo = setInterval(() => waiting.shift()?.(), 0)
  expect(bodiesIn(await client.ended())).toHaveLength(21)
  clearInterval(letGo)
  expect(parsedAnswer(client.received()).status).toBe(200)
})
