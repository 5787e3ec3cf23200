import { getEventListeners } from 'node:events'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../src/index.ts'
import { fakeWaits } from './fake-waits.ts'
import { fetchOverHttp } from './fetch-over-http.ts'
import { apiKey, refusal, startAnswering, success } from './start-server.ts'

const options = { apiKey, fetch: fetchOverHttp }
const found = success({ products: [] })
const busy = refusal(503, 'store_unavailable')

describe('the waits between attempts', () => {
  const waits: number[] = []
  beforeEach(() => {
    waits.length = 0
    const dice = vi.spyOn(Math, 'random').mockReturnValue(0)
    const restore = fakeWaits((ms) => {
      waits.push(ms)
      vi.advanceTimersByTime(ms)
    })
    return () => {
      restore()
      dice.mockRestore()
    }
  })

  test.each([
    [0, [0, 0, 0, 0, 0, 0, 0]],
    [0.5, [50, 100, 200, 400, 800, 1000, 1000]],
  ])('waits double up to 2 s, with full jitter: dice %d', async (dice, expected) => {
    const { baseUrl } = await startAnswering(busy)
    vi.mocked(Math.random).mockReturnValue(dice)
    const call = createClient({ ...options, baseUrl, retries: 7 }).listProducts({})
    await expect(call).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(waits).toEqual(expected)
  })

  test('Retry-After is waited for, in seconds and as a date', async () => {
    const start = Date.parse('2030-01-15T12:00:00Z')
    const { baseUrl } = await startAnswering(
      refusal(429, 'rate_limited', 'Wait.', { 'Retry-After': '2' }),
      refusal(503, 'store_unavailable', 'Wait.', { 'Retry-After': 'Tue, 15 Jan 2030 12:00:06 GMT' }),
      found,
    )
    vi.setSystemTime(start)
    await createClient({ ...options, baseUrl }).listProducts({})
    expect(waits).toEqual([2000, 4000])
  })

  test('a Retry-After beyond the time-out ends the call at once', async () => {
    const { baseUrl, seen } = await startAnswering(
      refusal(429, 'rate_limited', 'Wait.', { 'Retry-After': '10' }),
      found,
    )
    const call = createClient({ ...options, baseUrl, timeoutMs: 10_000 }).listProducts({})
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 10 })
    expect(waits).toEqual([])
    expect(seen).toHaveLength(1)
  })

  test('waits add up: no retry starts later than the time-out after the start', async () => {
    const { baseUrl, seen } = await startAnswering(refusal(429, 'rate_limited', 'Wait.', { 'Retry-After': '3' }))
    const call = createClient({ ...options, baseUrl, retries: 10, timeoutMs: 10_000 }).listProducts({})
    await expect(call).rejects.toMatchObject({ code: 'rate_limited' })
    expect(waits).toEqual([3000, 3000, 3000])
    expect(seen).toHaveLength(4)
  })
})

describe('a wait for the next attempt', () => {
  test.each([
    ['ends with the reason of a signal that fires', true, 1],
    ['lets go of the signal when it is over', false, 2],
  ])('%s', async (_what, aborts, attempts) => {
    const { baseUrl, seen } = await startAnswering({ ...busy, headers: { 'Retry-After': '9' } }, found)
    const leaving = new AbortController()
    const reason = new Error('The customer closed the page.')
    onTestFinished(
      fakeWaits(() => {
        if (aborts) leaving.abort(reason)
        else vi.advanceTimersByTime(10_000)
      }),
    )
    const call = createClient({ ...options, baseUrl }).listProducts({}, { signal: leaving.signal })
    expect(await call.catch((error: unknown) => error)).toEqual(aborts ? reason : { products: [] })
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(leaving.signal, 'abort')).toEqual([])
    expect(seen).toHaveLength(attempts)
  })
})
