import { createIntegration, storesClicks, memoryLedger, StoreError, type StorePort } from '@storeport/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { shield, type ShieldEvent, type ShieldOptions } from '../src/index.ts'
import { createLocalGenerations } from '../src/response-cache.ts'
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

/** Advances the fake clock by `ms` milliseconds. Returns the result or the error of a promise. */
async function outcomeOf<Value>(promise: Promise<Value> | undefined, ms = 10_000): Promise<Value | Error | undefined> {
  const outcome = Promise.resolve(promise).catch((error: unknown) => (error instanceof Error ? error : new Error('?')))
  await vi.advanceTimersByTimeAsync(ms)
  return outcome
}

/** Advances the fake clock by ten seconds. Returns the result of a promise. */
async function passTime<Value>(promise: Promise<Value>): Promise<Value> {
  await vi.advanceTimersByTimeAsync(10_000)
  return promise
}

describe('a cached read', () => {
  it('sends one request for concurrent reads', async () => {
    const { store, read } = open()
    const all = await outcomeOf(
      Promise.all(Array.from({ length: 50 }, (_, index) => read(index % 2 ? ann : 'Ann@Shop.example'))),
    )
    expect(all).toHaveLength(50)
    expect(platform.calls).toEqual([`getSubscription ${ann}`])
    expect(store.counts()).toMatchObject({ sent: 1, joined: 49, fresh: 0 })
  })

  it('returns the cached response for freshMs, and then sends one request for concurrent reads', async () => {
    const { store, read } = open({ freshMs: 60_000 })
    await outcomeOf(read())
    await vi.advanceTimersByTimeAsync(49_000)
    await read()
    expect(platform.calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1000)
    await outcomeOf(Promise.all([read(), read()]))
    expect(platform.calls).toHaveLength(2)
    expect(store.counts()).toMatchObject({ sent: 2, joined: 1, fresh: 1, stale: 0 })
  })

  it("returns a stale response until staleMs if the platform fails, and the platform's error after staleMs", async () => {
    const { store, read } = open({ freshMs: 1000, staleMs: 3_600_000 })
    const known = await outcomeOf(read())
    platform.failure = new Error('invalid response of the platform')
    expect(await outcomeOf(read())).toEqual(known)
    expect(await outcomeOf(read(), 3_000_000)).toEqual(known)
    expect(store.counts()).toMatchObject({ failed: 2 })
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(await outcomeOf(read())).toBe(platform.failure)
  })

  it('caches a not-found error, but no other failure', async () => {
    const { read } = open()
    for (let time = 0; time < 3; time++)
      expect(await outcomeOf(read('nobody@shop.example'))).toMatchObject({ code: 'customer_not_found' })
    expect(platform.calls).toHaveLength(1)
    platform.failure = new StoreError('upstream_error')
    expect(await outcomeOf(read())).toBe(platform.failure)
    platform.failure = undefined
    expect(delaysOf(await outcomeOf(read()))).toBe(0)
  })

  it('has separate cache entries for test mode, each customer, each discount code and the general list', async () => {
    const { store, read } = open()
    await outcomeOf(Promise.all([read(), read(ann, true), read('bob@shop.example')]))
    await outcomeOf(store.listProducts?.({}, contextOf()))
    await outcomeOf(store.listProducts?.({ email: ann }, contextOf()))
    await outcomeOf(store.getDiscount?.({ discount_code: 'TEN' }, contextOf()))
    expect(new Set(platform.calls).size).toBe(5)
    expect(platform.calls).toHaveLength(6)
  })

  it('fails for all waiting callers after timeoutMs, so that the next read sends a new request', async () => {
    const { read } = open({ timeoutMs: 5000 })
    platform.tookMs = 1_000_000
    const both = Promise.allSettled([read(), read()])
    const outcomes = await outcomeOf(both, 5000)
    expect(outcomes).toMatchObject([{ reason: { code: 'store_timeout' } }, { reason: { code: 'store_timeout' } }])
    platform.tookMs = 10
    expect(delaysOf(await outcomeOf(read()))).toBe(0)
  })

  it('evicts the least recently used response beyond maxCached', async () => {
    const { read } = open({ maxCached: 2, calls: 1000 })
    for (const email of ['a@shop.example', 'b@shop.example', 'c@shop.example', 'a@shop.example'])
      await outcomeOf(read(email), 400)
    expect(platform.calls).toHaveLength(4)
  })
})

