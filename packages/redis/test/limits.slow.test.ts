import { noRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { redisBucket, redisCounter, redisGenerations } from '../src/index.ts'
import { openRedis } from './open-redis.ts'

describe.skipIf(noRedis)('redisCounter', () => {
  const redis = openRedis()

  /** Opens a second connection, which acts as another process. */
  function connectAgain(): Redis {
    const client = new Redis({ path: redis().server.path })
    onTestFinished(() => client.disconnect())
    return client
  }

  it('counts each subject across processes without the loss of concurrent increments', async () => {
    const [one, two] = [redis().client, connectAgain()].map((client) => redisCounter(client, { seconds: 60 }))
    const counts = await Promise.all(Array.from({ length: 100 }, (_, index) => (index % 2 ? one : two)?.('192.0.2.1')))
    expect(counts.toSorted((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(await one?.('192.0.2.2')).toBe(1)
  })

  it('restarts the count after its period, and stores only digests', async () => {
    const { client } = redis()
    await client.flushall()
    const count = redisCounter(client, { seconds: 60 })
    expect(await count('192.0.2.1')).toBe(1)
    const [key = ''] = await client.keys('*')
    expect(key).toMatch(/^storeport:count:\{[\w-]{43}\}$/)
    expect(await client.pttl(key)).toBeGreaterThan(0)
    expect(await client.pttl(key)).toBeLessThanOrEqual(60_000)
    // Expires the key immediately.
    await client.pexpire(key, 1)
    await vi.waitUntil(async () => (await client.exists(key)) === 0, 30_000)
    expect(await count('192.0.2.1')).toBe(1)
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('rejects a period of %d seconds', (seconds) => {
    expect(() => redisCounter(redis().client, { seconds })).toThrow(
      new TypeError('seconds: must be a number greater than 0'),
    )
  })
})

describe.skipIf(noRedis)('redisBucket', () => {
  const redis = openRedis()

  async function opened(options: { readonly perSecond: number; readonly burst?: number }) {
    const { client } = redis()
    await client.flushall()
    const clock = { now: 1_000_000 }
    const now = () => clock.now
    return { clock, buckets: [0, 1].map(() => redisBucket(client, { ...options, now })) }
  }

  it('grants the requests of one second immediately, and then one request per interval, to all processes together', async () => {
    const { clock, buckets } = await opened({ perSecond: 10 })
    const results = await Promise.all(Array.from({ length: 30 }, (_, index) => buckets[index % 2]?.take()))
    expect(results.filter((each) => each?.taken)).toHaveLength(10)
    expect(await buckets[0]?.take()).toEqual({ taken: false, retryAfterMs: 100 })
    clock.now += 99
    expect(await buckets[1]?.take()).toEqual({ taken: false, retryAfterMs: 1 })
    clock.now += 1
    expect(await buckets[1]?.take()).toEqual({ taken: true })
    expect(await buckets[0]?.take()).toEqual({ taken: false, retryAfterMs: 100 })
  })

  it('never grants more requests in one second than its rate plus its burst', async () => {
    const { clock, buckets } = await opened({ perSecond: 7, burst: 3 })
    const granted: number[] = []
    for (let step = 0; step < 300; step++) {
      clock.now += (step * 37) % 101
      if ((await buckets[step % 2]?.take())?.taken) granted.push(clock.now)
    }
    for (const from of granted) {
      const within = granted.filter((at) => at >= from && at < from + 1000)
      expect(within.length).toBeLessThanOrEqual(7 + 3)
    }
    expect(granted.length).toBeGreaterThan(50)
  })

  it('grants no other requests in any process while an urgent request is waiting', async () => {
    const { clock, buckets } = await opened({ perSecond: 10, burst: 1 })
    expect(await buckets[0]?.take()).toEqual({ taken: true })
    expect(await buckets[0]?.take({ urgent: true })).toEqual({ taken: false, retryAfterMs: 100 })
    clock.now += 100
    expect(await buckets[1]?.take()).toEqual({ taken: false, retryAfterMs: 100 })
    expect(await buckets[0]?.take({ urgent: true })).toEqual({ taken: true })
    clock.now += 100
    expect(await buckets[1]?.take()).toEqual({ taken: true })
  })

  it('grants other requests again if an urgent request is not retried', async () => {
    const { clock, buckets } = await opened({ perSecond: 10, burst: 1 })
    await buckets[0]?.take()
    await buckets[0]?.take({ urgent: true })
    clock.now += 200
    expect(await buckets[1]?.take()).toEqual({ taken: true })
  })

  it.each([
    [{ perSecond: 0 }, 'perSecond'],
    [{ perSecond: 5, burst: 0 }, 'burst'],
  ])('rejects the options %j', (options, name) => {
    expect(() => redisBucket(redis().client, options)).toThrow(
      new TypeError(`${name}: must be a number greater than 0`),
    )
  })
})

describe.skipIf(noRedis)('redisGenerations', () => {
  const redis = openRedis()

  const ann = 'customer ann@shop.example'

  it('shares generations and their changes between processes, and sets their expiry time', async () => {
    const { client } = redis()
    const [one, two] = [redisGenerations(client), redisGenerations(client)]
    await one.ready()
    const seen = [await one.current(ann)]
    expect(await two.current(ann)).toBe(seen[0])
    for (const who of [one, two, one]) {
      await who.begin(ann)
      expect(await two.current(ann)).toBeUndefined()
      await who.end(ann)
      seen.push(await two.current(ann))
    }
    expect(new Set(seen).size).toBe(4)
    expect(await one.current(ann)).toBe(seen.at(-1))
    expect(await one.current('customer bob@shop.example')).not.toBe(seen.at(-1))
    const keys = await client.keys('storeport:generation:*')
    expect(keys.join()).not.toContain('ann')
    for (const key of keys) expect(await client.pttl(key)).toBeGreaterThan(86_400_000)
  })

  it('has no generation while one of two changes runs', async () => {
    const generations = redisGenerations(redis().client)
    await generations.begin(ann)
    await generations.begin(ann)
    await generations.end(ann)
    expect(await generations.current(ann)).toBeUndefined()
    await generations.end(ann)
    expect(await generations.current(ann)).toBeTypeOf('string')
  })

  it('never returns an earlier generation after the server has lost its data', async () => {
    const { client } = redis()
    const generations = redisGenerations(client)
    const before = await generations.current(ann)
    await client.flushall()
    expect(await generations.current(ann)).not.toBe(before)
  })

  it('rejects a retention of 0 seconds', () => {
    expect(() => redisGenerations(redis().client, { seconds: 0 })).toThrow(
      new TypeError('seconds: must be a number greater than 0'),
    )
  })
})
