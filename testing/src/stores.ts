import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CompleteStorePort } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { openSqlStore } from '@storeport/store-sql'
import { rewindPostgres, rewindSqlite } from './rewind-database.ts'
import { sharedPostgres } from './shared-postgres.ts'

/** A kind of store. */
export interface StoreKind {
  /** Gives one that nobody has used, with the seed in it; whatever it gave before is used no longer. */
  unused(): Promise<CompleteStorePort>
  /** Ends what all of them share. */
  end(): Promise<void>
}

/** What these tests are about outlives no crash, so nothing waits for a disk. */
const fastFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** In memory. */
export const memoryKind: StoreKind = {
  unused: async () => createMemoryStore(),
  end: async () => {},
}

/** A SQLite file, whose rows become the seed's again. */
export async function sqliteKind(): Promise<StoreKind> {
  const folder = await mkdtemp(join(fastFolder, 'storeport-sqlite-'))
  const file = join(folder, 'store.db')
  const store = await openSqlStore({ url: `sqlite:${file}`, seed: 'if-empty' })
  const { rewind, end } = rewindSqlite(file)
  return {
    unused: async () => {
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

/** A database of the run's PostgreSQL server, whose rows become the seed's again. */
export async function postgresKind(): Promise<StoreKind> {
  const server = await sharedPostgres()
  const url = await server.createDatabase()
  const store = await openSqlStore({ url, seed: 'if-empty', poolSize: 4 })
  const { rewind, end } = await rewindPostgres(url)
  return {
    unused: async () => {
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
