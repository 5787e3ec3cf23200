import { join } from 'node:path'
import { dataFolder } from '@storeport/testing/start-host-process'
import { noRedis, startRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isNightly } from '../hardening/is-nightly.ts'
import { chooseOne, createRandom } from './create-random.ts'
import { hold, readEffects } from './outside-effects.ts'
import { fail } from './platform-store.ts'
import { numbers, runSideBySide } from './run-side-by-side.ts'
import { emailOf } from './shop.ts'
import { type ClickHost, type HostSettings, startClickHost } from './start-click-host.ts'

/*
 * Hosts of a merchant's platform that share a ledger in Redis. The hosts and the server are killed, frozen and emptied. Each
 * customer has as many effects as different clicks.
 */

vi.setConfig({ testTimeout: 120_000 })

const settings: Partial<HostSettings> = { windowMs: 60_000, timeoutMs: 5000 }

/** A Redis server, hosts that share it, and what they did. */
async function openShared() {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const effects = join(await dataFolder(), 'effects')
  const effectsOf = async (email: string) =>
    (await readEffects(effects)).filter((effect) => effect.email === email).map(({ what }) => what)
  return {
    redis,
    effectsOf,
    startHost: async (own: Partial<HostSettings> = {}) => {
      const host = await startClickHost({ ...settings, redis: redis.path, effects, ...own })
      onTestFinished(host.kill)
      return host
    },
    holdAdds: () => hold(effects),
    failAdds: (when: 'before' | 'after') => fail(effects, when),
    /** Empties the server as FLUSHALL does. */
    flush: async () => {
      const client = new Redis({ path: redis.path })
      await client.flushall()
      client.disconnect()
    },
    /** The customers, of so many, who do not have exactly one effect. */
    wrongOf: async (count: number) => {
      const found = await Promise.all(Array.from({ length: count }, (_, number) => effectsOf(emailOf(number))))
      return found.flatMap((had, number) => (had.length === 1 ? [] : [{ number, had }]))
    },
    untilEffect: (email: string) => vi.waitUntil(async () => (await effectsOf(email)).length > 0, { timeout: 10_000 }),
  }
}

function add(host: ClickHost, email: string, key?: string) {
  return host.send('/upsells/add-product', { email, product_id: 'beans' }, key)
}

async function addUntilDone(host: ClickHost, email: string, key?: string): Promise<void> {
  await vi.waitUntil(async () => (await add(host, email, key)).status === 200, { timeout: 60_000, interval: 100 })
}

