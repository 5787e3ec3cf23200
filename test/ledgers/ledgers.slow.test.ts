import { noMariadb, startMariadb } from '@storeport/testing/start-mariadb'
import { noRedis, startRedis } from '@storeport/testing/start-redis'
import { Redis } from 'ioredis'
import { afterAll, describe } from 'vitest'
import { behavesLikeLedger } from './behaves-like-ledger.ts'
import { behavesLikeOnce } from './behaves-like-once.ts'
import { continuesClaims } from './continues-claims.ts'
import { openMysql } from './databases.ts'
import { redisStorage, storagesIn } from './storages.ts'

describe.skipIf(noMariadb)(`MariaDB 10.11${noMariadb === undefined ? '' : `: ${noMariadb}`}`, async () => {
  const server = noMariadb === undefined ? await startMariadb() : undefined
  afterAll(() => server?.stop())
  const open = () => openMysql(server?.connection ?? {})
  behavesLikeLedger('MariaDB', storagesIn(open))
  behavesLikeOnce('MariaDB', open)
  continuesClaims('MariaDB', open)
})

describe.skipIf(noRedis)(`Redis${noRedis === undefined ? '' : `: ${noRedis}`}`, async () => {
  const server = noRedis === undefined ? await startRedis() : undefined
  const client = new Redis({ path: server?.path ?? '', lazyConnect: true })
  afterAll(async () => {
    client.disconnect()
    await server?.stop()
  })
  behavesLikeLedger('Redis', () => redisStorage(client))
})
