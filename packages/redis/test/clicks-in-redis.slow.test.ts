import { createIntegration } from '@storeport/core'
import { noRedis } from '@storeport/testing/start-redis'
import { beforeEach, describe, expect, it } from 'vitest'
import { redisLedger } from '../src/index.ts'
import { openRedis } from './open-redis.ts'
import { watchClient } from './watch-client.ts'

const apiKey = 'a-key-of-the-tests-0001'

describe.skipIf(noRedis)('an integration with a Redis ledger', () => {
  const redis = openRedis()

  beforeEach(async () => {
    await redis().client.flushall()
  })

  /** Opens an integration and a client that records commands. The server has already cached the ledger's scripts. */
  async function open() {
    const client = watchClient(redis().client)
    const ledger = redisLedger(client)
    await ledger.update('', (stored) => ({ result: stored, document: { v: 1 }, ttlMs: 1 }))
    client.sent.length = 0
    /** Number of commands that were sent before each call of the store's method. */
    const atStore: number[] = []
    const integration = createIntegration({
      store: { addProduct: async () => void atStore.push(client.sent.length) },
      apiKeys: [apiKey],
      scope: 'one',
      retries: { ledger },
    })
    const add = async (email: string, name?: string) => {
      const headers = { 'content-type': 'application/json', 'x-integration-api-key': apiKey }
      const response = await integration.fetch(
        new Request('https://shop.example/integration/upsells/add-product', {
          method: 'POST',
          headers: name === undefined ? headers : { ...headers, 'idempotency-key': name },
          body: JSON.stringify({ email, product_id: 'beans' }),
        }),
      )
      return response.status
    }
    return { add, client, atStore }
  }

  it.each([
    ['an unnamed click', 2, undefined],
    ['a named click', 4, 'a-name'],
  ])(
    'claims and settles %s in %s round trips each, and replays the click in one round trip',
    async (_, trips, name) => {
      const { add, client, atStore } = await open()
      expect(await add('ann@shop.example', name)).toBe(200)
      expect([atStore, client.sent.length]).toEqual([[trips], 2 * trips])
      for (let repeat = 0; repeat < 20; repeat++) expect(await add('ann@shop.example', name)).toBe(200)
      // A replay writes nothing (decision 26).
      expect([atStore, client.sent.length]).toEqual([[trips], 2 * trips + 20])
      expect(new Set(client.sent)).toEqual(new Set(['EVALSHA']))
    },
  )

  it('stores only digests', async () => {
    const { add } = await open()
    await add('ann@shop.example', 'a-name')
    const { client } = redis()
    const keys = await client.keys('{storeport}:clicks:one:*')
    expect(keys.length).toBe(2)
    for (const key of keys) {
      expect(key).toMatch(/^\{storeport\}:clicks:one:live:(?:customer|name):[\w-]+$/)
      expect(String(await client.get(key))).not.toMatch(/ann|beans|a-name/)
    }
  })
})
