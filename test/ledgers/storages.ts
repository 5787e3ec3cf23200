import { memoryLedger } from '@storeport/core'
import { createSqlLedger, sqlLedgerTable } from '@storeport/core/sql'
import { redisLedger, type RedisClient } from '@storeport/redis'
import { afterAll, beforeAll } from 'vitest'
import { execute, type OwnTables } from '../clicks/own-tables.ts'
import type { Storage } from './behaves-like-ledger.ts'

export async function memoryStorage(): Promise<Storage> {
  const ledger = memoryLedger()
  return { open: () => ledger }
}

/** Opens a database before the tests of a file. Returns a function that creates a table for clicks in it. */
export function storagesIn(openDatabase: () => Promise<OwnTables>) {
  let database: OwnTables
  let tables = 0
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())
  return async (): Promise<Storage> => {
    const { dialect, run } = database
    const table = `clicks_${++tables}`
    await execute(database, sqlLedgerTable(dialect, table))
    return {
      open: (link = (send) => send()) =>
        createSqlLedger({
          dialect,
          table,
          run: (sql, parameters) => link(async () => run(sql, parameters), /^(insert|update)/.test(sql)),
        }),
      replaceAll: async (text) => run(`update ${table} set document = '${text}'`, []),
    }
  }
}

/** Returns a storage on a Redis server, which it empties first. */
export async function redisStorage(client: RedisClient): Promise<Storage> {
  await client.call('FLUSHALL')
  return {
    open: (link = (send) => send()) =>
      redisLedger({
        // The write script has more arguments than the read script.
        call: (command, ...args) =>
          link(() => client.call(command, ...args), command.startsWith('EVAL') && args.length > 3),
      }),
    replaceAll: async (text) => {
      for (const key of [await client.call('KEYS', '*')].flat())
        await client.call('SET', String(key), `${crypto.randomUUID()}${text}`)
    },
  }
}
