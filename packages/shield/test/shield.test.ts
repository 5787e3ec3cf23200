import { createIntegration, keepsClicks, memoryLedger, StoreError, type StorePort } from '@storeport/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { shield, type ShieldEvent, type ShieldOptions } from '../src/index.ts'
import { contextOf, delaysOf, type Platform, startPlatform } from './platform.ts'

const ann = 'ann@shop.example'

let platform: Platform
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  platform = startPlatform()
})
afterEach(() => {
  vi.useRealTimers()
})

function open(options: Partial<ShieldOptions> = {}) {
  const events: ShieldEvent[] = []
  const store = shield(platform.store, { calls: 100, observe: (event) => void events.push(event), ...options })
  const read = (email = ann, testMode = false) => store.getSubscription?.({ email }, contextOf(testMode))
  const delay = (email = ann) =>
    store.delaySubscription?.({ email, new_date: '2030-01-01' }, contextOf()) ?? Promise.resolve()
  return { store, events, read, delay }
}

/** Lets time pass until something has ended; what became of it. */
async function ended<Value>(promise: Promise<Value> | undefined, ms = 10_000): Promise<Value | Error | undefined> {
  const outcome = Promise.resolve(promise).catch((error: unknown) => (error instanceof Error ? error : new Error('?')))
  await vi.advanceTimersByTimeAsync(ms)
  return outcome
}

/** Lets ten seconds pass; what a promise is by then. */
async function passTime<Value>(promise: Promise<Value>): Promise<Value> {
  await vi.advanceTimersByTimeAsync(10_000)
  return promise
}

describe('reads', () => {
  it('of one customer at once are one call', async () => {
    const { store, read } = open()
    const all = await ended(
      Promise.all(Array.from({ length: 50 }, (_, index) => read(index % 2 ? ann : 'Ann@Shop.example'))),
    )
    expect(all).toHaveLength(50)
    expect(platform.calls).toEqual([`getSubscription ${ann}`])
    expect(store.counts()).toMatchObject({ asked: 1, joined: 49, fresh: 0 })
  })

  it('are fresh for a while, then stale while the platform is asked again', async () => {
    const { store, read } = open({ freshMs: 60_000 })
    await ended(read())
    await vi.advanceTimersByTimeAsync(49_000)
    await read()
    expect(platform.calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1000)
    // At once, and one call for both.
    await Promise.all([read(), read()])
    expect(platform.calls).toHaveLength(2)
    expect(store.counts()).toMatchObject({ asked: 2, fresh: 1, stale: 2 })
    await vi.advanceTimersByTimeAsync(300)
    await read()
    expect(store.counts()).toMatchObject({ asked: 2, fresh: 2 })
  })

  it('are stale while the platform fails, as long as they may be, and its failure then', async () => {
    const { store, read } = open({ freshMs: 1000, staleMs: 3_600_000 })
    const known = await ended(read())
    platform.failure = new Error('the platform answered with a web page')
    expect(await ended(read())).toEqual(known)
    expect(await ended(read(), 3_000_000)).toEqual(known)
    expect(store.counts()).toMatchObject({ failed: 2 })
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(await ended(read())).toBe(platform.failure)
  })

  it('that the platform answers with 404 are asked once, too; a failure is not kept', async () => {
    const { read } = open()
    for (let time = 0; time < 3; time++)
      expect(await ended(read('nobody@shop.example'))).toMatchObject({ code: 'customer_not_found' })
    expect(platform.calls).toHaveLength(1)
    platform.failure = new StoreError('upstream_error')
    expect(await ended(read())).toBe(platform.failure)
    platform.failure = undefined
    expect(delaysOf(await ended(read()))).toBe(0)
  })

  it('of the test store are apart, and so are customers, codes and the general list', async () => {
    const { store, read } = open()
    await ended(Promise.all([read(), read(ann, true), read('bob@shop.example')]))
    await ended(store.listProducts?.({}, contextOf()))
    await ended(store.listProducts?.({ email: ann }, contextOf()))
    await ended(store.getDiscount?.({ discount_code: 'TEN' }, contextOf()))
    expect(new Set(platform.calls).size).toBe(5)
    expect(platform.calls).toHaveLength(6)
  })

  it('that the platform never answers end after their time, for everybody who waits; the next one asks again', async () => {
    const { read } = open({ timeoutMs: 5000 })
    platform.tookMs = 1_000_000
    const both = Promise.allSettled([read(), read()])
    const outcomes = await ended(both, 5000)
    expect(outcomes).toMatchObject([{ reason: { code: 'store_timeout' } }, { reason: { code: 'store_timeout' } }])
    platform.tookMs = 10
    expect(delaysOf(await ended(read()))).toBe(0)
  })

  it('are bounded: the answer that was not given for longest goes', async () => {
    const { read } = open({ maxAnswers: 2, calls: 1000 })
    for (const email of ['a@shop.example', 'b@shop.example', 'c@shop.example', 'a@shop.example'])
      await ended(read(email), 400)
    expect(platform.calls).toHaveLength(4)
  })
})