describe('a read after a click', () => {
  it('does not return the response to a read that started before the click', async () => {
    const { read, delay } = open()
    platform.tookMs = 5000
    const before = read()
    await vi.advanceTimersByTimeAsync(100)
    platform.tookMs = 50
    const click = delay()
    await vi.advanceTimersByTimeAsync(50)
    await click
    expect(delaysOf(await outcomeOf(read(), 50))).toBe(1)
    expect(delaysOf(await outcomeOf(before))).toBe(0)
    expect(delaysOf(await outcomeOf(read()))).toBe(1)
  })

  it('returns data from before a click in another process for at most freshMs', async () => {
    const [here, there] = [open({ freshMs: 30_000 }), open({ freshMs: 30_000 })]
    await outcomeOf(there.read(), 300)
    await outcomeOf(here.delay(), 300)
    expect(delaysOf(await there.read())).toBe(0)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(delaysOf(await outcomeOf(there.read(), 300))).toBe(1)
  })

  it('is not cached if the end of the click could not be recorded', async () => {
    let isReachable = true
    const local = createLocalGenerations(10)
    const generations = {
      ...local,
      end: (subject: string) => (isReachable ? local.end(subject) : Promise.reject(new Error('unreachable'))),
    }
    const { read, delay } = open({ generations, freshMs: 600_000 })
    isReachable = false
    const click = delay()
    // A concurrent read that ends before the click.
    platform.tookMs = 10
    await outcomeOf(read(), 10)
    await outcomeOf(click)
    isReachable = true
    const { length } = platform.calls
    for (let time = 0; time < 2; time++) expect(delaysOf(await outcomeOf(read()))).toBe(1)
    expect(platform.calls).toHaveLength(length + 2)
  })

  it('is not cached while another click of the customer runs', async () => {
    const { read, delay } = open({ freshMs: 600_000 })
    platform.tookMs = 5000
    const long = delay()
    await vi.advanceTimersByTimeAsync(1)
    platform.tookMs = 10
    await outcomeOf(delay(), 10)
    await outcomeOf(read(), 10)
    const { length } = platform.calls
    await outcomeOf(read(), 10)
    expect(platform.calls).toHaveLength(length + 1)
    await outcomeOf(long)
    expect(delaysOf(await outcomeOf(read()))).toBe(2)
  })

  it('is sent again after changed(email) in any letter case, and after changed() if it reads products or a discount', async () => {
    const { store, read } = open({ freshMs: 600_000 })
    await outcomeOf(read())
    await store.changed('ANN@shop.example')
    await outcomeOf(read())
    expect(platform.calls).toHaveLength(2)
    await outcomeOf(store.listProducts?.({}, contextOf()))
    await store.changed()
    await outcomeOf(store.listProducts?.({}, contextOf()))
    await outcomeOf(read())
    expect(platform.calls.slice(2)).toEqual(['listProducts general', 'listProducts general'])

    const readCode = () => outcomeOf(store.getDiscount?.({ discount_code: 'SAVE10' }, contextOf()))
    await readCode()
    await readCode()
    await store.changed()
    await readCode()
    expect(platform.calls.slice(4)).toEqual(['getDiscount SAVE10', 'getDiscount SAVE10'])
  })

  it('never returns data older than the last click in 10,000 reads with a small cache', async () => {
    const { read, delay } = open({ calls: 100_000, maxCached: 5, maxWaiting: 100_000, freshMs: 1000 })
    const done = new Map<string, number>()
    const outdated: string[] = []
    const waiting: Promise<void>[] = []
    for (let step = 0; step < 10_000; step++) {
      const email = `c${(step * 7919) % 13}@shop.example`
      platform.tookMs = (step * 31) % 50
      const least = done.get(email) ?? 0
      const reading = Promise.resolve(read(email)).then((response) => {
        if (delaysOf(response) < least) outdated.push(`${step}: ${delaysOf(response)} after ${least}`)
      })
      waiting.push(reading)
      if (step % 17 === 0) {
        waiting.push(delay(email).then(() => void done.set(email, (done.get(email) ?? 0) + 1)))
      }
      if (step % 3 === 0) await vi.advanceTimersByTimeAsync((step * 13) % 20)
    }
    await outcomeOf(Promise.all(waiting))
    expect(outdated).toEqual([])
    expect([...done.values()].reduce((sum, clicks) => sum + clicks, 0)).toBe(589)
  })
})

