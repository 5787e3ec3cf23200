import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CompleteStorePort } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { openSqlStore } from '@storeport/store-sql'
import { fastFolder } from './describe-databases.ts'
import { sharedPostgres } from '../shared-postgres.ts'

/** A kind of store that tests can reset. */
export interface StoreKind {
  /** Returns a store that contains only the seed data. Stores from earlier calls must no longer be used. */
  reset(): Promise<CompleteStorePort>
  /** Releases the shared resources. */
  end(): Promise<void>
}

export const memoryKind: StoreKind = {
  reset: async () => createMemoryStore(),
  end: async () => {},
}

/** Creates stores on one SQLite file. */
export async function sqliteKind(): Promise<StoreKind> {
  const folder = await mkdtemp(join(fastFolder, 'storeport-sqlite-'))
  return sqlKind(`sqlite:${join(folder, 'store.db')}`, () => rm(folder, { recursive: true }))
}

/** Creates stores on one database of the shared PostgreSQL server. */
export async function postgresKind(): Promise<StoreKind> {
  const { createDatabase, dropDatabase } = await sharedPostgres()
  const url = await createDatabase()
  return sqlKind(url, () => dropDatabase(url))
}

async function sqlKind(url: string, drop: () => Promise<void>): Promise<StoreKind> {
  const store = await openSqlStore({ url, seed: 'if-empty', poolSize: 4 })
  return {
    reset: async () => {
      if (!(await store.resetSeed())) throw new Error('The database contains data other than the seed.')
      return store
    },
    end: async () => {
      await store.close()
      await drop()
    },
  }
}