describe.skipIf(noRedis)('one effect per click at hosts that share Redis', () => {
  it('if each click is sent twice to each of two hosts', async () => {
    const { startHost, effectsOf } = await openShared()
    const hosts = [await startHost(), await startHost()]
    for (let round = 0; round < 20; round++) {
      const emails = Array.from({ length: 10 }, (_, index) => emailOf(round * 10 + index))
      // A slow machine may answer 503, as a ledger has two seconds: the caller then retries.
      await Promise.all(emails.flatMap((email) => [...hosts, ...hosts].map((host) => addUntilDone(host, email))))
      for (const email of emails) expect(await effectsOf(email)).toEqual(['beans'])
    }
  })

  it('if the host is killed after the effect: the other host calls reconcile', async () => {
    const { startHost, effectsOf, holdAdds, untilEffect } = await openShared()
    const [host, other] = [await startHost(), await startHost()]
    const letGo = holdAdds()
    const answer = add(host, emailOf(0))
    await untilEffect(emailOf(0))
    await host.kill()
    letGo()
    expect((await answer).status).toBe(0)
    await addUntilDone(other, emailOf(0))
    expect(await effectsOf(emailOf(0))).toEqual(['beans'])
  })

  it('while the server is away: returns 503 without an effect, and replays earlier clicks after its return', async () => {
    const { redis, startHost, effectsOf } = await openShared()
    const host = await startHost()
    await addUntilDone(host, emailOf(0))
    await redis.kill()
    for (const email of [emailOf(0), emailOf(1)]) {
      const answer = await add(host, email)
      expect(answer).toMatchObject({ status: 503, code: 'store_unavailable', retryAfter: '5' })
      expect(answer.tookMs).toBeLessThan(4500)
    }
    expect(await effectsOf(emailOf(1))).toEqual([])
    await redis.start()
    for (const email of [emailOf(0), emailOf(1)]) {
      await addUntilDone(host, email)
      expect(await effectsOf(email)).toEqual(['beans'])
    }
  })

  it('if the server is killed between the effect and its outcome: returns the success, and a repeat has no effect', async () => {
    const { redis, startHost, effectsOf, holdAdds, untilEffect } = await openShared()
    const host = await startHost()
    const letGo = holdAdds()
    const answer = add(host, emailOf(0))
    await untilEffect(emailOf(0))
    await redis.kill()
    letGo()
    expect((await answer).status).toBe(200)
    await redis.start()
    await addUntilDone(host, emailOf(0))
    expect(await effectsOf(emailOf(0))).toEqual(['beans'])
  })

  it('while the server is frozen: returns 503 after two seconds, and releases the late claim', async () => {
    const { redis, startHost, effectsOf } = await openShared()
    const host = await startHost()
    await addUntilDone(host, emailOf(0))
    redis.freeze()
    const answer = await add(host, emailOf(1))
    redis.resume()
    expect(answer).toMatchObject({ status: 503, code: 'store_unavailable' })
    expect(await effectsOf(emailOf(1))).toEqual([])
    // Well before the lease of a lost claim ends.
    await vi.waitUntil(async () => (await add(host, emailOf(1))).status === 200, { timeout: 5000 })
    expect(await effectsOf(emailOf(1))).toEqual(['beans'])
  })

  it('if a host starts before its server', async () => {
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
    { platform: 'honours-key', named: true },
  ] as const)(
    'if the server is emptied between an unknown attempt and its retries: %j (decisions 4, 28 and 29)',
    { timeout: 600_000 },
    async ({ platform, named }) => {
      const { startHost, wrongOf, flush, failAdds } = await openShared()
      const [host, other] = [await startHost({ platform }), await startHost({ platform })]
      const [rounds, clicks] = [100, 10]
      for (let round = 0; round < rounds; round++) {
        const batch = Array.from({ length: clicks }, (_, index) => round * clicks + index)
        const keyOf = (number: number) => (named ? `key-of-click-${number}` : undefined)
        const stopFailing = failAdds(round % 2 === 0 ? 'after' : 'before')
        const send = (number: number) => add(number % 2 === 0 ? host : other, emailOf(number), keyOf(number))
        for (const { status } of await Promise.all(batch.map(send))) expect(status).toBe(500)
        stopFailing()
        await flush()
        const retries = batch.flatMap((number) =>
          [host, other].map((each) => addUntilDone(each, emailOf(number), keyOf(number))),
        )
        await Promise.all(retries)
      }
      expect(await wrongOf(rounds * clicks)).toEqual([])
    },
  )

  it('while the server and the hosts are killed repeatedly', { timeout: 1_200_000 }, async () => {
    const { redis, startHost, wrongOf } = await openShared()
    const seed = Math.floor(Math.random() * 1_000_000)
    const random = createRandom(seed)
    const hosts = [await startHost(), await startHost()]
    const clicks = isNightly ? 6000 : 300
    let serverDeaths = 0
    let hostDeaths = 0
    const endSomething = async () => {
      if (random() < 0.5) {
        serverDeaths += 1
        await redis.kill()
        await redis.start()
      } else {
        hostDeaths += 1
        const which = Math.floor(random() * 2)
        await hosts[which]?.kill()
        hosts[which] = await startHost()
      }
    }
    let dying = Promise.resolve()
    await runSideBySide(numbers(clicks), 8, async (number) => {
      if (number % 15 === 7) dying = dying.then(endSomething)
      const key = number % 2 === 0 ? `key-of-click-${number}` : undefined
      await vi.waitUntil(async () => (await add(chooseOne(random, hosts), emailOf(number), key)).status === 200, {
        timeout: 120_000,
        interval: 50,
      })
    })
    await dying
    console.log(`seed ${seed}: ${clicks} clicks, ${serverDeaths} deaths of the server, ${hostDeaths} of hosts`)
    expect(await wrongOf(clicks)).toEqual([])
    expect(serverDeaths + hostDeaths).toBe(clicks / 15)
  })
})
