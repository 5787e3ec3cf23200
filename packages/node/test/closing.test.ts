import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { deferred } from '@storeport/testing/deferred'
import {
  connected,
  get,
  last,
  lastAnswerIn,
  openShop,
  rawClient,
  seam,
  serving,
  statusesIn,
  useFakeTimers,
  waitingShop,
} from './support.ts'

const { integration } = openShop()

describe('closing a server', () => {
  test('closes idle connections and connections without a request, once', async () => {
    const { port, close, server } = await serving(integration)
    const closed = vi.fn()
    server.on('close', closed)
    const idle = rawClient(port, get())
    await idle.until(/\}\}$/)
    const accepted = once(server, 'connection')
    const silent = rawClient(port)
    await accepted
    await Promise.all([close(), close()])
    await close()
    await idle.ended()
    expect([await silent.ended(), closed.mock.calls.length]).toEqual(['', 1])
  })

  test('closes a connection after its current response', async () => {
    const go = deferred<void>()
    const { client, close } = await connected(integration, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', {
      fallback: (_req, res) => {
        res.write('one')
        void go.promise.then(() => res.end('two'))
      },
    })
    await client.until(/one/)
    const closed = close()
    go.resolve()
    expect(await client.ended()).toContain('two')
    await closed
  })

  test('responds to a request that arrives on an open connection, then ends the connection', async () => {
    const { client, port, close } = await connected(integration, 'GET /integration HTTP/1.1\r\nHos')
    await rawClient(port, get()).until(/\}\}$/)
    const closed = close()
    client.socket.write('t: a\r\n\r\n')
    expect((await client.answer()).headers.get('connection')).toBe('close')
    await closed
  })

  test('disconnects callers whose requests exceed closeTimeoutMs', async () => {
    const { shop, begun } = waitingShop()
    const { client, close } = await connected(shop, get(), { closeTimeoutMs: 20 })
    await begun.promise
    await close()
    expect(await client.ended()).toBe('')
  })

  test('accepts no connection, responds to all pipelined requests, and runs no later request', async () => {
    const { shop, begun, go, run } = waitingShop()
    const requests = Array.from({ length: 12 }, (_, index) => get(index)).join('')
    const { client, port, close } = await connected(shop, requests)
    await begun.promise
    const closed = close()
    const late = connect(port, '127.0.0.1')
    await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    client.socket.write(get('late'))
    go.resolve()
    const received = await client.ended()
    await closed
    expect(statusesIn(received)).toHaveLength(12)
    const { body, headers } = lastAnswerIn(received)
    expect([body, headers.get('connection')]).toEqual(['"11"', 'close'])
    expect(received.match(/connection: close/gi)).toHaveLength(1)
    expect(run).not.toContain('late')
  })
})

/** Connects a caller that keeps its side open after the last response; returns both sides of the connection. */
async function halfOpen(body: string, onAccepted = () => {}) {
  const answer = vi.fn(async () => ({ body }))
  const { client, connection } = await connected(seam(answer))
  onAccepted()
  client.socket.allowHalfOpen = true
  client.socket.write(last)
  await once(connection, 'finish')
  return { client, connection, answer }
}

describe('a connection after its last response', () => {
  test('remains half open and discards bytes while the caller continues to send', async () => {
    const { client, connection, answer } = await halfOpen('x'.repeat(1_000_000))
    const read = connection.bytesRead
    client.socket.write(get('late').repeat(1000))
    await expect.poll(() => connection.bytesRead).toBeGreaterThan(read)
    expect(connection.destroyed).toBe(false)
    client.socket.end()
    expect((await client.answer()).body).toHaveLength(1_000_000)
    expect(answer).toHaveBeenCalledOnce()
  })

  test('is closed after 2 s if the caller never ends its side of the connection', async () => {
    const { connection } = await halfOpen('{}', useFakeTimers)
    vi.advanceTimersByTime(1999)
    expect(connection.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(connection.destroyed).toBe(true)
  })
})