describe('a shield with a rate limit', () => {
  /** Sends concurrent reads for different customers. Returns the outcomes of the reads. */
  function readMany(read: (email: string) => Promise<unknown> | undefined, count: number) {
    const reads = Array.from({ length: count }, (_, index) => read(`c${index}@shop.example`))
    return Promise.allSettled(reads)
  }

  it('limits the request rate, and immediately rejects reads that would wait longer than readWaitMs', async () => {
    const { store, read } = open({ calls: 10, readWaitMs: 1000 })
    const many = readMany(read, 60)
    let isOver = false
    void many.then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(0)
    expect(store.counts().rejected).toBeGreaterThanOrEqual(40 - 10)
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

  it('sends a click before waiting reads', async () => {
    const { read, delay } = open({ calls: 2, readWaitMs: 5000 })
    const many = readMany(read, 6)
    await vi.advanceTimersByTimeAsync(100)
    const click = delay('late@shop.example')
    await passTime(Promise.all([many, click]))
    expect(platform.calls.indexOf('delaySubscription late@shop.example')).toBe(2)
  })

  it('completes or rejects every click within two seconds at a rate of two requests per second', async () => {
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

  it('applies the cost of a method to the rate limit', async () => {
    const { delay } = open({ calls: 10, costs: { delaySubscription: 5 }, clickWaitMs: 1000 })
    await passTime(Promise.allSettled(Array.from({ length: 9 }, (_, index) => delay(`c${index}@shop.example`))))
    // Two clicks run immediately. After that, one click runs every half second.
    expect(platform.calls).toHaveLength(4)
  })

  it('returns cached responses and rejects clicks immediately during a pause after rate_limited', async () => {
    const { store, read, delay } = open({ freshMs: 1000 })
    const known = await outcomeOf(read())
    platform.failure = new StoreError('rate_limited', undefined, { retryAfter: 60 })
    expect(await outcomeOf(read('bob@shop.example'), 300)).toBe(platform.failure)
    const { length } = platform.calls
    expect(await outcomeOf(read(), 0)).toEqual(known)
    const rejected = await outcomeOf(read('eve@shop.example'), 0)
    expect(rejected).toMatchObject({ code: 'store_unavailable', retryAfter: 60 })
    expect(await outcomeOf(delay('eve@shop.example'), 0)).toMatchObject({ code: 'store_unavailable' })
    expect(platform.calls).toHaveLength(length)
    platform.failure = undefined
    await vi.advanceTimersByTimeAsync(60_000)
    expect(delaysOf(await outcomeOf(read('bob@shop.example')))).toBe(0)
    expect(store.counts()).toMatchObject({ failed: 1 })
  })

  it('limits the number of waiting calls to maxWaiting', async () => {
    const { store, read } = open({ calls: 1, readWaitMs: 1_000_000, maxWaiting: 10 })
    const many = readMany(read, 30)
    await vi.advanceTimersByTimeAsync(0)
    expect(store.counts().rejected).toBe(30 - 10)
    await vi.advanceTimersByTimeAsync(60_000)
    await many
    expect(platform.calls).toHaveLength(10)
  })

  it('fails with store_unavailable if a shared bucket is unreachable', async () => {
    const bucket = { perSecond: 10, take: () => Promise.reject(new Error('server unreachable')) }
    const { read } = open({ calls: bucket })
    expect(await outcomeOf(read())).toMatchObject({ code: 'store_unavailable', retryAfter: 1 })
    expect(platform.calls).toEqual([])
  })

  it('runs a rejected click when the caller repeats the request', async () => {
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

  it('counts the requests of a month by their costs, and reports once when they exceed the budget', async () => {
    let date = new Date('2026-03-31T23:00:00Z')
    const costs = { getSubscription: 4 }
    const { store, events, read } = open({ costs, monthlyCalls: 10, date: () => date })
    for (const name of ['a', 'b', 'c', 'd']) await outcomeOf(read(`${name}@shop.example`))
    expect(store.counts()).toMatchObject({ monthlyCalls: 16, over_budget: 1 })
    expect(events.filter(({ kind }) => kind === 'over_budget')).toEqual([
      { kind: 'over_budget', endpoint: 'getSubscription' },
    ])
    date = new Date('2026-04-01T00:00:00Z')
    await outcomeOf(read('e@shop.example'))
    expect(store.counts()).toMatchObject({ monthlyCalls: 4, over_budget: 1 })
  })

  it('reports events without customer data', async () => {
    const { events, read, delay } = open()
    await outcomeOf(read())
    await read()
    await outcomeOf(delay())
    expect(events).toEqual([
      { kind: 'sent', endpoint: 'getSubscription', waitedMs: 0 },
      { kind: 'fresh', endpoint: 'getSubscription' },
      { kind: 'sent', endpoint: 'delaySubscription', waitedMs: 0 },
    ])
  })
})

describe('shield', () => {
  it.each([
    [{ calls: 0 }, 'calls: must be a number greater than 0'],
    [{ calls: Number.NaN }, 'calls: must be a number greater than 0'],
    [{ calls: 1, freshMs: -1 }, 'freshMs: must be a number greater than 0'],
    [{ calls: 1, maxWaiting: Number.POSITIVE_INFINITY }, 'maxWaiting: must be a number greater than 0'],
    [{ calls: 1, costs: { sendNow: 0 } }, 'costs.sendNow: must be a number greater than 0'],
    [{ calls: 1, costs: Object({ send: 1 }) }, 'costs: unknown method send'],
  ])('rejects the options %j', (options, message) => {
    expect(() => shield({}, options)).toThrow(new TypeError(message))
  })

  it('rejects a store that stores its own clicks', () => {
    const store: StorePort = { sendNow: storesClicks(async () => 'ran') }
    expect(() => shield(store, { calls: 1 })).toThrow(
      new TypeError('store: sendNow stores its clicks in its own database. Pass the store without a shield.'),
    )
  })

  it("does not add missing methods, and preserves the store's properties", () => {
    const { store } = open()
    expect(store.sendNow).toBeUndefined()
    const properties = { currency: 'JPY', honoursIdempotencyKey: { forMs: 60_000 }, ledger: memoryLedger() } as const
    expect(shield(properties, { calls: 1 })).toMatchObject(properties)
    expect(shield({ honoursIdempotencyKey: true }, { calls: 1 }).honoursIdempotencyKey).toBe(true)
    expect(createIntegration({ store, apiKeys: ['a-key-of-the-tests-0001'] }).offered).toContain('getSubscription')
  })
})
