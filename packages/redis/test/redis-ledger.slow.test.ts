import { StoreError, type StoredClicks } from '@storeport/core'
import { behavesLikeLedger, increase, look } from '@storeport/testing/behaves-like-ledger'
import { findFreePort } from '@storeport/testing/find-free-port'
import { noRedis, startRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type RedisLedger, RedisSettingsError, redisLedger } from '../src/index.ts'
import { openRedis } from './open-redis.ts'
import { createGate, watchClient } from './watch-client.ts'

const hourMs = 60 * 60_000
const key = '{storeport}:clicks:one'
const marker = '{storeport}:marker'

function isYoung(ledger: RedisLedger): Promise<boolean> {
  return ledger.update('other', (_stored, _now, young) => ({ result: young }))
}

describe.skipIf(noRedis)('a ledger in Redis', () => {
  const redis = openRedis(['--enable-debug-command', 'yes'])

  /** Empties the server, which has already cached the scripts. Returns a ledger whose client records commands. */
  async function opened(timeoutMs?: number) {
    const { client, server } = redis()
    const clock = { now: 1_800_000_000_000 }
    const watched = watchClient(client)
    const ledger = redisLedger(watched, { now: () => clock.now, timeoutMs })
    await client.flushall()
    // The setup has no time limit.
    await redisLedger(client).update('one', increase)
    await client.flushall()
    await ledger.ready()
    watched.sent.length = 0
    return { client, server, clock, watched, ledger }
  }

  behavesLikeLedger(
    'Redis',
    async (clock) => {
      const { client, server } = redis()
      await client.flushall()
      const second = new Redis({ path: server.path })
      onTestFinished(() => second.disconnect())
      const options = { now: () => clock.now, timeoutMs: 20_000 }
      return [redisLedger(client, options), redisLedger(second, options)]
    },
    { expiry: "keys expire by the server's own clock, which a test cannot set" },
  )

  it('stores a new version with every write, even if the document is unchanged (decision 26)', async () => {
    const { client, ledger } = await opened()
    const versions = new Set<string>()
    for (let turn = 0; turn < 3; turn++) {
      await ledger.update('one', () => ({ result: undefined, document: { v: 1 }, ttlMs: hourMs }))
      versions.add(String(await client.get(key)).slice(0, 36))
    }
    expect(versions.size).toBe(3)
  })

  it('requires a scope, and stores only a document that expires after ttlMs and a marker that never expires', async () => {
    const { client, ledger } = await opened()
    expect(ledger.requiresScope).toBe(true)
    await ledger.update('one', increase)
    expect((await client.keys('*')).toSorted()).toEqual([key, marker])
    expect(await client.pttl(key)).toBeGreaterThan(hourMs - 60_000)
    expect(await client.pttl(key)).toBeLessThanOrEqual(hourMs)
    expect(await client.pttl(marker)).toBe(-1)
  })

  it('reads the document and calls decide again if `now` is more than 1 second old at the write (decision 26)', async () => {
    const { ledger, clock } = await opened()
    const start = clock.now
    const decideIn = async (ms: number) => {
      const times: number[] = []
      const count = await ledger.update('one', (stored, now) => {
        if (times.length === 0) clock.now += ms
        times.push(now - start)
        return increase(stored)
      })
      return { count, times }
    }
    expect(await decideIn(1000)).toEqual({ count: 1, times: [0] })
    expect(await decideIn(1001)).toEqual({ count: 2, times: [1000, 2001] })
  })

  it('uses the server’s clock if the option `now` is not set', async () => {
    const { client } = await opened()
    const now = await redisLedger(client).update('one', (_stored, time) => ({ result: time }))
    const [seconds] = await client.time()
    expect(Math.abs(Number(seconds) * 1000 - now)).toBeLessThan(5000)
  })

  it('writes nothing after the timeout', async () => {
    const { ledger, watched, client } = await opened(50)
    const mayRead = createGate()
    watched.before = () => mayRead.opened
    const decide = vi.fn(increase)
    await expect(ledger.update('one', decide)).rejects.toMatchObject({ code: 'store_unavailable' })
    mayRead.open()
    // Redis processes the commands of a connection in sequence, so this reply follows the late reply.
    await watched.call('PING')
    await client.ping()
    expect(decide).not.toHaveBeenCalled()
    expect(await client.exists(key)).toBe(0)
  })

  it('throws store_unavailable if concurrent changes continue until the timeout', async () => {
    const { ledger, client } = await opened(1000)
    const decide = vi.fn((stored: StoredClicks | undefined) => {
      // Redis receives this command before the write of the ledger.
      void client.set(key, `${crypto.randomUUID()}{"v":1}`)
      return increase(stored)
    })
    const failure = await ledger.update('one', decide).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreError)
    expect(failure).toMatchObject({
      code: 'store_unavailable',
      cause: { message: 'Redis: no result within 1000 ms.' },
    })
    expect(decide.mock.calls.length).toBeGreaterThan(1)
  })

  it.each(['', 'x', `${crypto.randomUUID()}{"v":1`, crypto.randomUUID()])(
    'throws store_unavailable for the unreadable value %j',
    async (value) => {
      const { ledger, client } = await opened()
      await client.set(key, value)
      const decide = vi.fn(increase)
      await expect(ledger.update('one', decide)).rejects.toMatchObject({ code: 'store_unavailable' })
      expect(decide).not.toHaveBeenCalled()
      expect(await client.get(key)).toBe(value)
    },
  )

  it('rejects a Redis key of a different type, and an unexpected reply', async () => {
    const { ledger, client } = await opened()
    await client.hset(key, 'a', 'b')
    const decide = vi.fn(increase)
    await expect(ledger.update('one', decide)).rejects.toThrow('WRONGTYPE')
    const silent = redisLedger({ call: async () => null }, { checkServer: false })
    await expect(silent.update('one', decide)).rejects.toThrow('Redis: a script returned an unexpected reply')
    expect(decide).not.toHaveBeenCalled()
  })

  it('does not share documents between prefixes', async () => {
    const { client } = await opened()
    const [one, two] = ['one', 'two'].map((prefix) => redisLedger(client, { prefix }))
    expect(await one?.update('one', increase)).toBe(1)
    expect(await two?.update('one', increase)).toBe(1)
  })

  it.each([
    [{ prefix: 'two words' }, 'prefix: must be 1 to 64 letters, digits and : . _ -'],
    [{ prefix: '' }, 'prefix: must be 1 to 64 letters, digits and : . _ -'],
    [{ timeoutMs: 0 }, 'timeoutMs: must be a number greater than 0'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs: must be a number greater than 0'],
  ])('throws a TypeError for the options %j', (options, message) => {
    expect(() => redisLedger(redis().client, options)).toThrow(new TypeError(message))
  })

  describe('a ledger that is no longer young (decision 28)', () => {
    async function aged() {
      const all = await opened()
      expect(await isYoung(all.ledger)).toBe(true)
      all.clock.now += 24 * hourMs
      expect(await isYoung(all.ledger)).toBe(false)
      return all
    }

    it('calls decide again if the server was emptied between the read and the write', async () => {
      const { client } = redis()
      await client.flushall()
      let [scripts, runs] = [0, 0]
      const call = async (command: string, ...args: (string | number)[]) => {
        if (command === 'EVALSHA' && ++scripts === 2) await client.flushall()
        return client.call(command, ...args)
      }
      const time = 1_800_000_000_000
      await redisLedger(client, { checkServer: false, now: () => time - 24 * hourMs }).update('a:b', look)
      const ledger = redisLedger({ call }, { checkServer: false, now: () => time })
      const wasYoung = await ledger.update('a:c', (stored, _now, young) => {
        runs += 1
        return { ...increase(stored), result: young }
      })
      expect({ wasYoung, runs }).toEqual({ wasYoung: true, runs: 2 })
    })

    it('is young again after a failover to a replica', async () => {
      const port = await findFreePort()
      const own = ['--bind', '127.0.0.1']
      const master = await startRedis([...own, '--port', `${port}`])
      onTestFinished(master.stop)
      const replica = await startRedis([...own, '--replicaof', `127.0.0.1 ${port}`])
      onTestFinished(replica.stop)
      const first = new Redis({ path: master.path })
      const second = new Redis({ path: replica.path })
      onTestFinished(() => [first, second].forEach((client) => client.disconnect()))
      await vi.waitUntil(async () => (await first.info('replication')).includes('state=online'), { timeout: 20_000 })
      const clock = { now: 1_800_000_000_000 }
      const open = (client: Redis) => redisLedger(client, { now: () => clock.now })
      expect(await isYoung(open(first))).toBe(true)
      clock.now += 24 * hourMs
      expect(await isYoung(open(first))).toBe(false)
      expect(await open(first).update('one', increase)).toBe(1)
      expect(await first.wait(1, 20_000)).toBe(1)
      await master.kill()
      await second.replicaof('NO', 'ONE')
      expect(await isYoung(open(second))).toBe(true)
      expect(await open(second).update('one', look)).toBe(1)
    })

    type Aged = Awaited<ReturnType<typeof aged>>
    const changeMarker =
      (change: (at: number, ids: string) => string) =>
      async ({ client }: Aged) => {
        const [at, ...ids] = String(await client.get(marker)).split(' ')
        await client.set(marker, change(Number(at), ids.join(' ')))
      }
    it.each<[string, (aged: Aged) => Promise<unknown>]>([
      ['after FLUSHALL', ({ client }) => client.flushall()],
      ['after a change of master_replid', ({ client }) => client.call('DEBUG', 'CHANGE-REPL-ID')],
      ['after a restart', ({ server }) => server.kill().then(server.start)],
      ['after a call to `forgot`', ({ ledger }) => ledger.forgot()],
      [
        'after a change without a document reports data loss',
        ({ ledger }) => ledger.update('one', (stored) => ({ ...look(stored), hasLostData: true })),
      ],
      ['if its marker is from the future', changeMarker((at, ids) => `${at + 24 * hourMs + 1} ${ids}`)],
      ['if its marker belongs to another server', changeMarker((at, ids) => `${at} ${ids.slice(0, -1)}`)],
      ['if its marker has no time', changeMarker((_, ids) => `x ${ids}`)],
      ['if its marker is unreadable', changeMarker(() => 'x')],
    ])('is young again for 24 hours %s', async (name, loseData) => {
      const all = await aged()
      const { ledger, clock } = all
      await ledger.update('one', increase)
      await loseData(all)
      expect(await isYoung(ledger)).toBe(true)
      expect(await ledger.update('one', look)).toBe(name === 'after FLUSHALL' ? 0 : 1)
      clock.now += 24 * hourMs
      expect(await isYoung(ledger)).toBe(false)
    })
  })
})

describe.skipIf(noRedis)('a server that can lose clicks', () => {
  const redis = openRedis(['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'])

  it('is rejected until its settings are changed', async () => {
    const { client } = redis()
    const ledger = redisLedger(client)
    await expect(ledger.ready()).rejects.toThrow(RedisSettingsError)
    await expect(ledger.ready()).rejects.toThrow('Set maxmemory-policy noeviction')
    await expect(ledger.update('one', increase)).rejects.toThrow(RedisSettingsError)
    await client.config('SET', 'maxmemory-policy', 'noeviction')
    await client.config('SET', 'appendonly', 'no')
    await expect(ledger.ready()).rejects.toThrow('Set appendonly yes')
    expect(await redisLedger(client, { checkServer: false }).update('one', increase)).toBe(1)
    await client.config('SET', 'appendonly', 'yes')
    await ledger.ready()
    expect(await ledger.update('one', increase)).toBe(2)
  })
})
