import { join } from 'node:path'
import { makeFolder } from '@storeport/testing/make-folder'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import type mysql from 'mysql2/promise'
import { openOwnTables, type OwnTables } from '../clicks/own-tables.ts'

/** Maximum number of connections of a test. */
const poolSize = 20

export async function openPostgres(): Promise<OwnTables> {
  const server = await sharedPostgres()
  const url = await server.createDatabase()
  const tables = openOwnTables({ dialect: 'postgres', url }, poolSize)
  const close = async () => {
    await tables.close()
    await server.dropDatabase(url)
  }
  return { ...tables, close }
}

export async function openMysql(connection: mysql.PoolOptions): Promise<OwnTables> {
  return openOwnTables({ dialect: 'mysql', connection }, poolSize)
}

export async function openSqlite(): Promise<OwnTables & { readonly file: string }> {
  const file = join(await makeFolder('sqlite'), 'shop.db')
  const tables = openOwnTables({ dialect: 'sqlite', file })
  await tables.run('pragma synchronous = off', [])
  return { file, ...tables }
}
