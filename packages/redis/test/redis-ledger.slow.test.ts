import { behavesLikeLedger, click } from '@storeport/testing/behaves-like-ledger'
import { noRedis } from '@storeport/testing/start-redis'
import { describe, expect, it } from 'vitest'
import { RedisSettingsError, redisLedger } from '../src/index.ts'
import { openRedis } from './open-redis.ts'

describe.skipIf(noRedis)('a ledger in Redis', () => {
  const redis = openRedis()

  behavesLikeLedger('Redis', async (clock) => {
    const { client } = redis()
    await client.flushall()
    return redisLedger(client, { now: () => clock.now })
  })

  it('claims and settles with one command each', async () => {
    const { client } = redis()
    const ledger = redisLedger(client)
    await ledger.claim(click({ id: 'first' }), true)
    await client.config('RESETSTAT')
    await ledger.claim(click({ id: 'second' }), true)
    await ledger.settle(click({ id: 'second' }), 'done')
    const stats = await client.info('commandstats')
    expect(stats).toMatch(/cmdstat_evalsha:calls=2,/)
    expect(stats).not.toContain('cmdstat_eval:')
  })

  it('keeps nothing for ever, and nothing that can be read', async () => {
    const { client } = redis()
    await client.flushall()
    const ledger = redisLedger(client)
    const own = { id: 'digest-of-a-click', customer: 'digest-of-a-customer' }
    for (const outcome of ['done', 'unknown', 'refused'] as const) {
      await ledger.claim(click({ ...own, id: outcome }), true)
      await ledger.settle(click({ ...own, id: outcome }), outcome)
    }
    await ledger.claim(click(own), true)
    const keys = await client.keys('*')
    expect(keys.length).toBeGreaterThan(4)
    for (const key of keys) {
      expect(key).toMatch(/^\{storeport\}:(?:click|open|ends|last):[\w-]+$/)
      const ms = await client.pttl(key)
      expect([key, ms > 0 && ms <= 600_000]).toEqual([key, true])
    }
  })

  it('two shops on one server know nothing of each other', async () => {
    const { client } = redis()
    await client.flushall()
    const [one, two] = ['one', 'two'].map((prefix) => redisLedger(client, { prefix }))
    await one?.claim(click(), true)
    expect(await one?.claim(click({ idempotencyKey: 'k2' }), true)).toEqual({ state: 'running' })
    expect(await two?.claim(click({ idempotencyKey: 'k2' }), true)).toMatchObject({ state: 'claimed' })
  })

  it('knows a name that came for another customer', async () => {
    const { client } = redis()
    await client.flushall()
    const ledger = redisLedger(client)
    const named = click({ id: 'name', named: true })
    await ledger.claim(named, true)
    const reused = click({ id: 'name', named: true, customer: 'other', fingerprint: 'other', idempotencyKey: 'k2' })
    expect(await ledger.claim(reused, true)).toEqual({ state: 'reused' })
    await ledger.settle(named, 'done')
    expect(await ledger.claim(reused, true)).toEqual({ state: 'reused' })
  })

  it('goes on after the server has forgotten its scripts', async () => {
    const { client } = redis()
    const ledger = redisLedger(client)
    await client.script('FLUSH')
    expect(await ledger.claim(click({ id: 'after' }), true)).toMatchObject({ state: 'claimed' })
  })

  it.each([
    [{ prefix: 'two words' }, 'prefix: must be 1 to 64 letters, digits and : . _ -'],
    [{ prefix: '' }, 'prefix: must be 1 to 64 letters, digits and : . _ -'],
    [{ timeoutMs: 0 }, 'timeoutMs: must be a number, more than 0'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs: must be a number, more than 0'],
  ])('refuses the options %j', (options, message) => {
    expect(() => redisLedger(redis().client, options)).toThrow(new TypeError(message))
  })
})

describe.skipIf(noRedis)('a server that may forget clicks', () => {
  const redis = openRedis(['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'])

  it('is refused, and taken once it is set right', async () => {
    const { client } = redis()
    const ledger = redisLedger(client)
    await expect(ledger.ready()).rejects.toThrow(RedisSettingsError)
    await expect(ledger.ready()).rejects.toThrow('set maxmemory-policy noeviction')
    await expect(ledger.claim(click(), true)).rejects.toThrow(RedisSettingsError)
    await client.config('SET', 'maxmemory-policy', 'noeviction')
    await client.config('SET', 'appendonly', 'no')
    await expect(ledger.ready()).rejects.toThrow('set appendonly yes')
    expect(await redisLedger(client, { checkServer: false }).claim(click(), true)).toMatchObject({ state: 'claimed' })
    await client.config('SET', 'appendonly', 'yes')
    await ledger.ready()
    expect(await ledger.claim(click({ id: 'b' }), true)).toMatchObject({ state: 'claimed' })
  })
})
