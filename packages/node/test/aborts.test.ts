import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Call } from '@storeport/core'
import { expect, test, vi } from 'vitest'
import { respond, toNodeListener } from '../src/index.ts'
import { deferred } from '@storeport/testing/deferred'
import { collectStrayErrors } from '@storeport/testing/stray-errors'
import { get, integrationOf, keyLine, listening, portal, rawClient, seam } from './support.ts'

/**
 * Starts a request that `answer` handles. Resolves when the request has begun. `closed` resolves when the response has
 * closed.
 */
async function beginRequest(answer: (call: Call) => Promise<object>) {
  const begun = deferred<void>()
  const closed = deferred<void>()
  const listener = toNodeListener(
    seam((call) => {
      const answered = answer(call)
      begun.resolve()
      return answered
    }),
  )
  const { port } = await listening((req, res) => {
    res.once('close', closed.resolve)
    listener(req, res)
  })
  const client = rawClient(port, get())
  await begun.promise
  return { client, closed: closed.promise }
}

test('calls an onAbort listener once if the caller disconnects, unless it was removed', async () => {
  const [onAbort, removed, gone] = [vi.fn(), vi.fn(), deferred<void>()]
  const { client, closed } = await beginRequest(async (call) => {
    call.onAbort?.(removed)()
    for (const listener of [onAbort, gone.resolve]) call.onAbort?.(listener)
    await gone.promise
    return {}
  })
  expect(onAbort).not.toHaveBeenCalled()
  client.socket.destroy()
  await closed
  expect([onAbort.mock.calls.length, removed.mock.calls.length]).toEqual([1, 0])
})

test('does not call an onAbort listener if the caller disconnects after the response', async () => {
  const onAbort = vi.fn()
  const { client, closed } = await beginRequest(async (call) => {
    call.onAbort?.(onAbort)
    return {}
  })
  await client.until(/\{\}$/)
  client.socket.destroy()
  await closed
  expect(onAbort).not.toHaveBeenCalled()
})

test('immediately calls an onAbort listener that is added after the caller has disconnected', async () => {
  const aborted = deferred<void>()
  const { port } = await listening((req, res) => {
    const { answer } = seam(async (call) => {
      call.onAbort?.(aborted.resolve)
      return {}
    })
    res.once('close', () => respond({ answer }, req, res))
    client.socket.destroy()
  })
  const client = rawClient(port, get())
  await aborted.promise
})

test('does not accumulate listeners on a reused connection', async () => {
  const counts: number[] = []
  const listener = toNodeListener(
    seam(async (call) => {
      call.onAbort?.(() => {})
      return { body: await call.text(100) }
    }),
  )
  const sockets = new Set<Socket>()
  const { port } = await listening((req, res) => {
    sockets.add(req.socket)
    counts.push(req.socket.eventNames().reduce((sum, name) => sum + req.socket.listenerCount(name), 0))
    listener(req, res)
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; turn < 15; turn += 1) {
    const sent = request({ port, path: '/integration', method: 'POST', agent }).end('{}')
    const [response] = await once(sent, 'response')
    response.resume()
    await once(response, 'end')
  }
  agent.destroy()
  expect(sockets.size).toBe(1)
  expect(Math.max(...counts)).toBe(counts[0])
})

test('writes nothing if the store fails after the caller has disconnected', async () => {
  const stray = collectStrayErrors()
  const called = deferred<void>()
  const failed = deferred<void>()
  const { integration } = integrationOf({
    getSubscription: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        called.resolve()
        signal.addEventListener('abort', () => {
          reject(new Error('the database is unreachable'))
          failed.resolve()
        })
      }),
  })
  const listener = toNodeListener(integration)
  const written = vi.fn()
  const { port, url } = await listening((req, res) => {
    vi.spyOn(res, 'writeHead').mockImplementation(written)
    vi.spyOn(res, 'end').mockImplementation(written)
    res.on('error', written)
    if (req.url === '/alive') return res.socket?.end('HTTP/1.1 204 No Content\r\n\r\n')
    listener(req, res)
  })
  const client = rawClient(port, `GET ${portal} HTTP/1.1\r\nHost: a\r\n${keyLine}\r\n`)
  await called.promise
  client.socket.destroy()
  await failed.promise
  expect((await fetch(`${url}/alive`)).status).toBe(204)
  expect(written).not.toHaveBeenCalled()
  expect(stray).toEqual([])
})
