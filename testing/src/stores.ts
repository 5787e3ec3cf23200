import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CompleteStorePort } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { openSqlStore } from '@storeport/store-sql'
import { rewindPostgres, rewindSqlite } from './rewind-database.ts'
import { sharedPostgres } from './shared-postgres.ts'

/** A kind of store that tests can reset. */
export interface StoreKind {
  /** Returns a store that contains only the seed data. Stores from earlier calls must no longer be used. */
  reset(): Promise<CompleteStorePort>
  /** Releases the shared resources. */
  end(): Promise<void>
}

/** Folder for databases, in memory if possible, because these tests do not need durable data. */
const fastFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export const memoryKind: StoreKind = {
  reset: async () => createMemoryStore(),
  end: async () => {},
}

/** Creates stores on one SQLite file. `reset` restores the seed rows. */
export async function sqliteKind(): Promise<StoreKind> {
  const folder = await mkdtemp(join(fastFolder, 'storeport-sqlite-'))
  const file = join(folder, 'store.db')
  const store = await openSqlStore({ url: `sqlite:${file}`, seed: 'if-empty' })
  const { rewind, end } = rewindSqlite(file)
  return {
    reset: async () => {
      rewind()
      return store
    },
    end: async () => {
      await store.close()
      end()
      await rm(folder, { recursive: true })
    },
  }
}

/** Creates stores on one database of the shared PostgreSQL server. `reset` restores the seed rows. */
export async function postgresKind(): Promise<StoreKind> {
  const server = await sharedPostgres()
  const url = await server.createDatabase()
  const store = await openSqlStore({ url, seed: 'if-empty', poolSize: 4 })
  const { rewind, end } = await rewindPostgres(url)
  return {
    reset: async () => {
      await rewind()
      return store
    },
    end: async () => {
      await store.close()
      await end()
      await server.dropDatabase(url)
    },
  }
}
