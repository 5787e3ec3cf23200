import { getEventListeners } from 'node:events'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../src/index.ts'
import { fakeWaits } from './fake-waits.ts'
import { fetchOverHttp } from './fetch-over-http.ts'
import { apiKey, failure, startResponding, success } from './start-server.ts'

const options = { apiKey, fetch: fetchOverHttp }
const found = success({ products: [] })
const busy = failure(503, 'store_unavailable')

describe('waits between attempts', () => {
  const waits: number[] = []
  beforeEach(() => {
    waits.length = 0
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const restore = fakeWaits((ms) => {
      waits.push(ms)
      vi.advanceTimersByTime(ms)
    })
    return () => {
      restore()
      random.mockRestore()
    }
  })

  test.each([
    [0, [0, 0, 0, 0, 0, 0, 0]],
    [0.5, [50, 100, 200, 400, 800, 1000, 1000]],
  ])('double up to 2 s, with full jitter (random value %d)', async (random, expected) => {
    const { baseUrl } = await startResponding(busy)
    vi.mocked(Math.random).mockReturnValue(random)
    const call = createClient({ ...options, baseUrl, retries: 7 }).listProducts({})
    await expect(call).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(waits).toEqual(expected)
  })

  test('include Retry-After, given in seconds or as a date', async () => {
    const start = Date.parse('2030-01-15T12:00:00Z')
    const { baseUrl } = await startResponding(
      failure(429, 'rate_limited', 'Wait.', { 'Retry-After': '2' }),
      failure(503, 'store_unavailable', 'Wait.', { 'Retry-After': 'Tue, 15 Jan 2030 12:00:06 GMT' }),
      found,
    )
    vi.setSystemTime(start)
    await createClient({ ...options, baseUrl }).listProducts({})
    expect(waits).toEqual([2000, 4000])
  })

  test('are omitted, and the call fails, if Retry-After reaches the timeout', async () => {
    const { baseUrl, seen } = await startResponding(
      failure(429, 'rate_limited', 'Wait.', { 'Retry-After': '10' }),
      found,
    )
    const call = createClient({ ...options, baseUrl, timeoutMs: 10_000 }).listProducts({})
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 10 })
    expect(waits).toEqual([])
    expect(seen).toHaveLength(1)
  })

  test("are not affected by other code's timers", async () => {
    const { baseUrl } = await startResponding(busy, found)
    const other = setTimeout(() => {}, 5000)
    await createClient({ ...options, baseUrl }).listProducts({})
    clearTimeout(other)
    expect(waits).toEqual([0])
  })

  test('never delay a retry beyond timeoutMs after the first attempt', async () => {
    const { baseUrl, seen } = await startResponding(failure(429, 'rate_limited', 'Wait.', { 'Retry-After': '3' }))
    const call = createClient({ ...options, baseUrl, retries: 10, timeoutMs: 10_000 }).listProducts({})
    await expect(call).rejects.toMatchObject({ code: 'rate_limited' })
    expect(waits).toEqual([3000, 3000, 3000])
    expect(seen).toHaveLength(4)
  })
})

describe('a wait for a retry', () => {
  test.each([
    ['rejects with the abort reason when the signal is aborted', true, 1],
    ['removes its listener from the signal when the wait ends', false, 2],
  ])('%s', async (_name, aborts, attempts) => {
    const { baseUrl, seen } = await startResponding({ ...busy, headers: { 'Retry-After': '9' } }, found)
    const controller = new AbortController()
    const reason = new Error('The customer closed the page.')
    onTestFinished(
      fakeWaits(() => {
        if (aborts) controller.abort(reason)
        else vi.advanceTimersByTime(10_000)
      }),
    )
    const call = createClient({ ...options, baseUrl }).listProducts({}, { signal: controller.signal })
    expect(await call.catch((error: unknown) => error)).toEqual(aborts ? reason : { products: [] })
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(seen).toHaveLength(attempts)
  })
})
