import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { type Runtime, send } from '../src/send.ts'
import { type Canned, failure, startResponding, startServer, success } from './start-server.ts'

const found = success({ products: [] })
const busy = failure(503, 'store_unavailable')
const wait = (seconds: string): Canned => ({ ...busy, headers: { 'Retry-After': seconds } })
const timeoutMs = 10_000

/** Creates a clock. A wait between attempts ends immediately. An attempt times out when the test calls `expire`. */
function createClock({ random = 0, onWait = (end: () => void) => end() } = {}) {
  const waits: number[] = []
  const timers = new Set<() => void>()
  let now = 0
  const runtime: Runtime = {
    now: () => now,
    random: () => random,
    schedule: (run, ms) => {
      timers.add(run)
      if (ms !== timeoutMs) {
        waits.push(ms)
        queueMicrotask(() =>
          onWait(() => {
            now += ms
            timers.delete(run)
            run()
          }),
        )
      }
      return () => void timers.delete(run)
    },
  }
  return { waits, timers, runtime, expire: () => timers.forEach((run) => run()) }
}

/** Sends a GET request whose waits and timeouts use the given clock. */
function sendGet(url: string, { runtime }: { runtime: Runtime }, options: object = {}, signal?: AbortSignal) {
  const limits = { fetch, timeoutMs, retries: 2, maxResponseBytes: 5000, ...options }
  return send({ url, method: 'GET', headers: {}, body: null }, limits, signal, runtime)
}

describe('waits between attempts', () => {
  test.each([
    [0, [0, 0, 0, 0, 0, 0, 0]],
    [0.5, [50, 100, 200, 400, 800, 1000, 1000]],
  ])('double up to 2 s with full jitter (random value %d)', async (random, expected) => {
    const { baseUrl } = await startResponding(busy)
    const clock = createClock({ random })
    expect(await sendGet(baseUrl, clock, { retries: 7 })).toMatchObject({ status: 503 })
    expect(clock.waits).toEqual(expected)
  })

  test('include the time in Retry-After', async () => {
    const { baseUrl } = await startResponding(wait('2'), found)
    const clock = createClock({ random: 0.5 })
    expect(await sendGet(baseUrl, clock)).toMatchObject({ status: 200 })
    expect(clock.waits).toEqual([2050])
  })

  test.each([
    ['10', []],
    ['3', [3000, 3000, 3000]],
  ])('never delay a retry beyond timeoutMs after the first attempt (Retry-After: %s)', async (seconds, expected) => {
    const { baseUrl, seen } = await startResponding(wait(seconds))
    const clock = createClock()
    expect(await sendGet(baseUrl, clock, { retries: 10 })).toMatchObject({ status: 503 })
    expect([clock.waits, seen.length]).toEqual([expected, expected.length + 1])
  })

  test.each([
    ['reject with the abort reason when the signal is aborted', true, 1],
    ['remove their listener from the signal when they end', false, 2],
  ])('%s', async (_name, aborts, attempts) => {
    const { baseUrl, seen } = await startResponding(wait('9'), found)
    const controller = new AbortController()
    const reason = new Error('The customer closed the page.')
    const clock = createClock({ onWait: (end) => (aborts ? controller.abort(reason) : end()) })
    const outcome: unknown = await sendGet(baseUrl, clock, {}, controller.signal).catch((error: unknown) => error)
    expect(outcome).toEqual(aborts ? reason : expect.objectContaining({ status: 200 }))
    expect([clock.timers.size, getEventListeners(controller.signal, 'abort')]).toEqual([0, []])
    expect(seen).toHaveLength(attempts)
  })
})

describe('timeouts', () => {
  const timedOut = {
    name: 'StoreError',
    code: 'store_timeout',
    message: 'The shop did not respond within 10000 ms.',
  }

  test.each(['before the headers', 'in the middle of the body'])('end an attempt %s without a retry', async (when) => {
    const clock = createClock()
    let closed: Promise<unknown> = Promise.resolve()
    const { baseUrl, seen } = await startServer((_request, response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
      if (when === 'before the headers') clock.expire()
      else response.write('{"success"')
    })
    const fetchAndExpire = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      queueMicrotask(clock.expire)
      return response
    }
    await expect(sendGet(baseUrl, clock, { fetch: fetchAndExpire })).rejects.toMatchObject(timedOut)
    await closed
    expect([seen.length, clock.timers.size]).toEqual([1, 0])
  })

  test('end an attempt even if fetch ignores the abort signal', async () => {
    const clock = createClock()
    const ignores = () => {
      queueMicrotask(clock.expire)
      return new Promise(() => {})
    }
    await expect(sendGet('https://shop.example', clock, { fetch: ignores })).rejects.toMatchObject(timedOut)
  })
})
