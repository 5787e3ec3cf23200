import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CompleteStorePort, type Ledger, memoryLedger } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { openSqlStore } from '@storeport/store-sql'
import { startPostgres } from './start-postgres.ts'

/** A store that nobody has used, with the seed in it. */
export interface OpenedStore {
  readonly store: CompleteStorePort
  readonly ledger: Ledger
  close(): Promise<void>
}

/** A kind of store. */
export interface StoreKind {
  /** Opens a new one. */
  open(): Promise<OpenedStore>
  /** Ends what all of them share. */
  end(): Promise<void>
}

/** What these tests are about outlives no crash, so nothing waits for a disk. */
const fastFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** In memory. */
export async function memoryKind(): Promise<StoreKind> {
  return {
    open: async () => ({ store: createMemoryStore(), ledger: memoryLedger(), close: async () => {} }),
    end: async () => {},
  }
}

/** Files of SQLite, each a copy of one that was seeded. */
export async function sqliteKind(): Promise<StoreKind> {
  const folder = await mkdtemp(join(fastFolder, 'storeport-sqlite-'))
  const seeded = join(folder, 'seeded.db')
  await (await openSqlStore({ url: `sqlite:${seeded}`, seed: 'if-empty' })).close()
  let files = 0
  return {
    open: async () => {
      const file = join(folder, `store-${(files += 1)}.db`)
      await copyFile(seeded, file)
      return openedSql(`sqlite:${file}`)
    },
    end: () => rm(folder, { recursive: true }),
  }
}

/** Databases of a PostgreSQL server that this starts, each a copy of one that was seeded. */
export async function postgresKind(): Promise<StoreKind> {
  const server = await startPostgres(['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'])
  const seeded = await server.createDatabase()
  await (await openSqlStore({ url: seeded, seed: 'if-empty' })).close()
  const template = new URL(seeded).pathname.slice(1)
  let databases = 0
  return {
    open: async () => {
      const name = `copy_${(databases += 1)}`
      await server.query(`create database ${name} template ${template} strategy file_copy`)
      return openedSql(seeded.replace(`/${template}?`, `/${name}?`))
    },
    end: () => server.stop(),
  }
}

async function openedSql(url: string): Promise<OpenedStore> {
  const store = await openSqlStore({ url, poolSize: 4 })
  return { store, ledger: store.ledger(), close: () => store.close() }
}
