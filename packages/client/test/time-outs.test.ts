import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient } from '../src/index.ts'
import { fetchOverHttp } from './fetch-over-http.ts'
import { inputs } from '@storeport/testing/samples'
import { apiKey, startServer, success } from './start-server.ts'

describe('timeouts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    return () => void vi.useRealTimers()
  })

  test.each(['before the headers', 'in the middle of the body'])('times out %s', async (when) => {
    let closed: Promise<unknown> = Promise.resolve()
    const { baseUrl, seen } = await startServer((_request, response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
      if (when === 'before the headers') vi.advanceTimersByTime(10_000)
      else response.write('{"success"')
    })
    const client = createClient({
      baseUrl,
      apiKey,
      fetch: async (url, init) => {
        const response = await fetchOverHttp(url, init)
        queueMicrotask(() => vi.advanceTimersByTime(10_000))
        return response
      },
    })
    // A GET is not retried after a timeout.
    await expect(client.listProducts({})).rejects.toMatchObject({
      name: 'StoreError',
      code: 'store_timeout',
      message: 'The shop did not respond within 10000 ms.',
    })
    await closed
    expect(seen).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('accepts a response one millisecond before the timeout', async () => {
    const { baseUrl } = await startServer((_request, response) => {
      vi.advanceTimersByTime(9_999)
      response.end(success().body)
    })
    expect(await createClient({ baseUrl, apiKey, fetch: fetchOverHttp }).sendNow(inputs.sendNow)).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends a call after the timeout even if fetch ignores the abort signal', async () => {
    const client = createClient({
      baseUrl: 'https://shop.example',
      apiKey,
      timeoutMs: 1234,
      fetch: () => {
        queueMicrotask(() => vi.advanceTimersByTime(1234))
        return new Promise(() => {})
      },
    })
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'store_timeout' })
  })
})
