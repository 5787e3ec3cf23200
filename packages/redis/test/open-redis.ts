import { type RedisServer, startRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import { afterAll, beforeAll } from 'vitest'

/** A Redis server for the tests in one file, with a client. */
export interface OpenRedis {
  /** The Redis server, which is stopped after the tests. */
  readonly server: RedisServer
  /** Client that is connected to `server`. */
  readonly client: Redis
}

/** Starts a Redis server before the tests in a file, and stops the server after the tests. */
export function openRedis(settings: readonly string[] = []): () => OpenRedis {
  let open: OpenRedis | undefined
  beforeAll(async () => {
    const server = await startRedis(settings)
    open = { server, client: new Redis({ path: server.path }) }
  })
  afterAll(async () => {
    open?.client.disconnect()
    await open?.server.stop()
  })
  return () => {
    if (open === undefined) throw new Error('Expected a running server.')
    return open
  }
}
