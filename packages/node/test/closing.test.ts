import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { deferred } from '@storeport/testing/deferred'
import {
  connected,
  get,
  last,
  openShop,
  parsedAnswer,
  rawClient,
  seam,
  serving,
  statusesIn,
  useFakeTimers,
  waitingShop,
} from './support.ts'

const integration = openShop()

describe('closing a server', () => {
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
    const { client, close } = await connected(integration, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', {
      fallback: (_req, res) => {
        res.write('one')
        begun.resolve()
        void go.promise.then(() => res.end('two'))
      },
    })
    await begun.promise
    await client.until(/one/)
    const closed = close()
    go.resolve()
    expect(await client.ended()).toContain('two')
    await closed
  })

  test('responds to a request that arrives on an open connection, then ends the connection', async () => {
    const { shop, begun, go } = waitingShop()
    const { client: first, port, close } = await connected(shop, get())
    await begun.promise
    const partial = rawClient(port, 'GET /integration HTTP/1.1\r\nHos')
    const other = rawClient(port, get())
    go.resolve()
    await other.until(/""$/)
    await first.until(/""$/)
    const closed = close()
    partial.socket.write('t: a\r\n\r\n')
    expect((await partial.answer()).headers.get('connection')).toBe('close')
    await closed
  })

  test('disconnects callers whose requests exceed closeTimeoutMs', async () => {
    const { shop, begun } = waitingShop()
    const { client, close } = await connected(shop, get(), { closeTimeoutMs: 20 })
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

  test('accepts no connection, responds to all pipelined requests, and runs no later request', async () => {
    const { shop, begun, go, run } = waitingShop()
    const requests = Array.from({ length: 12 }, (_, index) => get(index)).join('')
    const { client, connection, port, close } = await connected(shop, requests)
    await begun.promise
    const closed = close()
    const late = connect(port, '127.0.0.1')
    await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const read = connection.bytesRead
    client.socket.write(get('late'))
    go.resolve()
    const received = await client.ended()
    await closed
    expect(statusesIn(received)).toHaveLength(12)
    const lastResponse = parsedAnswer(`HTTP/1.1${received.split('HTTP/1.1').at(-1)}`)
    expect([lastResponse.body, lastResponse.headers.get('connection')]).toEqual(['"11"', 'close'])
    expect(received.match(/connection: close/gi)).toHaveLength(1)
    expect(run).not.toContain('late')
    expect(read).toBeGreaterThan(0)
  })
})

/** Connects a caller that keeps its side open after the last response; returns both sides of the connection. */
async function halfOpen(shop: ReturnType<typeof seam>, onAccepted = () => {}) {
  const { client, connection } = await connected(shop)
  onAccepted()
  client.socket.allowHalfOpen = true
  client.socket.write(last)
  await once(connection, 'finish')
  return { client, connection }
}

describe('a connection after its last response', () => {
  test('remains half open and discards bytes while the caller continues to send', async () => {
    let run = 0
    const shop = seam(async () => {
      run += 1
      return { body: 'x'.repeat(1_000_000) }
    })
    const { client, connection } = await halfOpen(shop)
    const read = connection.bytesRead
    client.socket.write(get('late').repeat(1000))
    await expect.poll(() => connection.bytesRead).toBeGreaterThan(read)
    expect(connection.destroyed).toBe(false)
    client.socket.end()
    expect((await client.answer()).body).toHaveLength(1_000_000)
    expect(run).toBe(1)
  })

  test('is closed after 2 s if the caller never ends its side of the connection', async () => {
    const { connection } = await halfOpen(
      seam(async () => ({})),
      useFakeTimers,
    )
    vi.advanceTimersByTime(1999)
    expect(connection.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(connection.destroyed).toBe(true)
  })
})
