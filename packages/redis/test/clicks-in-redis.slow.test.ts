import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'
import { noRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { redisLedger } from '../src/index.ts'
import { openRedis } from './open-redis.ts'
import { createGate, watchClient } from './watch-client.ts'

const apiKey = 'a-key-of-the-tests-0001'
const dayMs = 24 * 60 * 60_000

interface Sent {
  readonly email?: string
  readonly idempotencyKey?: string
}

/** One change of a platform. */
interface Effect {
  readonly email: string
  readonly key: string
  readonly fingerprint: string | undefined
}

/** A platform that records its changes; `failsNext` leaves the outcome of the next change unknown, after it is made. */
function createPlatform(changes: Partial<StorePort> = {}) {
  const platform = { effects: new Array<Effect>(), calls: 0, asked: 0, failsNext: false, during: async () => {} }
  const store: StorePort = {
    addProduct: async ({ email }, { idempotencyKey: key, clickIdentity }) => {
      platform.calls += 1
      platform.effects.push({ email, key, fingerprint: clickIdentity?.fingerprint })
      await platform.during()
      if (!platform.failsNext) return
      platform.failsNext = false
      throw new Error('The connection was lost.')
    },
    ...changes,
  }
  const reconcile: StorePort['reconcile'] = async (...[, , { idempotencyKey, clickIdentity, ledgerIsYoung }]) => {
    platform.asked += 1
    const found = platform.effects.some(
      ({ key, fingerprint }) => key === idempotencyKey || (ledgerIsYoung && fingerprint === clickIdentity.fingerprint),
    )
    return found ? 'applied' : 'not_applied'
  }
  return { platform, store, reconciling: { ...store, reconcile } }
}

describe.skipIf(noRedis)('clicks in a Redis ledger', () => {
  const redis = openRedis()

  beforeEach(async () => {
    await redis().client.flushall()
  })

  /** An integration over a ledger whose commands are counted, with a clock that is one day past the ledger's creation. */
  async function open(store: StorePort, options: Partial<IntegrationOptions> = {}) {
    const clock = { now: 1_800_000_000_000 }
    const client = watchClient(redis().client)
    const ledger = redisLedger(client, { now: () => clock.now })
    await ledger.update('', (stored) => ({ result: stored, document: { v: 1 }, keepMs: 1 }))
    clock.now += dayMs
    const integration = createIntegration({
      store,
      apiKeys: [apiKey],
      scope: 'one',
      retries: { ledger },
      onError: () => {},
      ...options,
    })
    client.sent.length = 0
    const add = async ({ email = 'ann@shop.example', idempotencyKey }: Sent = {}) => {
      const response = await integration.fetch(
        new Request('https://shop.example/integration/upsells/add-product', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-integration-api-key': apiKey,
            ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          },
          body: JSON.stringify({ email, product_id: 'beans' }),
        }),
      )
      await response.text()
      return response.status
    }
    return { add, client, clock, ledger }
  }

  it('throws a TypeError without a scope', () => {
    const ledger = redisLedger(redis().client)
    const { store } = createPlatform()
    expect(() => createIntegration({ store, apiKeys: [apiKey], retries: { ledger } })).toThrow(/^scope: required/)
    expect(() => createIntegration({ store: { ...store, ledger }, apiKeys: [apiKey] })).toThrow(/^scope: required/)
    expect(() => createIntegration({ store, apiKeys: [apiKey], retries: false })).not.toThrow()
  })

  it('does not share clicks between shops with different scopes (decision 1)', async () => {
    const { platform, store } = createPlatform()
    const [one, two, again] = [
      await open(store, { scope: 'one' }),
      await open(store, { scope: 'two' }),
      await open(store, { scope: 'one' }),
    ]
    for (const idempotencyKey of [undefined, 'a-name']) {
      platform.calls = 0
      const sent = idempotencyKey === undefined ? {} : { idempotencyKey }
      expect(await one.add(sent)).toBe(200)
      expect(await two.add(sent)).toBe(200)
      expect(platform.calls).toBe(2)
      expect(await again.add(sent)).toBe(200)
      expect(platform.calls).toBe(2)
    }
  })

  it('takes two round trips to claim an unnamed click and four for a named one', async () => {
    const { platform, store } = createPlatform()
    const { add, client } = await open(store)
    const atStore: number[] = []
    platform.during = async () => void atStore.push(client.sent.length)
    expect(await add()).toBe(200)
    expect(atStore).toEqual([2])
    expect(client.sent.length).toBe(4)
    client.sent.length = 0
    expect(await add({ email: 'bob@shop.example', idempotencyKey: 'a-name' })).toBe(200)
    expect(atStore).toEqual([2, 4])
    expect(client.sent.length).toBe(8)
    expect(new Set(client.sent)).toEqual(new Set(['EVALSHA']))
  })

  it('reads once for a replay and writes nothing (decision 26)', async () => {
    const { platform, store } = createPlatform()
    const { add, client } = await open(store)
    await add()
    client.sent.length = 0
    for (let repeat = 0; repeat < 20; repeat++) expect(await add()).toBe(200)
    expect(client.sent.length).toBe(20)
    expect(platform.calls).toBe(1)
  })

  it('has one effect for 20 concurrent requests at two integrations', async () => {
    const { platform, store } = createPlatform()
    const [one, two] = [await open(store), await open(store)]
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).add()))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(platform.calls).toBe(1)
  })

  it('stores digests only', async () => {
    const { store } = createPlatform()
    const { add } = await open(store)
    await add({ idempotencyKey: 'a-name' })
    const { client } = redis()
    const keys = await client.keys('*')
    expect(keys.length).toBe(3)
    for (const key of keys) {
      expect(key).toMatch(/^\{storeport\}:(?:marker|clicks:one:live:(?:customer|name):[\w-]+)$/)
      expect(String(await client.get(key))).not.toMatch(/ann|beans|a-name/)
    }
  })

  it('returns 503 before the store is called if the server is away from the start', async () => {
    const { platform, store } = createPlatform()
    const client = new Redis({ path: `${redis().server.path}-absent`, retryStrategy: () => null, lazyConnect: true })
    client.on('error', () => {})
    onTestFinished(() => client.disconnect())
    const { add } = await open(store, { retries: { ledger: redisLedger(client) } })
    expect(await add()).toBe(503)
    expect(await add({ idempotencyKey: 'a-name' })).toBe(503)
    expect(platform.calls).toBe(0)
  })

  it('returns 503 before the store is called while the server is away, and works after its return', async () => {
    const { platform, store } = createPlatform()
    const { add, client } = await open(store)
    expect(await add()).toBe(200)
    client.before = () => Promise.reject(new Error('The connection is closed.'))
    expect(await add({ email: 'bob@shop.example' })).toBe(503)
    expect(await add({ email: 'bob@shop.example', idempotencyKey: 'a-name' })).toBe(503)
    expect(platform.calls).toBe(1)
    client.before = () => {}
    expect(await add({ email: 'bob@shop.example' })).toBe(200)
    expect(platform.calls).toBe(2)
  })

  it('returns 503 for a document that does not parse', async () => {
    const { platform, store } = createPlatform()
    const { add } = await open(store)
    expect(await add()).toBe(200)
    const { client } = redis()
    const [key = ''] = await client.keys('*customer*')
    await client.set(key, 'x')
    expect(await add()).toBe(503)
    await client.set(key, `${crypto.randomUUID()}{"v":99}`)
    expect(await add()).toBe(503)
    expect(platform.calls).toBe(1)
  })

  it.each([undefined, 'a-name'])(
    'returns the success if it cannot be stored, and stores it later (name %s)',
    async (name) => {
      const { platform, store } = createPlatform()
      const { add, client } = await open(store)
      const sent = name === undefined ? {} : { idempotencyKey: name }
      platform.during = async () => {
        client.before = () => Promise.reject(new Error('The connection is closed.'))
      }
      expect(await add(sent)).toBe(200)
      client.before = () => {}
      client.sent.length = 0
      await vi.waitUntil(() => client.sent.length === (name === undefined ? 2 : 4), { timeout: 10_000 })
      expect(await add(sent)).toBe(200)
      expect(platform.calls).toBe(1)
    },
  )

  it('counts a named click once although a claim write arrived late (decision 25)', async () => {
    const { platform, store } = createPlatform()
    const { add, client } = await open(store)
    const mayWrite = createGate()
    let delayed = false
    client.before = () => {
      if (delayed || client.sent.length !== 2) return
      delayed = true
      return mayWrite.opened
    }
    expect(await add({ idempotencyKey: 'a-name' })).toBe(503)
    await vi.waitUntil(() => client.sent.length >= 6, { timeout: 10_000 })
    mayWrite.open()
    await vi.waitUntil(async () => (await add({ idempotencyKey: 'a-name' })) === 200, { timeout: 10_000 })
    expect(platform.calls).toBe(1)
  })

  describe('that were lost between an attempt and its retry (decisions 28 and 29)', () => {
    it.each([undefined, 'a-name'])('have one effect with reconcile (name %s)', async (name) => {
      const { platform, reconciling } = createPlatform()
      const rounds = 50
      const [one, two] = [await open(reconciling), await open(reconciling)]
      for (let round = 0; round < rounds; round++) {
        const email = `customer-${round}@shop.example`
        const sent = name === undefined ? { email } : { email, idempotencyKey: `${name}-${round}` }
        platform.failsNext = true
        expect(await one.add(sent)).toBeGreaterThanOrEqual(500)
        await redis().client.flushall()
        expect(await two.add(sent)).toBe(200)
        expect(await one.add(sent)).toBe(200)
        expect(platform.effects.filter((effect) => effect.email === email).length).toBe(1)
      }
      // From the first loss on, first attempts ask it as well.
      expect(platform.asked).toBe(2 * rounds - 1)
    })

    it('run if reconcile has never seen them', async () => {
      const { platform, reconciling } = createPlatform()
      const { add } = await open(reconciling)
      await redis().client.flushall()
      expect(await add()).toBe(200)
      expect(platform).toMatchObject({ asked: 1, calls: 1 })
    })

    it('do not ask reconcile on an old ledger', async () => {
      const { platform, reconciling } = createPlatform()
      const { add } = await open(reconciling)
      expect(await add()).toBe(200)
      expect(platform).toMatchObject({ asked: 0, calls: 1 })
    })

    it('make the ledger young if their attempt settles afterwards', async () => {
      const { platform, store } = createPlatform()
      const { add, clock, ledger } = await open(store)
      const isYoung = () => ledger.update('any', (_stored, _now, young) => ({ result: young }))
      platform.during = async () => {
        await redis().client.flushall()
        // The marker is created by this read, and is old when the attempt settles.
        expect(await isYoung()).toBe(true)
        clock.now += dayMs
        expect(await isYoung()).toBe(false)
      }
      expect(await add()).toBe(200)
      expect(await isYoung()).toBe(true)
      platform.during = async () => {}
      expect(await add()).toBe(200)
      expect(platform.calls).toBe(1)
    })

    it('keep their platform key if they are named', async () => {
      const { platform, store } = createPlatform({ honoursIdempotencyKey: true })
      const { add } = await open(store)
      platform.failsNext = true
      expect(await add({ idempotencyKey: 'a-name' })).toBeGreaterThanOrEqual(500)
      await redis().client.flushall()
      expect(await add({ idempotencyKey: 'a-name' })).toBe(200)
      expect(platform.calls).toBe(2)
      expect(new Set(platform.effects.map(({ key }) => key)).size).toBe(1)
    })

    it('are logged once if they are unnamed and the store has no reconcile', async () => {
      const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
      onTestFinished(() => log.mockRestore())
      const { platform, store } = createPlatform()
      const { add } = await open(store)
      expect(await add({ email: 'bob@shop.example' })).toBe(200)
      expect(log).not.toHaveBeenCalled()
      platform.failsNext = true
      expect(await add()).toBeGreaterThanOrEqual(500)
      await redis().client.flushall()
      expect(await add({ email: 'cem@shop.example', idempotencyKey: 'a-name' })).toBe(200)
      expect(log).not.toHaveBeenCalled()
      expect(await add()).toBe(200)
      expect(await add({ email: 'dan@shop.example' })).toBe(200)
      expect(log.mock.calls).toEqual([[expect.stringMatching(/^storeport: The ledger is new or has lost its data/)]])
    })
  })
})
