import { type RedisServer, startRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import { afterAll, beforeAll } from 'vitest'

/** A server for the tests of a file, and a client of it. */
export interface OpenRedis {
  /** The server. */
  readonly server: RedisServer
  /** A client that is connected. */
  readonly client: Redis
}

/** Starts a server before the tests of a file and ends it after them. */
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
    if (open === undefined) throw new Error('the server starts before the tests')
    return open
  }
}
