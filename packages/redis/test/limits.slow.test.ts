import { noRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { redisBucket, redisCounter, redisGenerations } from '../src/index.ts'
import { openRedis } from './open-redis.ts'

describe.skipIf(noRedis)('a counter in Redis', () => {
  const redis = openRedis()

  /** Another process's connection. */
  function connectAgain(): Redis {
    const client = new Redis({ path: redis().server.path })
    onTestFinished(() => client.disconnect())
    return client
  }

  it('counts what all processes see, each thing for itself, and loses none at once', async () => {
    const [one, two] = [redis().client, connectAgain()].map((client) => redisCounter(client, { seconds: 60 }))
    const counts = await Promise.all(Array.from({ length: 100 }, (_, index) => (index % 2 ? one : two)?.('192.0.2.1')))
    expect(counts.toSorted((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(await one?.('192.0.2.2')).toBe(1)
  })

  it('begins again when its time is over, and keeps nothing readable', async () => {
    const { client } = redis()
    await client.flushall()
    const count = redisCounter(client, { seconds: 60 })
    expect(await count('192.0.2.1')).toBe(1)
    const [key = ''] = await client.keys('*')
    expect(key).toMatch(/^storeport:count:\{[\w-]{43}\}$/)
    expect(await client.pttl(key)).toBeGreaterThan(0)
    expect(await client.pttl(key)).toBeLessThanOrEqual(60_000)
    // A minute later.
    await client.pexpire(key, 1)
    await vi.waitUntil(async () => (await client.exists(key)) === 0)
    expect(await count('192.0.2.1')).toBe(1)
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d seconds', (seconds) => {
    expect(() => redisCounter(redis().client, { seconds })).toThrow(
      new TypeError('seconds: must be a number greater than 0'),
    )
  })
})

describe.skipIf(noRedis)('a bucket in Redis', () => {
  const redis = openRedis()

  async function opened(options: { readonly perSecond: number; readonly burst?: number }) {
    const { client } = redis()
    await client.flushall()
    const clock = { now: 1_000_000 }
    const now = () => clock.now
    return { clock, buckets: [0, 1].map(() => redisBucket(client, { ...options, now })) }
  }

  it('gives a second of calls at once, then one for each interval, to whichever process asks', async () => {
    const { clock, buckets } = await opened({ perSecond: 10 })
    const asked = await Promise.all(Array.from({ length: 30 }, (_, index) => buckets[index % 2]?.take()))
    expect(asked.filter((each) => each?.taken)).toHaveLength(10)
    expect(await buckets[0]?.take()).toEqual({ taken: false, retryAfterMs: 100 })
    clock.now += 99
    expect(await buckets[1]?.take()).toEqual({ taken: false, retryAfterMs: 1 })
    clock.now += 1
    expect(await buckets[1]?.take()).toEqual({ taken: true })
    expect(await buckets[0]?.take()).toEqual({ taken: false, retryAfterMs: 100 })
  })

  it('never gives more than its rate and its burst, whatever the pauses', async () => {
    const { clock, buckets } = await opened({ perSecond: 7, burst: 3 })
    const given: number[] = []
    for (let step = 0; step < 300; step++) {
      clock.now += (step * 37) % 101
      if ((await buckets[step % 2]?.take())?.taken) given.push(clock.now)
    }
    for (const from of given) {
      const within = given.filter((at) => at >= from && at < from + 1000)
      expect(within.length).toBeLessThanOrEqual(7 + 3)
    }
    expect(given.length).toBeGreaterThan(50)
  })

  it('while an urgent call waits the others get none, in any process, and it gets the next', async () => {
    const { clock, buckets } = await opened({ perSecond: 10, burst: 1 })
    expect(await buckets[0]?.take()).toEqual({ taken: true })
    expect(await buckets[0]?.take({ urgent: true })).toEqual({ taken: false, retryAfterMs: 100 })
    clock.now += 100
    expect(await buckets[1]?.take()).toEqual({ taken: false, retryAfterMs: 100 })
    expect(await buckets[0]?.take({ urgent: true })).toEqual({ taken: true })
    clock.now += 100
    expect(await buckets[1]?.take()).toEqual({ taken: true })
  })

  it('an urgent call that never comes again holds the others up for a moment only', async () => {
    const { clock, buckets } = await opened({ perSecond: 10, burst: 1 })
    await buckets[0]?.take()
    await buckets[0]?.take({ urgent: true })
    clock.now += 200
    expect(await buckets[1]?.take()).toEqual({ taken: true })
  })

  it.each([
    [{ perSecond: 0 }, 'perSecond'],
    [{ perSecond: 5, burst: 0 }, 'burst'],
  ])('refuses %j', (options, name) => {
    expect(() => redisBucket(redis().client, options)).toThrow(
      new TypeError(`${name}: must be a number greater than 0`),
    )
  })
})

describe.skipIf(noRedis)('generations in Redis', () => {
  const redis = openRedis()

  it('are the same for all processes, another one after each change, and expire', async () => {
    const { client } = redis()
    const [one, two] = [redisGenerations(client), redisGenerations(client)]
    const seen = [await one.current('customer ann@shop.example')]
    for (const who of [one, two, one]) {
      await who.next('customer ann@shop.example')
      seen.push(await two.current('customer ann@shop.example'))
    }
    expect(new Set(seen).size).toBe(4)
    expect(await one.current('customer ann@shop.example')).toBe(seen.at(-1))
    expect(await one.current('customer bob@shop.example')).toBe(seen[0])
    const [key = ''] = await client.keys('storeport:generation:*')
    expect(key).not.toContain('ann')
    expect(await client.pttl(key)).toBeGreaterThan(86_400_000)
  })

  it('are for some time', () => {
    expect(() => redisGenerations(redis().client, { seconds: 0 })).toThrow(
      new TypeError('seconds: must be a number greater than 0'),
    )
  })
})
