import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { Call } from '@storeport/core'
import { expect, test, vi } from 'vitest'
import { respond, toNodeListener } from '../src/index.ts'
import { deferred } from '@storeport/testing/deferred'
import { collectStrayErrors } from '@storeport/testing/stray-errors'
import { get, keyLine, listening, openShop, rawClient, readPortal, seam } from './support.ts'

/** Starts a request that `answer` handles. Resolves when it has begun. `closed` resolves when the response has closed. */
async function beginRequest(answer: (call: Call) => Promise<void>) {
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
  })
  expect(onAbort).not.toHaveBeenCalled()
  client.socket.destroy()
  await closed
  expect([onAbort.mock.calls.length, removed.mock.calls.length]).toEqual([1, 0])
})

test('does not call an onAbort listener if the caller disconnects after the response', async () => {
  const onAbort = vi.fn()
  const { client, closed } = await beginRequest(async (call) => void call.onAbort?.(onAbort))
  await client.until(/\{\}$/)
  client.socket.destroy()
  await closed
  expect(onAbort).not.toHaveBeenCalled()
})

test('immediately calls an onAbort listener that is added after the caller has disconnected', async () => {
  const aborted = deferred<void>()
  const shop = seam(async (call) => void call.onAbort?.(aborted.resolve))
  const { port } = await listening((req, res) => {
    res.once('close', () => respond(shop, req, res))
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
  const { port } = await listening((req, res) => {
    counts.push(req.socket.eventNames().reduce((sum, name) => sum + req.socket.listenerCount(name), 0))
    listener(req, res)
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; turn < 15; turn += 1) {
    const sent = request({ port, path: '/integration', method: 'POST', agent }).end('{}')
    const [response] = await once(sent, 'response')
    await once(response.resume(), 'end')
    expect(sent.reusedSocket).toBe(turn > 0)
  }
  agent.destroy()
  expect(Math.max(...counts)).toBe(counts[0])
})

test('writes nothing if the store fails after the caller has disconnected', async () => {
  const stray = collectStrayErrors()
  const [called, failed] = [deferred<void>(), deferred<void>()]
  const { integration } = openShop({
    getSubscription: async (_input, { signal }) => {
      called.resolve()
      await once(signal, 'abort')
      failed.resolve()
      throw new Error('the database is unreachable')
    },
  })
  const listener = toNodeListener(integration)
  const written = vi.fn()
  const { port } = await listening((req, res) => {
    vi.spyOn(res, 'writeHead').mockImplementation(written)
    vi.spyOn(res, 'end').mockImplementation(written)
    res.on('error', written)
    listener(req, res)
  })
  const client = rawClient(port, `${readPortal}${keyLine}\r\n`)
  await called.promise
  client.socket.destroy()
  await failed.promise
  await new Promise(setImmediate)
  expect(written).not.toHaveBeenCalled()
  expect(stray).toEqual([])
})
