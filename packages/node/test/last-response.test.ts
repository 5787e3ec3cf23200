import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RunningServer } from '../src/index.ts'
import { get, last, statusesIn } from './raw-requests.ts'
import { parsedAnswer, rawClient, seam, serving, waitingShop } from './support.ts'

/** Connects a caller that keeps its side open after the last response; returns both sides of the connection. */
async function halfOpen({ port, server }: RunningServer) {
  const accepted = once(server, 'connection')
  const client = rawClient(port)
  client.socket.allowHalfOpen = true
  client.socket.write(last)
  const [connection]: Socket[] = await accepted
  if (connection === undefined) throw new Error('no connection')
  await once(connection, 'finish')
  return { client, connection }
}

describe('a server that closes', () => {
  test('responds to all pipelined requests, with Connection: close on the last response, and runs no later request', async () => {
    const { shop, begun, go, run } = waitingShop()
    const { port, close, server } = await serving(shop)
    const accepted = once(server, 'connection')
    const client = rawClient(port, Array.from({ length: 12 }, (_, index) => get(index)).join(''))
    const [connection]: Socket[] = await accepted
    await begun.promise
    const closed = close()
    const read = connection?.bytesRead ?? 0
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

  test('responds to a request that is in transit when the server begins to close', async () => {
    const { port, close } = await serving(seam(async () => ({})))
    const client = rawClient(port, get('first'))
    await client.until(/\{\}$/)
    const closed = close()
    client.socket.write(get('second'))
    const received = await client.ended()
    expect(statusesIn(received)).toHaveLength(2)
    expect(received).toMatch(/connection: close/i)
    await closed
  })
})

describe('a connection after its last response', () => {
  test('remains half open and discards bytes while the caller continues to send', async () => {
    let run = 0
    const running = await serving(
      seam(async () => {
        run += 1
        return { body: 'x'.repeat(1_000_000) }
      }),
    )
    const { client, connection } = await halfOpen(running)
    const read = connection.bytesRead
    client.socket.write(get('late').repeat(1000))
    await expect.poll(() => connection.bytesRead).toBeGreaterThan(read)
    expect(connection.destroyed).toBe(false)
    client.socket.end()
    expect(parsedAnswer(await client.ended()).body).toHaveLength(1_000_000)
    expect(run).toBe(1)
  })

  test('is closed after 2 s if the caller never ends its side of the connection', async () => {
    const running = await serving(seam(async () => ({})))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { connection } = await halfOpen(running)
    vi.advanceTimersByTime(1999)
    expect(connection.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(connection.destroyed).toBe(true)
  })
})
