import { isStoreError } from '@storeport/core'
import { redisBucket, redisGenerations } from '@storeport/redis'
import { noRedis, startRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { shield } from '../src/index.ts'
import { contextOf, delaysOf, startPlatform } from './platform.ts'

/**
 * Creates several shields in front of one platform. Each shield has its own Redis connection and acts as a separate
 * process.
 */
async function openShields(count: number, perSecond: number) {
  const server = await startRedis()
  onTestFinished(server.stop)
  const platform = startPlatform()
  platform.tookMs = 20
  const stores = Array.from({ length: count }, () => {
    const client = new Redis({ path: server.path })
    client.on('error', () => {})
    onTestFinished(() => client.disconnect())
    return shield(platform.store, {
      calls: redisBucket(client, { perSecond }),
      generations: redisGenerations(client),
      freshMs: 600_000,
    })
  })
  const read = async (at: number, email: string) => stores[at]?.getSubscription?.({ email }, contextOf())
  const delay = async (at: number, email: string) =>
    stores[at]?.delaySubscription?.({ email, new_date: '2030-01-01' }, contextOf())
  return { server, platform, read, delay }
}

/** Repeats a call that fails because Redis did not respond in time. Such a call has not reached the platform. */
async function repeat<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'store_unavailable') throw error
    return repeat(call)
  }
}

describe.skipIf(noRedis)('a shield with shared state in Redis', () => {
  it('never returns data from before a click that another shield handled', async () => {
    const { platform, ...direct } = await openShields(2, 100_000)
    const read = (at: number, email: string) => repeat(() => direct.read(at, email))
    const delay = (at: number, email: string) => repeat(() => direct.delay(at, email))
    for (let round = 0; round < 200; round++) {
      const email = `c${round % 7}@shop.example`
      await Promise.all([read(0, email), read(1, email)])
      const before = delaysOf(await read(1, email))
      await delay(round % 2, email)
      expect(delaysOf(await read(0, email))).toBe(before + 1)
      expect(delaysOf(await read(1, email))).toBe(before + 1)
    }
    // Unchanged data is returned from the cache.
    const { length } = platform.calls
    for (let round = 0; round < 100; round++) await read(round % 2, 'c1@shop.example')
    expect(platform.calls).toHaveLength(length)
  })

  it('enforces one rate limit across shields', async () => {
    const { platform, read } = await openShields(3, 20)
    const reads = Array.from({ length: 200 }, (_, index) => read(index % 3, `c${index}@shop.example`))
    const outcomes = await Promise.allSettled(reads)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(platform.calls.length)
    expect(platform.calls.length).toBeGreaterThanOrEqual(20)
    for (const from of platform.at) {
      expect(platform.at.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(20 + 20)
    }
  })

  it(
    'fails with store_unavailable while Redis is unreachable, and recovers afterward',
    { timeout: 120_000 },
    async () => {
      const { server, read, delay } = await openShields(1, 100)
      expect(delaysOf(await read(0, 'ann@shop.example'))).toBe(0)
      await server.kill()
      const rejected = await Promise.allSettled([read(0, 'bob@shop.example'), delay(0, 'bob@shop.example')])
      for (const call of rejected) expect(call).toMatchObject({ reason: { code: 'store_unavailable' } })
      await server.start()
      await vi.waitUntil(
        async () =>
          Promise.resolve(read(0, 'bob@shop.example')).then(
            () => true,
            () => false,
          ),
        {
          timeout: 60_000,
        },
      )
      server.freeze()
      await expect(delay(0, 'bob@shop.example')).rejects.toMatchObject({ code: 'store_unavailable' })
      server.resume()
    },
  )

  it('completes a click in progress if Redis crashes', { timeout: 120_000 }, async () => {
    const { server, platform, read, delay } = await openShields(1, 100)
    platform.tookMs = 1000
    const click = delay(0, 'ann@shop.example')
    await vi.waitUntil(() => platform.calls.length === 1, { timeout: 10_000 })
    await server.kill()
    await click
    expect(platform.calls).toEqual(['delaySubscription ann@shop.example'])
    await server.start()
    platform.tookMs = 20
    await vi.waitUntil(
      async () => (await Promise.allSettled([read(0, 'ann@shop.example')]))[0]?.status === 'fulfilled',
      {
        timeout: 60_000,
      },
    )
    expect(delaysOf(await read(0, 'ann@shop.example'))).toBe(1)
  })
})
