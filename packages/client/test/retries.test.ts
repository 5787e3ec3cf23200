import { describe, expect, test } from 'vitest'
import { clientWithTiming } from '../src/client-with-timing.ts'
import { systemTiming } from '../src/timing.ts'
import { fakeTiming } from './fake-timing.ts'
import { inputs } from './samples.ts'
import { refusal, startAnswering, startServer, success } from './start-server.ts'

const apiKey = 'key-of-0123456789'
const found = success({ products: [] })
const busy = refusal(503, 'store_unavailable')

describe('retries', () => {
  test.each([
    [429, 'rate_limited'],
    [502, 'upstream_error'],
    [503, 'store_unavailable'],
    [504, 'store_timeout'],
  ])('a GET that met %i is sent again', async (status, code) => {
    const { baseUrl, seen } = await startAnswering(refusal(status, code), refusal(status, code), found)
    const client = clientWithTiming({ baseUrl, apiKey }, fakeTiming())
    expect(await client.listProducts({})).toEqual({ products: [] })
    expect(seen).toHaveLength(3)
  })

  test.each([
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [404, 'endpoint_not_found'],
    [500, 'internal_error'],
  ])('a GET that met %i is not', async (status, code) => {
    const { baseUrl, seen } = await startAnswering(refusal(status, code), found)
    await expect(clientWithTiming({ baseUrl, apiKey }, fakeTiming()).listProducts({})).rejects.toMatchObject({ code })
    expect(seen).toHaveLength(1)
  })

  test.each([429, 502, 503, 504])('a POST that met %i is never sent again, key or no key', async (status) => {
    const { baseUrl, seen } = await startAnswering(refusal(status, 'rate_limited'), success())
    const client = clientWithTiming({ baseUrl, apiKey, retries: 10 }, fakeTiming())
    const call = client.sendNow(inputs.sendNow, { idempotencyKey: 'click-1' })
    await expect(call).rejects.toMatchObject({ code: 'rate_limited' })
    expect(seen).toHaveLength(1)
  })

  test('a lost connection is a network failure: a GET is sent again, a POST is not', async () => {
    let drops = 0
    const { baseUrl, seen } = await startServer((request, response) => {
      if (drops === 0 || request.method === 'POST') request.socket.destroy()
      else response.end(found.body)
      drops += 1
    })
    const client = clientWithTiming({ baseUrl, apiKey }, fakeTiming())
    expect(await client.listProducts({})).toEqual({ products: [] })
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST'])
  })

  test('so is an answer that breaks off', async () => {
    const { baseUrl, seen } = await startServer((_request, response) => {
      response.writeHead(200, { 'Content-Length': '1000' })
      response.write('{"success"', () => response.destroy())
    })
    const client = clientWithTiming({ baseUrl, apiKey, retries: 1 }, fakeTiming())
    await expect(client.listProducts({})).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringMatching(/^The connection to the shop failed before its answer was complete/),
    })
    expect(seen).toHaveLength(2)
  })

  test('a redirect and an answer that is too long are not: they would come back alike', async () => {
    const { baseUrl, seen } = await startAnswering({ status: 302, headers: { Location: '/' } }, found)
    const client = clientWithTiming({ baseUrl, apiKey, maxAnswerBytes: 5 }, fakeTiming())
    await expect(client.listProducts({})).rejects.toMatchObject({ code: 'upstream_error' })
    await expect(client.listProducts({})).rejects.toMatchObject({ code: 'upstream_error' })
    expect(seen).toHaveLength(2)
  })

  test('when no attempt is left, the last answer counts', async () => {
    const { baseUrl, seen } = await startAnswering(busy, refusal(429, 'rate_limited', 'Wait.', { 'Retry-After': '1' }))
    const call = clientWithTiming({ baseUrl, apiKey, retries: 1 }, fakeTiming()).listProducts({})
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', message: 'Wait.', retryAfter: 1 })
    expect(seen).toHaveLength(2)
  })

  test.each([
    [undefined, 3],
    [0, 1],
    [10, 11],
  ])('with the option %o a shop that stays busy is asked %i times', async (retries, times) => {
    const { baseUrl, seen } = await startAnswering(busy)
    const client = clientWithTiming({ baseUrl, apiKey, retries }, fakeTiming({ dice: 0.1 }))
    await expect(client.listProducts({})).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(seen).toHaveLength(times)
  })

  test('waits double up to 2 s, with full jitter', async () => {
    const { baseUrl } = await startAnswering(busy)
    const wait = async (dice: number) => {
      const timing = fakeTiming({ dice })
      await clientWithTiming({ baseUrl, apiKey, retries: 7, timeoutMs: 60_000 }, timing)
        .listProducts({})
        .catch(() => {})
      return timing.waits
    }
    expect(await wait(0)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(await wait(0.5)).toEqual([50, 100, 200, 400, 800, 1000, 1000])
  })

  test('Retry-After is waited for, in seconds and as a date', async () => {
    const start = Date.parse('2030-01-15T12:00:00Z')
    const { baseUrl } = await startAnswering(
      refusal(429, 'rate_limited', 'Wait.', { 'Retry-After': '2' }),
      refusal(503, 'store_unavailable', 'Wait.', { 'Retry-After': 'Tue, 15 Jan 2030 12:00:06 GMT' }),
      found,
    )
    const timing = fakeTiming({ start })
    await clientWithTiming({ baseUrl, apiKey }, timing).listProducts({})
    expect(timing.waits).toEqual([2000, 4000])
  })

  test('a Retry-After beyond the time-out ends the call at once', async () => {
    const { baseUrl, seen } = await startAnswering(
      refusal(429, 'rate_limited', 'Wait.', { 'Retry-After': '10' }),
      found,
    )
    const timing = fakeTiming()
    const call = clientWithTiming({ baseUrl, apiKey, timeoutMs: 10_000 }, timing).listProducts({})
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 10 })
    expect(timing.waits).toEqual([])
    expect(seen).toHaveLength(1)
  })

  test('waits add up: no retry starts later than the time-out after the start', async () => {
    const { baseUrl, seen } = await startAnswering(refusal(429, 'rate_limited', 'Wait.', { 'Retry-After': '3' }))
    const timing = fakeTiming()
    const call = clientWithTiming({ baseUrl, apiKey, retries: 10, timeoutMs: 10_000 }, timing).listProducts({})
    await expect(call).rejects.toMatchObject({ code: 'rate_limited' })
    expect(timing.waits).toEqual([3000, 3000, 3000])
    expect(seen).toHaveLength(4)
  })

  test('an abort ends a wait with the reason of the signal', async () => {
    const { baseUrl, seen } = await startAnswering(busy)
    const leaving = new AbortController()
    const reason = new Error('The customer closed the page.')
    const client = clientWithTiming(
      { baseUrl, apiKey },
      {
        ...systemTiming,
        sleep: (_ms, signal) => {
          const sleeping = systemTiming.sleep(60_000, signal)
          leaving.abort(reason)
          return sleeping
        },
      },
    )
    await expect(client.listProducts({}, { signal: leaving.signal })).rejects.toBe(reason)
    expect(seen).toHaveLength(1)
  })
})
