import { memoryLedger } from '@storeport/core'
import { createSqlLedger, sqlLedgerTable, type SqlRun } from '@storeport/core/sql'
import { redisLedger, type RedisClient } from '@storeport/redis'
import { afterAll, beforeAll } from 'vitest'
import type { Link, Storage } from './behaves-like-ledger.ts'
import type { ShopDatabase } from './databases.ts'

export async function memoryStorage(): Promise<Storage> {
  const ledger = memoryLedger()
  return { open: () => ledger }
}

/** Opens a database before the tests of a file. Returns a function that creates a table for clicks in it. */
export function storagesIn(openDatabase: () => Promise<ShopDatabase>) {
  let database: ShopDatabase
  let tables = 0
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())
  return async (): Promise<Storage> => {
    const { dialect, run } = database
    const table = `clicks_${++tables}`
    await database.exec(sqlLedgerTable(dialect, table))
    const linked =
      (link: Link): SqlRun =>
      (sql, parameters) =>
        link(async () => run(sql, parameters), /^(insert|update)/.test(sql))
    return {
      open: (link) => createSqlLedger({ dialect, table, run: link === undefined ? run : linked(link) }),
      replace: async (key, text) => run(`update ${table} set document = '${text}' where id = '${key}'`, []),
    }
  }
}

/** Returns a storage on a Redis server, which it empties first. */
export async function redisStorage(client: RedisClient): Promise<Storage> {
  await client.call('FLUSHALL')
  const linked = (link: Link): RedisClient => ({
    // The write script has more arguments than the read script.
    call: (command, ...args) =>
      link(() => client.call(command, ...args), command.startsWith('EVAL') && args.length > 3),
  })
  return {
    open: (link) => redisLedger(link === undefined ? client : linked(link)),
    replace: (key, text) => client.call('SET', `{storeport}:clicks:${key}`, `${crypto.randomUUID()}${text}`),
  }
}