describe('a read after a click', () => {
  it('is never older than the click', async () => {
    const { read, delay } = open()
    expect(delaysOf(await ended(read()))).toBe(0)
    await ended(delay())
    expect(delaysOf(await ended(read()))).toBe(1)
  })

  it('does not get the answer of a read that was under way, and neither does any later one', async () => {
    const { read, delay } = open()
    platform.tookMs = 5000
    const before = read()
    await vi.advanceTimersByTimeAsync(100)
    platform.tookMs = 50
    const click = delay()
    await vi.advanceTimersByTimeAsync(50)
    await click
    expect(delaysOf(await ended(read(), 50))).toBe(1)
    expect(delaysOf(await ended(before))).toBe(0)
    expect(delaysOf(await ended(read()))).toBe(1)
  })

  it('that the platform told of by a webhook asks again, whatever the spelling; without an email it is the products', async () => {
    const { store, read } = open({ freshMs: 600_000 })
    await ended(read())
    await store.changed('ANN@shop.example')
    await ended(read())
    expect(platform.calls).toHaveLength(2)
    await ended(store.listProducts?.({}, contextOf()))
    await store.changed()
    await ended(store.listProducts?.({}, contextOf()))
    await ended(read())
    expect(platform.calls.slice(2)).toEqual(['listProducts general', 'listProducts general'])
  })

  it('holds for 10,000 reads among clicks in any order, with few generations and answers to remember', async () => {
    const { read, delay } = open({ calls: 100_000, maxAnswers: 5, maxWaiting: 100_000, freshMs: 1000 })
    const done = new Map<string, number>()
    const wrong: string[] = []
    const waiting: Promise<void>[] = []
    for (let step = 0; step < 10_000; step++) {
      const email = `c${(step * 7919) % 13}@shop.example`
      platform.tookMs = (step * 31) % 50
      const least = done.get(email) ?? 0
      const reading = Promise.resolve(read(email)).then((answer) => {
        if (delaysOf(answer) < least) wrong.push(`${step}: ${delaysOf(answer)} after ${least}`)
      })
      waiting.push(reading)
      if (step % 17 === 0) {
        waiting.push(delay(email).then(() => void done.set(email, (done.get(email) ?? 0) + 1)))
      }
      if (step % 3 === 0) await vi.advanceTimersByTimeAsync((step * 13) % 20)
    }
    await ended(Promise.all(waiting))
    expect(wrong).toEqual([])
    expect([...done.values()].reduce((sum, clicks) => sum + clicks, 0)).toBe(589)
  })
})

