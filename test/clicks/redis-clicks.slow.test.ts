import { join } from 'node:path'
import { dataFolder } from '@storeport/testing/start-host-process'
import { noRedis, startRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isNightly } from '../hardening/is-nightly.ts'
import { chooseOne, createRandom } from './create-random.ts'
import { readEffects } from './outside-effects.ts'
import { makeAddsFail } from './platform-store.ts'
import { numbers, runConcurrently } from './run-concurrently.ts'
import { emailOf } from './shop.ts'
import { type ClickHost, type HostSettings, startClickHost } from './start-click-host.ts'

/*
 * Runs hosts that share a ledger in Redis. Kills the hosts, and kills, freezes or empties the Redis server. Each
 * distinct click of a customer must have exactly one effect.
 */

vi.setConfig({ testTimeout: 120_000 })

const settings: Partial<HostSettings> = { windowMs: 60_000, timeoutMs: 5000 }

/** Starts a Redis server. Returns functions that start hosts with this server and read their effects. */
async function openShared() {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const effects = join(await dataFolder(), 'effects')
  const effectsOf = async (email: string) =>
    (await readEffects(effects)).filter((effect) => effect.email === email).map(({ change }) => change)
  return {
    redis,
    effectsOf,
    startHost: async (own: Partial<HostSettings> = {}) => {
      const host = await startClickHost({ ...settings, redis: redis.path, effects, ...own })
      onTestFinished(host.kill)
      return host
    },
    failAdds: (when: 'before' | 'after') => makeAddsFail(effects, when),
    /** Empties the server with FLUSHALL. */
    flush: async () => {
      const client = new Redis({ path: redis.path })
      await client.flushall()
      client.disconnect()
    },
    /** Returns the customers, among the first `count`, whose number of effects is not one. */
    findFailures: async (count: number) => {
      const found = await Promise.all(Array.from({ length: count }, (_, number) => effectsOf(emailOf(number))))
      return found.flatMap((changes, number) => (changes.length === 1 ? [] : [{ number, changes }]))
    },
  }
}

function add(host: ClickHost, email: string, key?: string) {
  return host.send('/upsells/add-product', { email, product_id: 'beans' }, key)
}

async function addUntilDone(host: ClickHost, email: string, key?: string): Promise<void> {
  await vi.waitUntil(async () => (await add(host, email, key)).status === 200, { timeout: 60_000, interval: 100 })
}

describe.skipIf(noRedis)('hosts that share a ledger in Redis', () => {
  it('returns 503 without an effect while Redis is down, and replays earlier clicks afterwards', async () => {
    const { redis, startHost, effectsOf } = await openShared()
    const host = await startHost()
    await addUntilDone(host, emailOf(0))
    await redis.kill()
    for (const email of [emailOf(0), emailOf(1)]) {
      const response = await add(host, email)
      expect(response).toMatchObject({ status: 503, code: 'store_unavailable', retryAfter: '5' })
      expect(response.tookMs).toBeLessThan(4500)
    }
    expect(await effectsOf(emailOf(1))).toEqual([])
    await redis.start()
    for (const email of [emailOf(0), emailOf(1)]) {
      await addUntilDone(host, email)
      expect(await effectsOf(email)).toEqual(['beans'])
    }
  })

  it('returns 503 after two seconds while Redis is frozen, and releases the late claim', async () => {
    const { redis, startHost, effectsOf } = await openShared()
    const host = await startHost()
    await addUntilDone(host, emailOf(0))
    redis.freeze()
    const response = await add(host, emailOf(1))
    redis.resume()
    expect(response).toMatchObject({ status: 503, code: 'store_unavailable' })
    expect(await effectsOf(emailOf(1))).toEqual([])
    // This timeout is much shorter than a lease, so the host must have released the claim.
    await vi.waitUntil(async () => (await add(host, emailOf(1))).status === 200, { timeout: 5000 })
    expect(await effectsOf(emailOf(1))).toEqual(['beans'])
  })

  it('applies a click once if a host starts before Redis', async () => {
    const { redis, startHost, effectsOf } = await openShared()
    await redis.kill()
    const host = await startHost()
    expect(await add(host, emailOf(0))).toMatchObject({ status: 503 })
    await redis.start()
    await addUntilDone(host, emailOf(0))
    expect(await effectsOf(emailOf(0))).toEqual(['beans'])
  })

  it.each([
    { platform: 'reconcile', named: false },
    { platform: 'reconcile', named: true },
    { platform: 'honors-key', named: true },
  ] as const)(
    'applies a click once if Redis is emptied between an unknown attempt and its retries: %j (decisions 4, 28 and 29)',
    { timeout: 600_000 },
    async ({ platform, named }) => {
      const { startHost, findFailures, flush, failAdds } = await openShared()
      const [host, other] = [await startHost({ platform }), await startHost({ platform })]
      const [rounds, clicks] = [100, 10]
      for (let round = 0; round < rounds; round++) {
        const batch = Array.from({ length: clicks }, (_, index) => round * clicks + index)
        const keyOf = (number: number) => (named ? `key-of-click-${number}` : undefined)
        const stopFailing = failAdds(round % 2 === 0 ? 'after' : 'before')
        const send = async (number: number): Promise<number> => {
          const { status } = await add(number % 2 === 0 ? host : other, emailOf(number), keyOf(number))
          // A slow ledger rejects a click before the platform is called.
          return status === 503 ? send(number) : status
        }
        for (const status of await Promise.all(batch.map(send))) expect(status).toBe(500)
        stopFailing()
        await flush()
        const retries = batch.flatMap((number) =>
          [host, other].map((each) => addUntilDone(each, emailOf(number), keyOf(number))),
        )
        await Promise.all(retries)
      }
      expect(await findFailures(rounds * clicks)).toEqual([])
    },
  )

  it('applies each click once while Redis and the hosts are killed repeatedly', { timeout: 1_200_000 }, async () => {
    const { redis, startHost, findFailures } = await openShared()
    const seed = Math.floor(Math.random() * 1_000_000)
    const random = createRandom(seed)
    const hosts = [await startHost(), await startHost()]
    const clicks = isNightly ? 6000 : 300
    let serverKills = 0
    let hostKills = 0
    const killOne = async () => {
      if (random() < 0.5) {
        serverKills += 1
        await redis.kill()
        await redis.start()
      } else {
        hostKills += 1
        const index = Math.floor(random() * 2)
        await hosts[index]?.kill()
        hosts[index] = await startHost()
      }
    }
    let killing = Promise.resolve()
    await runConcurrently(numbers(clicks), 8, async (number) => {
      if (number % 15 === 7) killing = killing.then(killOne)
      const key = number % 2 === 0 ? `key-of-click-${number}` : undefined
      await vi.waitUntil(async () => (await add(chooseOne(random, hosts), emailOf(number), key)).status === 200, {
        timeout: 120_000,
        interval: 50,
      })
    })
    await killing
    console.log(`seed ${seed}: ${clicks} clicks, ${serverKills} kills of Redis, ${hostKills} kills of hosts`)
    expect(await findFailures(clicks)).toEqual([])
    expect(serverKills + hostKills).toBe(clicks / 15)
  })
})
