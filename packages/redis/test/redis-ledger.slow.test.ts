import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickDocument, type Decision } from '@storeport/core'
import { findFreePort } from '@storeport/testing/find-free-port'
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
  // Without `isLocal`, the guard stores only digests.
  expect([ledger.requiresScope, ledger.isLocal]).toEqual([true, undefined])
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

  it('reads the document again if its write is more than 1 second late', async () => {
    await client.flushall()
    const decide = vi.fn(store)
    const late: RedisClient = {
      call: async (command, ...args) => {
        const [first, second] = decide.mock.calls
        const isLate = async (from: number) => Number((await client.time())[0]) * 1000 > from + 1000
        if (first !== undefined && second === undefined) while (!(await isLate(first[1]))) await client.ping()
        return client.call(command, ...args)
      },
    }
    await redisLedger(late).update('one', decide)
    expect(decide).toHaveBeenCalledTimes(2)
    expect(await client.pttl(key)).toBeLessThanOrEqual(60_000)
  })

  it('fails while the server is away, and remembers its documents after a restart', async () => {
    await client.flushall()
    const impatient = new Redis({ path, maxRetriesPerRequest: 0 }).on('error', () => {})
    onTestFinished(() => impatient.disconnect())
    await useLedger(impatient)
    await server?.kill()
    await expect(redisLedger(impatient).update('one', store)).rejects.toThrow()
    await server?.start()
    await vi.waitUntil(() => impatient.status === 'ready', { timeout: 20_000 })
    expect(await redisLedger(impatient).update('one', store)).toEqual({ v: 1 })
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

/** Starts a Redis cluster with one server, and opens a client. */
async function openCluster(...settings: readonly string[]): Promise<Cluster> {
  const [port, busPort] = [await findFreePort(), await findFreePort()]
  const own = `--port ${port} --cluster-port ${busPort} --bind 127.0.0.1 --cluster-announce-ip 127.0.0.1 --cluster-enabled yes --appendonly yes`
  const folder = await mkdtemp(join(tmpdir(), 'storeport-cluster-'))
  const server = await startServer(folder, [own, ...settings].join(' '))
  onTestFinished(async () => {
    await server.stop('SIGKILL')
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
