import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@storeport/testing/find-free-port'
import { noRedis, startServer } from '@storeport/testing/start-redis'
import { Cluster, Redis } from 'ioredis'
import { Redis as Redis6 } from 'ioredis-6'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { redisLedger, RedisSettingsError, type RedisClient } from '../src/index.ts'
import { openRedis } from './open-redis.ts'

/** Uses a ledger with a client. */
async function useLedger(client: RedisClient): Promise<void> {
  const ledger = redisLedger(client)
  await ledger.ready()
  for (const expected of [undefined, { v: 1 }]) {
    const found = await ledger.update('one', (stored, now, isYoung) => ({
      result: { stored, now, isYoung },
      document: { v: 1 },
      ttlMs: 60_000,
    }))
    expect(found).toEqual({ stored: expected, now: expect.any(Number), isYoung: true })
  }
  await ledger.forgot()
}

describe.skipIf(noRedis)('@storeport/redis', () => {
  const redis = openRedis()

  it('works with ioredis 5', () => useLedger(redis().client))

  it('works with ioredis 6 and a key prefix', async () => {
    const client = new Redis6({ path: redis().server.path, keyPrefix: 'mine:' })
    onTestFinished(() => client.disconnect())
    await useLedger(client)
  })

  it('works with an ioredis cluster client', async () => {
    const port = await startCluster()
    const client = new Cluster([{ host: '127.0.0.1', port }])
    onTestFinished(() => client.disconnect())
    await useLedger(client)
  })

  it('rejects a cluster whose master evicts keys', async () => {
    const port = await startCluster('--maxmemory-policy', 'allkeys-lfu')
    const client = new Cluster([{ host: '127.0.0.1', port }])
    onTestFinished(() => client.disconnect())
    await expect(redisLedger(client).ready()).rejects.toThrow(RedisSettingsError)
  })
})

/** Starts a Redis cluster with one server. Returns the port of the server. */
async function startCluster(...settings: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-cluster-'))
  const [port, busPort] = [await findFreePort(), await findFreePort()]
  const own = [
    '--port',
    `${port}`,
    '--cluster-port',
    `${busPort}`,
    '--bind',
    '127.0.0.1',
    '--cluster-announce-ip',
    '127.0.0.1',
    '--dir',
    folder,
  ]
  const server = await startServer([...own, '--cluster-enabled', 'yes', '--appendonly', 'yes', ...settings])
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await once(server, 'close')
    await rm(folder, { recursive: true, force: true })
  })
  const client = new Redis({ host: '127.0.0.1', port })
  onTestFinished(() => client.disconnect())
  await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  await vi.waitUntil(async () => String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'), {
    timeout: 20_000,
  })
  return port
}
