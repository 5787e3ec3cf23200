import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickDocument, type Decision } from '@storeport/core'
import { findFreePort } from '@storeport/testing/find-free-port'
import { beans, ok, postClicks, replayed } from '@storeport/testing/post-clicks'
import { noRedis, startRedis, startServer } from '@storeport/testing/start-redis'
import { Cluster, Redis } from 'ioredis'
import { Redis as Redis6 } from 'ioredis-6'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type RedisClient, redisLedger, RedisSettingsError } from '../src/index.ts'

const key = '{storeport}:clicks:one'

/** Stores an equal document for a minute. Returns the stored document. */
function store(stored: ClickDocument | undefined, now: number): Decision<ClickDocument | undefined> {
  return { result: stored, document: { v: 1 }, until: now + 60_000 }
}

async function useLedger(client: RedisClient): Promise<void> {
  const ledger = redisLedger(client)
  await ledger.ready()
  expect([await ledger.update('one', store), await ledger.update('one', store)]).toEqual([undefined, { v: 1 }])
}

describe.skipIf(noRedis)(`@storeport/redis${noRedis === undefined ? '' : `: ${noRedis}`}`, async () => {
  const server = noRedis === undefined ? await startRedis() : undefined
  const path = server?.path ?? ''
  const client = new Redis({ path, lazyConnect: true }).on('error', () => {})
  afterAll(async () => {
    client.disconnect()
    await server?.stop()
  })

  it('works with ioredis 5, with ioredis 6 and a key prefix, and with a cluster', async () => {
    await client.flushall()
    await useLedger(client)
    const prefixed = new Redis6({ path, keyPrefix: 'mine:' })
    onTestFinished(() => prefixed.disconnect())
    await useLedger(prefixed)
    await useLedger(await openCluster())
  })

  it('claims and settles a click in two round trips each, replays it, and stores only digests', async () => {
    await client.flushall()
    await useLedger(client)
    const sent: string[] = []
    const watched: RedisClient = {
      call: (command, ...args) => {
        sent.push(command)
        return client.call(command, ...args)
      },
    }
    const atMethod: number[] = []
    const ledger = redisLedger(watched)
    expect(ledger.requiresScope).toBe(true)
    await ledger.ready()
    sent.length = 0
    const post = postClicks(ledger, { addProduct: async () => void atMethod.push(sent.length) })
    expect(await post(beans, 'a-name')).toEqual(ok)
    // The first replay stores that a caller has received the success.
    for (let repeat = 0; repeat < 3; repeat++) expect(await post(beans, 'a-name')).toEqual(replayed)
    expect([atMethod, sent]).toEqual([[2], Array.from({ length: 4 + 2 + 1 + 1 }, () => 'EVALSHA')])
    const keys = await client.keys('{storeport}:clicks:shop:*')
    expect(keys).toEqual([expect.stringMatching(/^\{storeport\}:clicks:shop:live:[\w-]+$/)])
    expect(String(await client.get(keys[0] ?? ''))).not.toMatch(/example|beans|a-name/)
  })

  it('reads the document again if its write is more than 1 second late', async () => {
    await client.flushall()
    const isPassed = async (from: number) => (await serverTime(client)) >= from + 1001
    const times: number[] = []
    const decide = vi.fn((stored: ClickDocument | undefined, now: number) => {
      times.push(now)
      return store(stored, now)
    })
    const late: RedisClient = {
      call: async (command, ...args) => {
        const [first] = times
        if (times.length === 1 && first !== undefined) while (!(await isPassed(first))) await client.ping()
        return client.call(command, ...args)
      },
    }
    await redisLedger(late).update('one', decide)
    expect(times).toHaveLength(2)
    expect(await client.pttl(key)).toBeLessThanOrEqual(60_000)
  })

  it('fails with 503 while the server is away, and remembers its clicks after a restart', async () => {
    await client.flushall()
    const addProduct = vi.fn(async () => {})
    const impatient = new Redis({ path, maxRetriesPerRequest: 0 }).on('error', () => {})
    onTestFinished(() => impatient.disconnect())
    const post = postClicks(redisLedger(impatient), { addProduct })
    expect(await post(beans, 'one')).toEqual(ok)
    await server?.kill()
    expect(await post(beans, 'two')).toMatchObject({ status: 503 })
    await server?.start()
    await vi.waitUntil(() => impatient.status === 'ready', { timeout: 20_000 })
    expect(await post(beans, 'one')).toEqual(replayed)
    expect(addProduct).toHaveBeenCalledOnce()
  })

  it('rejects a Redis key of a different type, an unexpected reply, and an invalid prefix', async () => {
    await client.flushall()
    await client.hset(key, 'a', 'b')
    const decide = vi.fn(store)
    await expect(redisLedger(client).update('one', decide)).rejects.toThrow('WRONGTYPE')
    const silent = redisLedger({ call: async () => null }, { checkServer: false })
    await expect(silent.update('one', decide)).rejects.toThrow('Redis: a script returned an unexpected reply')
    expect(decide).not.toHaveBeenCalled()
    for (const prefix of ['two words', ''])
      expect(() => redisLedger(client, { prefix })).toThrow('prefix: must be 1 to 64 letters, digits and : . _ -')
    expect(await redisLedger(client, { prefix: 'other' }).update('one', store)).toBeUndefined()
  })

  it('rejects a server that can lose clicks, until its settings are changed', async () => {
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    const ledger = redisLedger(client, { prefix: 'lossy' })
    await expect(ledger.ready()).rejects.toThrow(RedisSettingsError)
    await expect(ledger.update('one', store)).rejects.toThrow('Set maxmemory-policy noeviction')
    await client.config('SET', 'maxmemory-policy', 'noeviction')
    await client.config('SET', 'appendonly', 'no')
    await expect(ledger.ready()).rejects.toThrow('Set appendonly yes')
    expect(await redisLedger(client, { prefix: 'lossy', checkServer: false }).update('one', store)).toBeUndefined()
    await client.config('SET', 'appendonly', 'yes')
    await ledger.ready()
    const cluster = await openCluster('--maxmemory-policy', 'allkeys-lfu')
    await expect(redisLedger(cluster).ready()).rejects.toThrow(RedisSettingsError)
  })
})

async function serverTime(client: Redis): Promise<number> {
  const [seconds, microseconds] = await client.time()
  return Number(seconds) * 1000 + Number(microseconds) / 1000
}

/** Starts a Redis cluster with one server, and opens a client. */
async function openCluster(...settings: readonly string[]): Promise<Cluster> {
  const [port, busPort] = [await findFreePort(), await findFreePort()]
  const own = `--port ${port} --cluster-port ${busPort} --bind 127.0.0.1 --cluster-announce-ip 127.0.0.1 --cluster-enabled yes --appendonly yes`
  const folder = await mkdtemp(join(tmpdir(), 'storeport-cluster-'))
  const server = await startServer([...own.split(' '), '--dir', folder, ...settings])
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await once(server, 'close')
    await rm(folder, { recursive: true, force: true })
  })
  const node = new Redis({ host: '127.0.0.1', port })
  onTestFinished(() => node.disconnect())
  await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  const isReady = async () => String(await node.call('CLUSTER', 'INFO')).includes('cluster_state:ok')
  await vi.waitUntil(isReady, { timeout: 20_000 })
  const client = new Cluster([{ host: '127.0.0.1', port }])
  onTestFinished(() => client.disconnect())
  return client
}