describe('the rate of the platform', () => {
  /** Reads of different customers, all at once; how each ended. */
  function readMany(read: (email: string) => Promise<unknown> | undefined, count: number) {
    const reads = Array.from({ length: count }, (_, index) => read(`c${index}@shop.example`))
    return Promise.allSettled(reads)
  }

  it('is kept, and who cannot be served in time is told at once when to come again', async () => {
    const { store, read } = open({ calls: 10, readWaitMs: 1000 })
    const many = readMany(read, 60)
    let isOver = false
    void many.then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(0)
    expect(store.counts().refused).toBeGreaterThanOrEqual(40 - 10)
    expect(isOver).toBe(false)
    const outcomes = await passTime(many)
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(20)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'store_unavailable', retryAfter: expect.any(Number) })
    }
    for (const from of platform.at) {
      expect(platform.at.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(10 + 10)
    }
    expect(store.counts().waited).toBeGreaterThan(0)
  })

  it('lets a click go before the reads that wait', async () => {
    const { read, delay } = open({ calls: 2, readWaitMs: 5000 })
    const many = readMany(read, 6)
    await vi.advanceTimersByTimeAsync(100)
    const click = delay('late@shop.example')
    await passTime(Promise.all([many, click]))
    expect(platform.calls.indexOf('delaySubscription late@shop.example')).toBe(2)
  })

  it('answers every click within two seconds at two calls a second: done, or 503 with nothing changed', async () => {
    const { delay } = open({ calls: 2 })
    const took: number[] = []
    const outcomes = Promise.allSettled(
      Array.from({ length: 20 }, async (_, index) => {
        const from = performance.now()
        await delay(`c${index}@shop.example`).finally(() => took.push(performance.now() - from))
      }),
    )
    const settled = await passTime(outcomes)
    expect(settled.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(4)
    for (const each of settled)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'store_unavailable' })
    expect(Math.max(...took)).toBeLessThan(2000)
    expect(platform.calls).toHaveLength(settled.filter(({ status }) => status === 'fulfilled').length)
  })

  it('counts the calls that a method makes', async () => {
    const { delay } = open({ calls: 10, costs: { delaySubscription: 5 }, clickWaitMs: 1000 })
    await passTime(Promise.allSettled(Array.from({ length: 9 }, (_, index) => delay(`c${index}@shop.example`))))
    // Two at once, and one each half a second.
    expect(platform.calls).toHaveLength(4)
  })

  it('is left alone for as long as it asks for; known answers are given meanwhile, and a click is 503 at once', async () => {
    const { store, read, delay } = open({ freshMs: 1000 })
    const known = await ended(read())
    platform.failure = new StoreError('rate_limited', undefined, { retryAfter: 60 })
    expect(await ended(read('bob@shop.example'), 300)).toBe(platform.failure)
    const { length } = platform.calls
    expect(await ended(read(), 0)).toEqual(known)
    const refused = await ended(read('eve@shop.example'), 0)
    expect(refused).toMatchObject({ code: 'store_unavailable', retryAfter: 60 })
    expect(await ended(delay('eve@shop.example'), 0)).toMatchObject({ code: 'store_unavailable' })
    expect(platform.calls).toHaveLength(length)
    platform.failure = undefined
    await vi.advanceTimersByTimeAsync(60_000)
    expect(delaysOf(await ended(read('bob@shop.example')))).toBe(0)
    expect(store.counts()).toMatchObject({ failed: 1 })
  })

  it('lets no more wait than told', async () => {
    const { store, read } = open({ calls: 1, readWaitMs: 1_000_000, maxWaiting: 10 })
    const many = readMany(read, 30)
    await vi.advanceTimersByTimeAsync(0)
    expect(store.counts().refused).toBe(30 - 10)
    await vi.advanceTimersByTimeAsync(60_000)
    await many
    expect(platform.calls).toHaveLength(10)
  })

  it('is 503 where a bucket that is shared cannot be asked', async () => {
    const bucket = { perSecond: 10, take: () => Promise.reject(new Error('the server is away')) }
    const { read } = open({ calls: bucket })
    expect(await ended(read())).toMatchObject({ code: 'store_unavailable', retryAfter: 1 })
    expect(platform.calls).toEqual([])
  })

  it('is what a click that was refused comes back to: it runs then', async () => {
    const { store } = open({ calls: 1, clickWaitMs: 100 })
    const key = 'a-key-of-the-tests-0001'
    const integration = createIntegration({ store, apiKeys: [key] })
    const send = (email: string) =>
      integration.fetch(
        new Request('http://shop.example/integration/customer-portal/delay', {
          method: 'POST',
          headers: { 'X-Integration-API-Key': key, 'Content-Type': 'application/json' },
          body: JSON.stringify({ email, new_date: '2030-01-01' }),
        }),
      )
    const both = await passTime(Promise.all([send(ann), send('bob@shop.example')]))
    expect(both.map(({ status }) => status)).toEqual([200, 503])
    expect(both[1]?.headers.get('retry-after')).toBe('1')
    expect(await passTime(send('bob@shop.example'))).toMatchObject({ status: 200 })
    expect(platform.calls).toEqual([`delaySubscription ${ann}`, 'delaySubscription bob@shop.example'])
  })

  it('tells what it did, without customer data', async () => {
    const { events, read, delay } = open()
    await ended(read())
    await read()
    await ended(delay())
    expect(events).toEqual([
      { what: 'asked', endpoint: 'getSubscription', waitedMs: 0 },
      { what: 'fresh', endpoint: 'getSubscription' },
      { what: 'asked', endpoint: 'delaySubscription', waitedMs: 0 },
    ])
  })
})

describe('options', () => {
  it.each([
    [{ calls: 0 }, 'calls: must be a number greater than 0'],
    [{ calls: Number.NaN }, 'calls: must be a number greater than 0'],
    [{ calls: 1, freshMs: -1 }, 'freshMs: must be a number greater than 0'],
    [{ calls: 1, maxWaiting: Number.POSITIVE_INFINITY }, 'maxWaiting: must be a number greater than 0'],
    [{ calls: 1, costs: { sendNow: 0 } }, 'costs.sendNow: must be a number greater than 0'],
    [{ calls: 1, costs: Object({ send: 1 }) }, 'costs: unknown method send'],
  ])('%j are refused', (options, message) => {
    expect(() => shield({}, options)).toThrow(new TypeError(message))
  })

  it('a store that keeps its clicks itself is refused', () => {
    const store: StorePort = { sendNow: keepsClicks(async () => 'ran') }
    expect(() => shield(store, { calls: 1 })).toThrow(
      new TypeError('store: sendNow stores its clicks in its own database. Pass the store without a shield.'),
    )
  })

  it('what the store lacks and promises is as it was', () => {
    const { store } = open()
    expect(store.sendNow).toBeUndefined()
    const promises = { currency: 'JPY', honoursIdempotencyKey: { forMs: 60_000 }, ledger: memoryLedger() } as const
    expect(shield(promises, { calls: 1 })).toMatchObject(promises)
    expect(shield({ honoursIdempotencyKey: true }, { calls: 1 }).honoursIdempotencyKey).toBe(true)
    expect(createIntegration({ store, apiKeys: ['a-key-of-the-tests-0001'] }).offered).toContain('getSubscription')
  })
})
