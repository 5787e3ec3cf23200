import { getEventListeners } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { clientWithTiming } from '../src/client-with-timing.ts'
import { createClient } from '../src/index.ts'
import { systemTiming, type Timing } from '../src/timing.ts'
import { inputs } from './samples.ts'
import { startAnswering, startServer, success } from './start-server.ts'

const apiKey = 'key-of-0123456789'

/** A clock whose timers go off when the test says so. */
function handTiming(): Timing & {
  timeIsUp(): void
  readonly running: ReadonlySet<() => void>
  readonly asked: number[]
} {
  const running = new Set<() => void>()
  const asked: number[] = []
  return {
    ...systemTiming,
    running,
    asked,
    startTimer: (ms, run) => {
      asked.push(ms)
      running.add(run)
      return () => running.delete(run)
    },
    timeIsUp: () => running.forEach((run) => run()),
  }
}

describe('time-outs', () => {
  test.each(['before the headers', 'in the middle of the body'])('the time is up %s', async (when) => {
    const timing = handTiming()
    let closed: Promise<unknown> = Promise.resolve()
    const { baseUrl, seen } = await startServer((_request, response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
      if (when === 'before the headers') timing.timeIsUp()
      else response.write('{"success"')
    })
    const client = clientWithTiming(
      {
        baseUrl,
        apiKey,
        retries: 0,
        fetch: async (url, init) => {
          const response = await fetch(url, init)
          queueMicrotask(timing.timeIsUp)
          return response
        },
      },
      timing,
    )
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({
      name: 'StoreError',
      code: 'store_timeout',
      message: 'The shop did not answer within 10000 ms.',
    })
    await closed
    expect(seen).toHaveLength(1)
    expect(timing.asked).toEqual([10_000])
    expect(timing.running.size).toBe(0)
  })

  test('the real clock does it too, and a GET that timed out is not sent again', async () => {
    const { baseUrl, seen } = await startServer(() => {})
    const client = createClient({ baseUrl, apiKey, timeoutMs: 30 })
    await expect(client.listProducts({})).rejects.toMatchObject({ code: 'store_timeout' })
    expect(seen).toHaveLength(1)
  })

  test('a fetch that ignores its signal cannot hold a call', async () => {
    const timing = handTiming()
    const client = clientWithTiming(
      {
        baseUrl: 'https://shop.example',
        apiKey,
        fetch: () => {
          queueMicrotask(timing.timeIsUp)
          return new Promise(() => {})
        },
      },
      timing,
    )
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'store_timeout' })
  })

  test('no timer is left behind by a call that succeeds', async () => {
    const timing = handTiming()
    const { baseUrl } = await startAnswering(success())
    await clientWithTiming({ baseUrl, apiKey, timeoutMs: 1234 }, timing).sendNow(inputs.sendNow)
    expect(timing.asked).toEqual([1234])
    expect(timing.running.size).toBe(0)
  })
})

describe('aborts', () => {
  test('a signal that has fired sends nothing', async () => {
    const { baseUrl, seen } = await startAnswering(success())
    const reason = new Error('Gone.')
    const call = createClient({ baseUrl, apiKey }).sendNow(inputs.sendNow, { signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
    expect(seen).toEqual([])
  })

  test('a signal that fires ends the request, and the call rejects with its reason', async () => {
    const leaving = new AbortController()
    const reason = new Error('Gone.')
    let closed: Promise<unknown> = Promise.resolve()
    const { baseUrl, seen } = await startServer((_request, response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
      leaving.abort(reason)
    })
    const call = createClient({ baseUrl, apiKey }).listProducts({}, { signal: leaving.signal })
    await expect(call).rejects.toBe(reason)
    await closed
    expect(seen).toHaveLength(1)
  })

  test('a signal that lives long gathers no listeners', async () => {
    const { signal } = new AbortController()
    const { baseUrl } = await startAnswering(success())
    await createClient({ baseUrl, apiKey }).sendNow(inputs.sendNow, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('network failures', () => {
  test('a port where nobody listens is store_unavailable, named by its system code only', async () => {
    const port = await freePort()
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, retries: 0 })
    const error: unknown = await client.listProducts({ email: 'test@example.com' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'store_unavailable', message: 'The shop cannot be reached (ECONNREFUSED).' })
    expect(error).not.toHaveProperty('cause')
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('https://shop.example/?email=test@example.com')
      },
    ],
    ['rejects', () => Promise.reject(new Error('https://shop.example/?email=test@example.com'))],
    ['rejects with nothing', () => Promise.reject(undefined)],
  ])('a fetch that %s is upstream_error, without its words', async (_what, fetch) => {
    const client = createClient({ baseUrl: 'https://shop.example', apiKey, retries: 0, fetch })
    await expect(client.listProducts({ email: 'test@example.com' })).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The connection to the shop failed before its answer was complete.',
    })
  })
})

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
